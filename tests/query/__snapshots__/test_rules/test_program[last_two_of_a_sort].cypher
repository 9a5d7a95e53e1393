// last(set=sort(set=get_information(relation='spouse'), order='alphabetical'), n='2')
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: sort(step 1, by name)  [nodes]
// step 3: last(step 2, 2)  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH DISTINCT x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x ORDER BY toLower(n.name), n.name, x
  WITH collect(x) AS q2
  CALL (m1, q2) {
    UNWIND m1 AS e
    WITH DISTINCT e WHERE coalesce(e.node2, e.key) IN q2
    RETURN collect(e) AS carriers
  }
  RETURN q2, carriers AS m2
}
CALL (q2) {
  UNWIND range(0, size(q2) - 1) AS place
  WITH q2[place] AS x, place
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, place ORDER BY place
  WITH collect(x) AS ordered
  UNWIND ordered[-$p3..] AS x
  RETURN collect(x) AS q3
}
CALL (q3) {
  UNWIND range(0, size(q3) - 1) AS place
  WITH q3[place] AS x, place
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, place ORDER BY place
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[any(a IN [e IN m2 WHERE coalesce(e.node2, e.key) = q2[$p4] | e.num] WHERE a IN [e IN m2 WHERE coalesce(e.node2, e.key) = q2[$p5] | e.num])]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = []
// $p3 = 2
// $p4 = -2
// $p5 = -3
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
