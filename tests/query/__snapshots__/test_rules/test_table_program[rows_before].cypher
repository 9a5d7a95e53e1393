// previous_row(set=get_information(relation='Team', tail_entity='Ajax'))
//
// step 1: search_condition(node1='Team', node2 = 'Ajax')  [rows]
// step 2: search_node(node1=nothing, condition=step 1)  [nodes]
// step 3: previous_row(step 2)  [numbers]
// step 4: search_condition(node1=nothing, node2 = step 3)  [nodes]

CALL () {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  RETURN collect(DISTINCT f.head) AS q1
}
CALL (q1) {
  UNWIND $p3 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  RETURN collect(DISTINCT f.node2) AS q2, collect(DISTINCT f) AS m2
}
CALL (m2) {
  UNWIND m2 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH number WHERE number IS NOT NULL
  RETURN collect(DISTINCT number - 1) AS q3
}
CALL (q3) {
  UNWIND $p3 AS relation
  CALL (relation, q3) {
    UNWIND q3 AS number
    MATCH (r)-[f:CG_VALUE {node1: relation, num: number}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    RETURN r, f, t
  }
  WITH * WHERE size(f.condition) = 1
  WITH collect(DISTINCT f.head) AS found
  CALL (found) {
    UNWIND found AS x
    MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
    RETURN collect(n) AS nodes
  }
  RETURN found AS q4, nodes AS m4
}
CALL (m4) {
  UNWIND m4 AS e
  OPTIONAL MATCH (row:CgNode {key: e.head}) USING INDEX SEEK row:CgNode(key)
  WITH coalesce(e.node2, e.key) AS x, e.source AS source, coalesce(row.num, e.num) AS place ORDER BY source, place
  WITH x, collect([source, place])[0] AS at
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, at ORDER BY at[0], at[1], name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q3, found) {
  UNWIND $p3 AS relation
  CALL (relation, q3) {
    UNWIND q3 AS number
    MATCH (r)-[f:CG_VALUE {node1: relation, num: number}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    RETURN r, f, t
  }
  WITH * WHERE size(f.condition) = 1
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e4
}
CALL (q1, q2) {
  UNWIND $p3 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  WITH * WHERE f.node2 IN q2
  WITH DISTINCT f, f.head AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2, collect(DISTINCT n2_1) AS n2_1
}
CALL (n2_1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  WITH * WHERE f.head IN n2_1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
CALL (e4, e2, e1) {
  UNWIND range(0, 2) AS i
  UNWIND [e4, e2, e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q4) AS total, [size(q1), size(q2), size(q3), size(q4)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown], q4[..$shown]] AS steps, [[unread IN [[e IN m2 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [2, 'skipped', size(unread), size(m2), unread[..20]]][0]] AS notes, evidence AS evidence, as_mapped

// $p1 = ['Ajax']
// $p2 = ['world\x1fTeam']
// $p3 = []
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
