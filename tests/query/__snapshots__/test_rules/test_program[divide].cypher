// divide(value1=count(set='Marie Curie'), value2=sum(set=get_information(relation='spouse')))
//
// step 1: count('Marie Curie')  [numbers]
// step 2: search_node(node1='spouse')  [nodes]
// step 3: sum(step 2)  [numbers]
// step 4: divide(step 1, step 3)  [numbers]

WITH [size($p1)] AS q1
CALL () {
  UNWIND $p2 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  RETURN collect(DISTINCT f.node2) AS q2, collect(DISTINCT f) AS m2
}
CALL (m2) {
  UNWIND m2 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH sum(number) AS of_all
  RETURN [x IN [of_all] WHERE abs(x) <= 1.7976931348623157e308] AS q3
}
CALL (q1, q3) {
  CALL (q1) {
    UNWIND q1 AS number
    WITH collect(DISTINCT toFloat(number)) AS numbers
    RETURN CASE WHEN size(numbers) = 1 THEN numbers[0] END AS a
  }
  CALL (q3) {
    UNWIND q3 AS number
    WITH collect(DISTINCT toFloat(number)) AS numbers
    RETURN CASE WHEN size(numbers) = 1 THEN numbers[0] END AS b
  }
  RETURN CASE WHEN a IS NULL OR b IS NULL OR b = 0 THEN [] ELSE [x IN [a / b] WHERE abs(x) <= 1.7976931348623157e308] END AS q4
}
CALL (q4) {
  UNWIND q4 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q2) {
  UNWIND $p2 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN q2
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3), size(q4)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown], q4[..$shown]] AS steps, [[unread IN [[e IN m2 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m2), unread[..20]]][0], [size(q4) = 0, size(q1), size(q3)]] AS notes, [found IN [e2] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
