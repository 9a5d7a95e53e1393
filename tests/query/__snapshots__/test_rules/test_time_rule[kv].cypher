// get_information(key='time', value='1900')
//
// step 1: search_condition(node1='time', node2 = 1900)  [facts]

CALL () {
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, num)
  WHERE s.relation IS NOT NULL AND s.num >= $p1 AND s.num <= $p2
  RETURN collect(DISTINCT s.condition) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, num)
  WHERE s.relation IS NOT NULL AND s.num >= $p1 AND s.num <= $p2
  WITH * WHERE s.condition IN found
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
RETURN answer, size(q1) AS total, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [] AS notes, evidence AS evidence, as_mapped

// $p1 = 1900.0
// $p2 = 1900.9972602739726
// $p3 = ['world\x1ftime']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
