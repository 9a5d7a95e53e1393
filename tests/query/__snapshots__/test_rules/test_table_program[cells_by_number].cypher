// get_information(relation='Points', tail_entity=max(set=get_information(relation='Points')))
//
// step 1: search_node(node1='Points')  [nodes]
// step 2: max(step 1)  [nodes]
// step 3: search_condition(node1='Points', node2 = step 2)  [rows]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH e, x, number WHERE number IS NOT NULL
  WITH x, number, collect(e) AS es ORDER BY number DESC, x LIMIT 1
  UNWIND es AS e
  RETURN collect(DISTINCT x) AS q2, collect(DISTINCT e) AS m2
}
CALL (m2, q2) {
  UNWIND $p2 AS relation
  CALL (relation, q2, m2) {
    UNWIND q2 AS name
    MATCH (r)-[f:CG_VALUE {node1: relation, node2: name}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, node2)
    RETURN r, f, t
    UNION
    UNWIND [e IN m2 WHERE e.num IS NOT NULL | e.num] AS number
    MATCH (r)-[f:CG_VALUE {node1: relation, num: number}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    RETURN r, f, t
  }
  RETURN collect(DISTINCT f.head) AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.source AS source, n.num AS number ORDER BY source, number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (m2, q2, found) {
  UNWIND $p2 AS relation
  CALL (relation, q2, m2) {
    UNWIND q2 AS name
    MATCH (r)-[f:CG_VALUE {node1: relation, node2: name}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, node2)
    RETURN r, f, t
    UNION
    UNWIND [e IN m2 WHERE e.num IS NOT NULL | e.num] AS number
    MATCH (r)-[f:CG_VALUE {node1: relation, num: number}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    RETURN r, f, t
  }
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e3
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
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m1), unread[..20]]][0]] AS notes, [found IN [e3, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fPoints']
// $p2 = ['world\x1fPoints']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
