// reach(head_entity='Marie Curie', relation='spouse', at_most='2')
//
// step 1: search_node(node1='spouse', condition='Marie Curie')  [nodes]
// step 2: search_node(node1='spouse', condition=step 1)  [nodes]
// step 3: search_node(node1='spouse', condition=step 2)  [nodes]
// step 4: set_union(step 1, step 2)  [nodes]
// step 5: reach(step 4)  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS head
MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, head)
WITH collect(DISTINCT f.node2) AS q1
CALL (q1) {
  UNWIND $p2 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  RETURN collect(DISTINCT f.node2) AS q2
}
CALL (q2) {
  UNWIND $p2 AS relation
  UNWIND q2 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  RETURN collect(DISTINCT f.node2) AS q3
}
CALL (q1, q2) {
  UNWIND q1 + q2 AS x
  WITH collect(DISTINCT x) AS q4
  RETURN q4
}
WITH *, q4 AS q5
CALL (q5) {
  UNWIND q5 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, found) {
  UNWIND $p2 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f, f.head AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2, collect(DISTINCT n2_1) AS n2_1
}
WITH *, found + n2_1 AS w1
CALL (w1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN w1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3), size(q4), size(q5)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown], q4[..$shown], q5[..$shown]] AS steps, [[size([x IN q3 WHERE NOT x IN q4])]] AS notes, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
