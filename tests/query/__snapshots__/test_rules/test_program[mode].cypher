// mode(set=get_information(relation='spouse'))
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: mode(step 1)  [nodes]

CALL () {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL
  RETURN collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
}
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH x, collect(e) AS es
  WITH collect([x, es]) AS groups, max(size(es)) AS times
  UNWIND groups AS g
  WITH g[0] AS x, g[1] AS es, times WHERE size(es) = times
  RETURN collect(x) AS q2
}
CALL (q1) {
  UNWIND [x IN q1[..1000] | toStringOrNull(x)] AS x
  WITH x, btrim(CASE WHEN x =~ '\\p{ASCII}*' THEN toLower(x) ELSE normalize(reduce(all = '', part IN split(normalize(toLower(x), NFD), $accents) | all + part), NFC) END, $blanks) AS form
  WITH form, collect(x) AS xs WHERE size(xs) > 1
  WITH xs ORDER BY form
  WITH collect(xs) AS alike
  RETURN [size(alike), alike[..20]] AS alike2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
CALL (e1) {
  UNWIND range(0, 0) AS i
  UNWIND [e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q2) AS total, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [[1, 'alike', alike2[0], alike2[1], 'values', $p2]] AS notes, evidence AS evidence, as_mapped

// $p1 = ['world\x1fspouse']
// $blanks = '\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
// $accents = ['̀', '́', '̂', '̃', '̄', '̅', '̆', '̇', '̈', '̉', '̊', '̋', '̌', '̍', '̎', '̏', '̐', '̑', '̒', '̓', '̔', '̕', '̖', '̗', '̘', '̙', '̚', '̛', '̜', '̝', '̞', '̟', '̠', '̡', '̢', '̣', '̤', '̥', '̦', '̧', '̨', '̩', '̪', '̫', '̬', '̭', '̮', '̯', '̰', '̱', '̲', '̳', '̴', '̵', '̶', '̷', '̸', '̹', '̺', '̻', '̼', '̽', '̾', '̿', '̀', '́', '͂', '̓', '̈́', 'ͅ', '͆', '͇', '͈', '͉', '͊', '͋', '͌', '͍', '͎', '͏', '͐', '͑', '͒', '͓', '͔', '͕', '͖', '͗', '͘', '͙', '͚', '͛', '͜', '͝', '͞', '͟', '͠', '͡', '͢', 'ͣ', 'ͤ', 'ͥ', 'ͦ', 'ͧ', 'ͨ', 'ͩ', 'ͪ', 'ͫ', 'ͬ', 'ͭ', 'ͮ', 'ͯ']
// $p2 = 'spouse'
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
