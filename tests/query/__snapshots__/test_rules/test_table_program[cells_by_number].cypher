// get_information(relation='Points', tail_entity=max(set=get_information(relation='Points')))
//
// step 1: search_node(node1='Points')  [nodes]
// step 2: max(step 1)  [nodes]
// step 3: search_condition(node1='Points', node2 = step 2)  [rows]

CALL () {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL
  RETURN collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
}
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
  WITH * WHERE size(f.condition) = 1
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
  WITH * WHERE size(f.condition) = 1
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e3
}
CALL (q1) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
CALL (e3, e1) {
  UNWIND range(0, 1) AS i
  UNWIND [e3, e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q3) AS total, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [1, 'skipped', size(unread), size(m1), unread[..20]]][0]] AS notes, evidence AS evidence, as_mapped

// $p1 = ['world\x1fPoints']
// $p2 = ['world\x1fPoints']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
