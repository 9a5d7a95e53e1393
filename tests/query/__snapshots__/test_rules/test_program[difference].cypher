// difference(value1=get_information(relation='spouse'), value2='5')
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: difference(step 1, 5)  [numbers]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (m1) {
  CALL (m1) {
    UNWIND [e IN m1 WHERE e.num IS NOT NULL | e.num] AS number
    WITH collect(DISTINCT toFloat(number)) AS numbers
    RETURN CASE WHEN size(numbers) = 1 THEN numbers[0] END AS a
  }
  CALL () {
    UNWIND [$p2] AS number
    WITH collect(DISTINCT toFloat(number)) AS numbers
    RETURN CASE WHEN size(numbers) = 1 THEN numbers[0] END AS b
  }
  RETURN CASE WHEN a IS NULL OR b IS NULL THEN [] ELSE [x IN [abs(a - b)] WHERE abs(x) <= 1.7976931348623157e308] END AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
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
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [[size(q2) = 0, size(reduce(some = [], n IN [e IN m1 WHERE e.num IS NOT NULL | e.num] | CASE WHEN n IN some OR size(some) > 1 THEN some ELSE some + n END)), 1]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = 5.0
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
