// standard_deviation(set=get_information(relation='spouse', key='time'))
//
// step 1: search_node(node1='time', condition=[?, 'spouse', ?])  [nodes]
// step 2: standard_deviation(step 1)  [numbers]

CALL () {
  UNWIND $p2 AS key
  UNWIND $p1 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.relation IS NOT NULL AND s.num IS NOT NULL
  RETURN collect(DISTINCT s.node2) AS q1, collect(DISTINCT s) AS m1
}
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH DISTINCT x, number, CASE WHEN e.node1 IN $p3 THEN 0 ELSE e END AS counted
  WITH CASE WHEN count(number) > 1 THEN head([numbers IN [collect(number)] | head([mean IN [reduce(total = 0.0, n IN numbers | total + n) / size(numbers)] | sqrt(reduce(total = 0.0, n IN numbers | total + (n - mean) ^ 2) / (size(numbers) - 1))])]) END AS of_all
  RETURN [x IN [of_all] WHERE abs(x) <= 1.7976931348623157e308] AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1) {
  UNWIND $p2 AS key
  UNWIND $p1 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.relation IS NOT NULL AND s.num IS NOT NULL
  WITH *
  UNWIND $p4 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH * WHERE s.node2 IN q1
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
CALL (e1) {
  UNWIND range(0, 0) AS i
  UNWIND [e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q2) AS total, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [1, 'skipped', size(unread), size(m1), unread[..20]]][0]] AS notes, evidence AS evidence, as_mapped

// $p1 = ['spouse']
// $p2 = ['world\x1ftime']
// $p3 = ['world\x1ftime']
// $p4 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
