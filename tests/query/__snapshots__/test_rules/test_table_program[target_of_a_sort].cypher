// {Team}
// Query1: "sort(set=get_information(relation='Points', tail_entity='5'))"
//
// step 1: search_condition(node1='Points', node2 = 5)  [rows]
// step 2: sort(step 1)  [rows]
// step 3: values(step 2, 'Team')  [nodes]

UNWIND $p3 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, num)
WHERE f.num >= $p1 AND f.num <= $p2
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  RETURN collect(n) AS nodes
}
WITH q1, nodes AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH x, e, number, CASE WHEN number IS NOT NULL OR e.relation IS NULL AND e.node1 IN $p4 THEN 1 ELSE 0 END AS fits
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
CALL (q2, m2) {
  UNWIND q2 AS x
  CALL (x) {
    UNWIND $p5 AS relation
    MATCH (r)-[f:CG_VALUE {node1: relation, head: x}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, head)
    WITH f ORDER BY f.num, t.name
    RETURN collect(f) AS found
  }
  WITH collect([x, found]) AS pairs
  WITH [p IN pairs WHERE p[1] = [] | p[0]] AS stay, reduce(all = [], p IN pairs | all + p[1]) AS found, reduce(all = [], p IN pairs | all + [f IN p[1] | f.node2] + CASE WHEN p[1] = [] THEN [p[0]] ELSE [] END) AS inline
  CALL (inline) {
    UNWIND inline AS x
    RETURN collect(DISTINCT x) AS q3
  }
  RETURN q3, found + [e IN m2 WHERE coalesce(e.node2, e.key) IN stay] AS m3
}
CALL (q3) {
  UNWIND range(0, size(q3) - 1) AS place
  WITH q3[place] AS x, place
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, place ORDER BY place
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q2, found) {
  UNWIND $p5 AS relation
  UNWIND q2 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f, f.head AS n3_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e3, collect(DISTINCT n3_1) AS n3_1
}
CALL (q1) {
  UNWIND $p3 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, num)
  WHERE f.num >= $p1 AND f.num <= $p2
  WITH * WHERE f.head IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(q1) - size(q2), size(m1), unread[..20]]][0]] AS notes, [found IN [e3, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = 5.0
// $p2 = 5.0
// $p3 = ['world\x1fPoints']
// $p4 = ['world\x1fPoints']
// $p5 = ['world\x1fTeam']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
