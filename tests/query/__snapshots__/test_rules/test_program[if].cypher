// count(set='Marie Curie')
// count(set='Sorbonne')
// if(output_of_query1 > output_of_query2, 'Marie Curie', 'Sorbonne')
//
// step 1: count('Marie Curie')  [numbers]
// step 2: count('Sorbonne')  [numbers]
// step 3: 'Marie Curie' if step 1 > step 2 else 'Sorbonne'  [words]

WITH [size($p1)] AS q1
WITH *, [size($p2)] AS q2
CALL (q1, q2) {
  CALL (q1) {
    UNWIND q1 AS number
    RETURN max(number) AS a
  }
  CALL (q2) {
    UNWIND q2 AS number
    RETURN max(number) AS b
  }
  RETURN CASE WHEN a IS NULL OR b IS NULL THEN [] WHEN a > b THEN [$p3] ELSE [$p4] END AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[size(q1) = 0 OR size(q2) = 0, size(q1), size(q2)]] AS notes, [] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['Sorbonne']
// $p3 = 'Marie Curie'
// $p4 = 'Sorbonne'
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
