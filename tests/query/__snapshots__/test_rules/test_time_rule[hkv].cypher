// get_information(head_entity='Marie Curie', key='time', value='1900')
//
// step 1: search_condition(node1='time', node2 = 1900, condition=['Marie Curie', ?, ?])  [facts]

CALL () {
  UNWIND $p4 AS key
  UNWIND $p1 AS head
  MATCH (k)-[s:CG_VALUE {node1: key, head: head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.relation IS NOT NULL AND s.num >= $p2 AND s.num <= $p3
  RETURN collect(DISTINCT s.condition) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p4 AS key
  UNWIND $p1 AS head
  MATCH (k)-[s:CG_VALUE {node1: key, head: head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.relation IS NOT NULL AND s.num >= $p2 AND s.num <= $p3
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

// $p1 = ['Marie Curie']
// $p2 = 1900.0
// $p3 = 1900.9972602739726
// $p4 = ['world\x1ftime']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
