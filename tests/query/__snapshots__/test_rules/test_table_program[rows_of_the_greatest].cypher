// argmax(set=get_information(relation='Team', tail_entity='Ajax'), relation='Points')
//
// step 1: search_condition(node1='Team', node2 = 'Ajax')  [rows]
// step 2: search_node(node1='Points', condition=step 1)  [nodes]
// step 3: argmax(step 2)  [rows]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND $p3 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  RETURN collect(DISTINCT f.node2) AS q2, collect(DISTINCT f) AS m2
}
CALL (m2) {
  UNWIND m2 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH collect({e: e, number: number}) AS all, max(number) AS best
  UNWIND all AS each
  WITH each.e AS e, each.number AS number, best WHERE number = best
  WITH DISTINCT coalesce(e.head, e.key) AS x
  RETURN collect(x) AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.source AS source, n.num AS number ORDER BY source, number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, q2) {
  UNWIND $p3 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN q2
  WITH DISTINCT f, f.head AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2, collect(DISTINCT n2_1) AS n2_1
}
CALL (n2_1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN n2_1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[unread IN [[e IN m2 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m2), unread[..20]]][0]] AS notes, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Ajax']
// $p2 = ['world\x1fTeam']
// $p3 = ['world\x1fPoints']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
