// max(set=set_union(set1=get_information(relation='Points'), set2='5'))
//
// step 1: search_node(node1='Points')  [nodes]
// step 2: set_union(step 1, '5')  [nodes]
// step 3: max(step 2)  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (q1, m1) {
  UNWIND q1 + $p2 AS x
  WITH collect(DISTINCT x) AS q2
  CALL () {
    UNWIND $p2 AS x
    MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
    RETURN collect(n) AS own1
  }
  CALL (m1, own1, q2) {
    UNWIND m1 + own1 AS e
    WITH DISTINCT e WHERE coalesce(e.node2, e.key) IN q2
    RETURN collect(e) AS carriers
  }
  RETURN q2, carriers AS m2
}
CALL (m2) {
  UNWIND m2 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH e, x, number WHERE number IS NOT NULL
  WITH x, number, collect(e) AS es ORDER BY number DESC, x LIMIT 1
  UNWIND es AS e
  RETURN collect(DISTINCT x) AS q3, collect(DISTINCT e) AS m3
}
CALL (m3) {
  UNWIND m3 AS e
  OPTIONAL MATCH (row:CgNode {key: e.head}) USING INDEX SEEK row:CgNode(key)
  WITH coalesce(e.node2, e.key) AS x, e.source AS source, coalesce(row.num, e.num) AS place ORDER BY source, place
  WITH x, collect([source, place])[0] AS at
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, at ORDER BY at[0], at[1], name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q2) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN q2
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[unread IN [[e IN m2 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m2), unread[..20]]][0]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fPoints']
// $p2 = ['5']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
