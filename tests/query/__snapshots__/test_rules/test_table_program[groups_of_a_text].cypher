// group(by=fold('Team'), of='Points', function='sum')
//
// step 1: search_condition(node1='Team')  [rows]
// step 2: each of step 1  [rows]
// step 3: search_node(node1='Team', condition=step 2)  [nodes]
// step 4: fold(step 3)  [words]
// step 5: search_node(node1='Points', condition=step 2)  [nodes]
// step 6: group(step 1, by=step 4, of=step 5, function=sum)  [words]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH DISTINCT f.head AS x LIMIT $shown
WITH collect(x) AS q1
CALL () {
  UNWIND $p1 AS of_f
  MATCH ()-[f:CG_VALUE {node1: of_f}]->(n)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH f.head AS x, n.name AS name, f.node1 AS relation, f.num AS number, true AS is_fact
  WITH x, relation, btrim(CASE WHEN name =~ '\\p{ASCII}*' THEN toLower(name) ELSE normalize(reduce(all = '', part IN split(normalize(toLower(name), NFD), $accents) | all + part), NFC) END, $blanks) AS result
  WITH x, result AS key
  UNWIND $p2 AS of_g
  OPTIONAL MATCH ()-[g:CG_VALUE {node1: of_g, head: x}]->()
  USING INDEX SEEK g:CG_VALUE(node1, head)
  WITH x, key, CASE WHEN g IS NOT NULL THEN [g.num, g.node2, g.node1] END AS item
  WITH x, key, item, item[0] AS number
  WITH key, count(DISTINCT x) AS heads, CASE WHEN count(number) > 0 THEN sum(number) END AS number, [] AS items, collect(CASE WHEN number IS NULL THEN item[1..] END) AS unread, sum(CASE WHEN item IS NULL THEN 1 ELSE 0 END) AS missing
  WITH collect({key: key, num: number, text: null}) AS groups, sum(CASE WHEN key IS NULL THEN heads END) AS lost, sum(heads) AS size1, sum(CASE WHEN key IS NOT NULL AND number IS NOT NULL THEN missing ELSE 0 END) AS missing, collect(CASE WHEN key IS NOT NULL THEN unread END) AS all
  WITH [e IN groups WHERE e.key IS NOT NULL] AS groups, lost, missing, size1, reduce(some = [], u IN all | some + u) AS unread
  WITH [e IN groups WHERE abs(e.num) <= 1.7976931348623157e308] AS g6, size(groups) AS groups, lost, missing, unread, size1
  RETURN [e IN g6 | e.key] AS q6, g6, [lost, groups - size(g6), size(unread), unread[..20], missing] AS lost6, size1
}
CALL (g6) {
  UNWIND g6 AS e
  WITH e.key AS x, e
  WITH x, x AS name, [e.num, e.text] AS number ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found, collect(number)[..$limit] AS numbers
}
CALL (found) {
  UNWIND $p1 AS of_f
  MATCH ()-[f:CG_VALUE {node1: of_f}]->(n)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH [f.head, f] AS x, n.name AS name, f.node1 AS relation, f.num AS number, true AS is_fact
  WITH x, relation, btrim(CASE WHEN name =~ '\\p{ASCII}*' THEN toLower(name) ELSE normalize(reduce(all = '', part IN split(normalize(toLower(name), NFD), $accents) | all + part), NFC) END, $blanks) AS result
  WITH x[0] AS x, x[1] AS f, result AS key WHERE key IN found
  WITH * LIMIT $evidence_limit
  UNWIND $p2 AS of_g
  OPTIONAL MATCH ()-[g:CG_VALUE {node1: of_g, head: x}]->()
  USING INDEX SEEK g:CG_VALUE(node1, head)
  WITH collect(DISTINCT f) + collect(DISTINCT g) AS all, collect(DISTINCT x) AS xs
  RETURN all AS e6, xs AS n6
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, numbers, [size1, -1, -1, -1, -1, size(q6)] AS sizes, [q1[..$shown], [], [], [], [], q6[..$shown]] AS steps, [[lost6], [q6[..1000]]] AS notes, [found IN [e6] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $shown = 20
// $p1 = ['world\x1fTeam']
// $blanks = '\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
// $accents = ['̀', '́', '̂', '̃', '̄', '̅', '̆', '̇', '̈', '̉', '̊', '̋', '̌', '̍', '̎', '̏', '̐', '̑', '̒', '̓', '̔', '̕', '̖', '̗', '̘', '̙', '̚', '̛', '̜', '̝', '̞', '̟', '̠', '̡', '̢', '̣', '̤', '̥', '̦', '̧', '̨', '̩', '̪', '̫', '̬', '̭', '̮', '̯', '̰', '̱', '̲', '̳', '̴', '̵', '̶', '̷', '̸', '̹', '̺', '̻', '̼', '̽', '̾', '̿', '̀', '́', '͂', '̓', '̈́', 'ͅ', '͆', '͇', '͈', '͉', '͊', '͋', '͌', '͍', '͎', '͏', '͐', '͑', '͒', '͓', '͔', '͕', '͖', '͗', '͘', '͙', '͚', '͛', '͜', '͝', '͞', '͟', '͠', '͡', '͢', 'ͣ', 'ͤ', 'ͥ', 'ͦ', 'ͧ', 'ͨ', 'ͩ', 'ͪ', 'ͫ', 'ͬ', 'ͭ', 'ͮ', 'ͯ']
// $p2 = ['world\x1fPoints']
// $evidence_limit = 1000
// $limit = 10000
