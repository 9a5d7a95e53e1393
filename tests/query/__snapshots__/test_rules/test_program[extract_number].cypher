// extract_number(set=get_information(relation='spouse'), which='last')
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: extract_number(step 1, which=-1)  [numbers]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH *, n.name AS name
  WITH DISTINCT x, name, e.node1 AS relation, number, e.relation IS NULL AS is_fact
  WITH *, CASE WHEN is_fact AND relation IN $p3 THEN ',' ELSE '.' END AS point
  WITH *, reduce(all = '| ', c IN split(name, '') | all + CASE
    WHEN c IN $digits THEN c
    WHEN c IN ['.', ','] THEN CASE WHEN c = point THEN '|.' ELSE '|,' END
    WHEN c IN ['-', '−'] AND all ENDS WITH '| ' THEN '-'
    WHEN c IN $blank_list THEN '| '
    ELSE '|x' END) AS marked
  WITH *, reduce(all = [], part IN split(marked, '|')[1..] | CASE
    WHEN part =~ ',[0-9]{3}' AND all[-1] =~ '-?[0-9]{1,3}(?:,[0-9]{3})*' THEN all[..-1] + (all[-1] + part)
    WHEN part =~ '[.][0-9]+' AND all[-1] =~ '-?[0-9,]*[0-9]' THEN all[..-1] + (all[-1] + part)
    ELSE all + substring(part, 1) END) AS parts
  WITH *, [part IN parts WHERE part =~ '-?[0-9].*' | toFloat(replace(part, ',', ''))][$p2] AS inside
  WITH x, relation, [x IN [inside] WHERE abs(x) <= 1.7976931348623157e308][0] AS result
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
// $blank_list = ['\t', '\n', '\x0b', '\x0c', '\r', '\x1c', '\x1d', '\x1e', '\x1f', ' ', '\x85', '\xa0', '\u1680', '\u2000', '\u2001', '\u2002', '\u2003', '\u2004', '\u2005', '\u2006', '\u2007', '\u2008', '\u2009', '\u200a', '\u2028', '\u2029', '\u202f', '\u205f', '\u3000']
// $digits = ['0', '1', '2', '3', '4', '5', '6', '7', '8', '9']
// $p2 = -1
// $p3 = []
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
