// get_information(key='time')
// min(set='output_of_query1')
// keep(set='output_of_query1', value>'output_of_query2', value<1950)
//
// step 1: search_node(node1='time')  [nodes]
// step 2: min(step 1)  [nodes]
// step 3: keep(step 1, value > step 2 and value < 1950)  [nodes]

CALL () {
  UNWIND $p1 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.node2 IS NOT NULL
  RETURN collect(DISTINCT s.node2) AS q1, collect(DISTINCT s) AS m1
}
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH e, x, number WHERE number IS NOT NULL
  WITH x, number, collect(e) AS es ORDER BY number ASC, x LIMIT 1
  UNWIND es AS e
  RETURN collect(DISTINCT x) AS q2, collect(DISTINCT e) AS m2
}
CALL (m2, m1) {
  CALL (m2) {
    UNWIND [e IN m2 WHERE e.num IS NOT NULL | e.num] AS number
    RETURN min(number) AS low2, max(number) AS high2
  }
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH * WHERE number > low2 AND number < $p2
  RETURN collect(DISTINCT x) AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found, q1) {
  RETURN found + q1 AS w1
}
CALL (w1) {
  UNWIND $p1 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.node2 IS NOT NULL
  WITH * WHERE s.node2 IN w1
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
CALL (e1) {
  UNWIND range(0, 0) AS i
  UNWIND [e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q3) AS total, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [1, 'skipped', size(unread), size(m1), unread[..20]]][0], [unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [2, 'skipped', size(unread), size(m1), unread[..20]]][0], [2, 'unmet', size(q3) > 0 AND (NOT any(e IN m2 WHERE e.num IS NOT NULL))]] AS notes, evidence AS evidence, as_mapped

// $p1 = ['world\x1ftime']
// $p2 = 1950.0
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
