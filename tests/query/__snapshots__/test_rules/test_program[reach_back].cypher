// reach(tail_entity='Marie Curie', relation='spouse', at_most='1')
//
// step 1: search_condition(node1='spouse', node2 = 'Marie Curie')  [nodes]
// step 2: search_condition(node1='spouse', node2 = step 1)  [nodes]
// step 3: set_union(step 1)  [nodes]
// step 4: reach(step 3)  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND $p2 AS relation
  UNWIND q1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  RETURN collect(DISTINCT f.head) AS q2
}
CALL (q1) {
  UNWIND q1 AS x
  WITH collect(DISTINCT x) AS q3
  RETURN q3
}
WITH *, q3 AS q4
CALL (q4) {
  UNWIND q4 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
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
RETURN answer, [size(q1), size(q2), size(q3), size(q4)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown], q4[..$shown]] AS steps, [[size([x IN q2 WHERE NOT x IN q3])]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
