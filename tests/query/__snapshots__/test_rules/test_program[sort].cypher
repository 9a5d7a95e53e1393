// sort(set=get_information(relation='spouse'), order='descending')
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: sort(step 1, the greatest first)  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH x, e, number, CASE WHEN number IS NOT NULL OR e.relation IS NULL AND e.node1 IN $p2 THEN 1 ELSE 0 END AS fits
  WITH x, max(number) AS number, max(fits) AS fits
  WITH collect([x, number]) AS all, min(fits) AS fit
  UNWIND all AS each
  WITH each[0] AS x, CASE fit WHEN 1 THEN each[1] END AS number, fit
  WITH x, number WHERE fit = 0 OR number IS NOT NULL
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x ORDER BY number DESC, toLower(n.name) DESC, n.name DESC, x
  WITH collect(x) AS q2
  RETURN q2
}
CALL (q2) {
  UNWIND range(0, size(q2) - 1) AS place
  WITH q2[place] AS x, place
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
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(q1) - size(q2), size(m1), unread[..20]]][0]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = []
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
