// set_negation(set=get_information(key='time', value='1900'))
//
// step 1: search_condition(node1='time', node2 = 1900)  [facts]
// step 2: set_negation(step 1)  [facts]

CALL () {
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, num)
  WHERE s.relation IS NOT NULL AND s.num >= $p1 AND s.num <= $p2
  RETURN collect(DISTINCT s.condition) AS q1
}
CALL (q1) {
  UNWIND $relations AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL
  WITH DISTINCT f.condition + [r.name, t.name] AS x
  WHERE NOT x IN q1
  RETURN collect(x) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND found AS x
  WITH DISTINCT x LIMIT $evidence_limit
  CALL (x) {
    UNWIND $relations AS relation
    MATCH (r)-[f:CG_VALUE {node1: relation, head: x[0]}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, head)
    WHERE size(f.condition) = 1 AND r.name = x[1] AND t.name = x[2]
    RETURN f LIMIT 1
  }
  RETURN collect(f) AS e2
}
CALL (q1) {
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, num)
  WHERE s.relation IS NOT NULL AND s.num >= $p1 AND s.num <= $p2
  WITH * WHERE s.condition IN q1
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
CALL (e2, e1) {
  UNWIND range(0, 1) AS i
  UNWIND [e2, e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q2) AS total, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [] AS notes, evidence AS evidence, as_mapped

// $p1 = 1900.0
// $p2 = 1900.9972602739726
// $p3 = ['world\x1ftime']
// $relations = ['world\x1femployer', 'world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
