// first(set=keep(set=sort(set=get_information(relation='spouse')), value>'5'))
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: sort(step 1)  [nodes]
// step 3: keep(step 2, value > 5)  [nodes]
// step 4: first(step 3)  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH x, e, number, CASE WHEN number IS NOT NULL OR e.relation IS NULL AND e.node1 IN $p2 THEN 1 ELSE 0 END AS fits
  WITH x, min(number) AS number, max(fits) AS fits
  WITH collect([x, number]) AS all, min(fits) AS fit
  UNWIND all AS each
  WITH each[0] AS x, CASE fit WHEN 1 THEN each[1] END AS number, fit
  WITH x, number WHERE fit = 0 OR number IS NOT NULL
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x ORDER BY number, toLower(n.name), n.name, x
  WITH collect(x) AS q2
  CALL (m1, q2) {
    UNWIND m1 AS e
    WITH DISTINCT e WHERE coalesce(e.node2, e.key) IN q2
    RETURN collect(e) AS carriers
  }
  RETURN q2, carriers AS m2
}
CALL (m2, q2) {
  UNWIND m2 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH * WHERE number > $p3
  WITH collect(DISTINCT x) AS kept, collect(DISTINCT e) AS m3
  RETURN [x IN q2 WHERE x IN kept] AS q3, m3
}
CALL (q3) {
  UNWIND range(0, size(q3) - 1) AS place
  WITH q3[place] AS x, place
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, place ORDER BY place
  WITH x LIMIT 1
  RETURN collect(x) AS q4
}
CALL (q4) {
  UNWIND q4 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
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
RETURN answer, [size(q1), size(q2), size(q3), size(q4)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown], q4[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(q1) - size(q2), size(m1), unread[..20]]][0], [unread IN [[e IN m2 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m2), unread[..20]]][0], [any(a IN [e IN m3 WHERE coalesce(e.node2, e.key) = q3[$p4] | e.num] WHERE a IN [e IN m3 WHERE coalesce(e.node2, e.key) = q3[$p5] | e.num])]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = []
// $p3 = 5.0
// $p4 = 0
// $p5 = 1
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
