// extract_month(set=get_information(relation='spouse'))
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: extract_month(step 1)  [numbers]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH *, x AS name
  WITH DISTINCT x, name, e.node1 AS relation, number, e.relation IS NULL AS is_fact
  WITH *, is_fact AND relation IN $p2 AS is_read, is_fact AND relation IN $p3 AS is_day
  WITH *, number IS NOT NULL AND abs(number) < 1000000000 AND CASE
    WHEN is_day THEN true
    WHEN is_read THEN NOT name =~ '\\s*[-+−]?[0-9]{1,12}(?:\\s*(?:\\([^()]*\\)|\\[[^\\[\\]]*\\]|[*†‡§^]))*\\s*' AND (true OR NOT name =~ '\\s*(?:[0-9]{4,12}-[0-9]{2}|[^0-9]*\\p{L}[^0-9]*[0-9]{4})(?:\\s*(?:\\([^()]*\\)|\\[[^\\[\\]]*\\]|[*†‡§^]))*\\s*')
    ELSE name =~ '\\s*[-+]?[0-9]{4,12}-[0-9]{2}-[0-9]{2}(?:[T ][0-9]{2}:[0-9]{2}.*)?\\s*' OR (true AND name =~ '\\s*[-+]?[0-9]{4,12}-[0-9]{2}\\s*') END AS is_exact
  WITH *, CASE WHEN is_day THEN 2000 WHEN is_exact THEN toInteger(floor(number)) END AS year
  WITH *, CASE WHEN is_day THEN number - 1 ELSE (number - year) * CASE WHEN year % 400 = 0 OR (year % 4 = 0 AND year % 100 <> 0) THEN 366 ELSE 365 END END + 1e-06 AS days
  WITH *, CASE WHEN is_exact THEN date({year: year}) + duration({days: toInteger(floor(days))}) END AS date
  WITH x, relation, toFloat(date.month) AS result
  WITH collect(DISTINCT result) AS q2, count(*) AS size, collect(CASE WHEN result IS NULL THEN [x, relation] END) AS others
  RETURN q2, [size(others), size, others[..20]] AS unread2
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
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [unread2] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = []
// $p3 = []
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
