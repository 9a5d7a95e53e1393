// get_information(head_entity='Marie Curie', relation='spouse', key='employer', value='Sorbonne')
//
// step 1: search_condition(node1='employer', node2 = 'Sorbonne')  [nodes]
// step 2: set_intersection('Marie Curie', step 1)  [nodes]
// step 3: search_node(node1='spouse', condition=step 2)  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND $p3 AS x
  WITH x WHERE x IN q1
  WITH collect(DISTINCT x) AS q2
  RETURN q2
}
CALL (q2) {
  UNWIND $p4 AS relation
  UNWIND q2 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  RETURN collect(DISTINCT f.node2) AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q2, found) {
  UNWIND $p4 AS relation
  UNWIND q2 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f, f.head AS n3_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e3, collect(DISTINCT n3_1) AS n3_1
}
CALL (n3_1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN n3_1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [found IN [e3, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Sorbonne']
// $p2 = ['world\x1femployer']
// $p3 = ['Marie Curie']
// $p4 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
