// keep(set=get_information(relation='spouse'), contains='Cur', ends_with='e')
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: keep(step 1, text contains 'Cur' and text ends_with 'e')  [nodes]

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
  WITH * WHERE CASE WHEN name =~ '\\p{ASCII}*' THEN toLower(name) ELSE normalize(reduce(all = '', part IN split(normalize(toLower(name), NFD), $accents) | all + part), NFC) END CONTAINS $p2 AND CASE WHEN name =~ '\\p{ASCII}*' THEN toLower(name) ELSE normalize(reduce(all = '', part IN split(normalize(toLower(name), NFD), $accents) | all + part), NFC) END ENDS WITH $p3
  RETURN collect(DISTINCT x) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = 'cur'
// $accents = ['̀', '́', '̂', '̃', '̄', '̅', '̆', '̇', '̈', '̉', '̊', '̋', '̌', '̍', '̎', '̏', '̐', '̑', '̒', '̓', '̔', '̕', '̖', '̗', '̘', '̙', '̚', '̛', '̜', '̝', '̞', '̟', '̠', '̡', '̢', '̣', '̤', '̥', '̦', '̧', '̨', '̩', '̪', '̫', '̬', '̭', '̮', '̯', '̰', '̱', '̲', '̳', '̴', '̵', '̶', '̷', '̸', '̹', '̺', '̻', '̼', '̽', '̾', '̿', '̀', '́', '͂', '̓', '̈́', 'ͅ', '͆', '͇', '͈', '͉', '͊', '͋', '͌', '͍', '͎', '͏', '͐', '͑', '͒', '͓', '͔', '͕', '͖', '͗', '͘', '͙', '͚', '͛', '͜', '͝', '͞', '͟', '͠', '͡', '͢', 'ͣ', 'ͤ', 'ͥ', 'ͦ', 'ͧ', 'ͨ', 'ͩ', 'ͪ', 'ͫ', 'ͬ', 'ͭ', 'ͮ', 'ͯ']
// $p3 = 'e'
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
