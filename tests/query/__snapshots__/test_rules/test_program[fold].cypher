// fold(set=get_information(relation='spouse'))
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: fold(step 1)  [words]

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
  WITH DISTINCT name
  RETURN collect(DISTINCT btrim(CASE WHEN name =~ '\\p{ASCII}*' THEN toLower(name) ELSE normalize(reduce(all = '', part IN split(normalize(toLower(name), NFD), $accents) | all + part), NFC) END, $blanks)) AS q2
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
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $blanks = '\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
// $accents = ['̀', '́', '̂', '̃', '̄', '̅', '̆', '̇', '̈', '̉', '̊', '̋', '̌', '̍', '̎', '̏', '̐', '̑', '̒', '̓', '̔', '̕', '̖', '̗', '̘', '̙', '̚', '̛', '̜', '̝', '̞', '̟', '̠', '̡', '̢', '̣', '̤', '̥', '̦', '̧', '̨', '̩', '̪', '̫', '̬', '̭', '̮', '̯', '̰', '̱', '̲', '̳', '̴', '̵', '̶', '̷', '̸', '̹', '̺', '̻', '̼', '̽', '̾', '̿', '̀', '́', '͂', '̓', '̈́', 'ͅ', '͆', '͇', '͈', '͉', '͊', '͋', '͌', '͍', '͎', '͏', '͐', '͑', '͒', '͓', '͔', '͕', '͖', '͗', '͘', '͙', '͚', '͛', '͜', '͝', '͞', '͟', '͠', '͡', '͢', 'ͣ', 'ͤ', 'ͥ', 'ͦ', 'ͧ', 'ͨ', 'ͩ', 'ͪ', 'ͫ', 'ͬ', 'ͭ', 'ͮ', 'ͯ']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
