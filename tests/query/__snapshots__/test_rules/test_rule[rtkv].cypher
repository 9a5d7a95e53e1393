// get_information(relation='spouse', tail_entity='Pierre Curie', key='employer', value='Sorbonne')
//
// step 1: search_condition(node1='spouse', node2 = 'Pierre Curie')  [nodes]
// step 2: search_condition(node1='employer', node2 = 'Sorbonne')  [nodes]
// step 3: set_intersection(step 1, step 2)  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL () {
  UNWIND $p4 AS relation
  UNWIND $p3 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  RETURN collect(DISTINCT f.head) AS q2
}
CALL (q1, q2) {
  UNWIND q1 AS x
  WITH x WHERE x IN q2
  WITH collect(DISTINCT x) AS q3
  RETURN q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p4 AS relation
  UNWIND $p3 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2
}
CALL (found) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['Sorbonne']
// $p4 = ['world\x1femployer']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
