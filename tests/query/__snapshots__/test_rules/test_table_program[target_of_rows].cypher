// {Team}
// Query1: "get_information(relation='Points', tail_entity='5')"
//
// step 1: search_condition(node1='Points', node2 = 5)  [rows]
// step 2: values(step 1, 'Team')  [nodes]

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
CALL (q1, m1) {
  UNWIND q1 AS x
  CALL (x) {
    UNWIND $p4 AS relation
    MATCH (r)-[f:CG_VALUE {node1: relation, head: x}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, head)
    RETURN collect(f) AS found
  }
  WITH collect([x, found]) AS pairs
  WITH [p IN pairs WHERE p[1] = [] | p[0]] AS stay, reduce(all = [], p IN pairs | all + p[1]) AS found
  CALL (stay, found) {
    UNWIND stay + [f IN found | f.node2] AS x
    RETURN collect(DISTINCT x) AS q2
  }
  RETURN q2, found + [e IN m1 WHERE coalesce(e.node2, e.key) IN stay] AS m2
}
CALL (m2) {
  UNWIND m2 AS e
  OPTIONAL MATCH (row:CgNode {key: e.head}) USING INDEX SEEK row:CgNode(key)
  WITH coalesce(e.node2, e.key) AS x, e.source AS source, coalesce(row.num, e.num) AS place ORDER BY source, place
  WITH x, collect([source, place])[0] AS at
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, at ORDER BY at[0], at[1], name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, found) {
  UNWIND $p4 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f, f.head AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2, collect(DISTINCT n2_1) AS n2_1
}
WITH *, found + n2_1 AS w1
CALL (w1) {
  UNWIND $p3 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, num)
  WHERE f.num >= $p1 AND f.num <= $p2
  WITH * WHERE f.head IN w1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = 5.0
// $p2 = 5.0
// $p3 = ['world\x1fPoints']
// $p4 = ['world\x1fTeam']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
