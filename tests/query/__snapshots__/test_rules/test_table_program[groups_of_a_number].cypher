// group(by=to_integer('Points'))
//
// step 1: search_condition(node1='Points')  [rows]
// step 2: each of step 1  [rows]
// step 3: search_node(node1='Points', condition=step 2)  [nodes]
// step 4: to_integer(step 3)  [numbers]
// step 5: group(step 1, by=step 4, function=count)  [numbers]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH DISTINCT f.head AS x LIMIT $shown
WITH collect(x) AS q1
CALL () {
  UNWIND $p1 AS of_f
  MATCH ()-[f:CG_VALUE {node1: of_f}]->()
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH f.head AS x, f.node2 AS name, f.node1 AS relation, f.num AS number, true AS is_fact
  WITH x, relation, CASE WHEN number < 0 THEN ceil(number) + 0.0 ELSE floor(number) END AS result
  WITH x, result AS key
  WITH key, count(DISTINCT x) AS heads, null AS number, [] AS items, [] AS unread, 0 AS missing
  WITH collect({key: key, num: toFloat(heads), text: null}) AS groups, sum(CASE WHEN key IS NULL THEN heads END) AS lost, sum(heads) AS size1, sum(CASE WHEN key IS NOT NULL AND number IS NOT NULL THEN missing ELSE 0 END) AS missing, collect(CASE WHEN key IS NOT NULL THEN unread END) AS all
  WITH [e IN groups WHERE e.key IS NOT NULL] AS groups, lost, missing, size1, reduce(some = [], u IN all | some + u) AS unread
  WITH [e IN groups WHERE abs(e.num) <= 1.7976931348623157e308] AS g5, size(groups) AS groups, lost, missing, unread, size1
  RETURN [e IN g5 | e.key] AS q5, g5, [lost, groups - size(g5), size(unread), unread[..20], missing] AS lost5, size1
}
CALL (g5) {
  UNWIND g5 AS e
  WITH e.key AS x, e
  WITH x, x AS name, [e.num, e.text] AS number ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found, collect(number)[..$limit] AS numbers
}
CALL (found) {
  UNWIND $p1 AS of_f
  MATCH ()-[f:CG_VALUE {node1: of_f}]->()
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH [f.head, f] AS x, f.node2 AS name, f.node1 AS relation, f.num AS number, true AS is_fact
  WITH x, relation, CASE WHEN number < 0 THEN ceil(number) + 0.0 ELSE floor(number) END AS result
  WITH x[0] AS x, x[1] AS f, result AS key WHERE key IN found
  WITH * LIMIT $evidence_limit
  WITH collect(DISTINCT f) AS all, collect(DISTINCT x) AS xs
  RETURN all AS e5, xs AS n5
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, numbers, [size1, -1, -1, -1, size(q5)] AS sizes, [q1[..$shown], [], [], [], q5[..$shown]] AS steps, [[lost5]] AS notes, [found IN [e5] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $shown = 20
// $p1 = ['world\x1fPoints']
// $evidence_limit = 1000
// $limit = 10000
