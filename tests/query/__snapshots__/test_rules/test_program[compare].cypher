// compare(value1=count(set=get_information(relation='spouse', tail_entity='Pierre Curie')), value2=get_information(relation='employer', head_entity='Marie Curie'))
//
// step 1: search_condition(node1='spouse', node2 = 'Pierre Curie')  [nodes]
// step 2: count(step 1)  [numbers]
// step 3: search_node(node1='employer', condition='Marie Curie')  [nodes]
// step 4: 'Pierre Curie' if step 2 > step 3 else 'Marie Curie'  [nodes]

CALL () {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  RETURN collect(DISTINCT f.head) AS q1
}
CALL (q1) {
  RETURN [size(q1)] AS q2
}
CALL () {
  CALL () {
    UNWIND $p4 AS relation
    UNWIND $p3 AS head
    MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, head)
    WHERE size(f.condition) = 1
    RETURN collect(DISTINCT f.node2) AS l, collect(DISTINCT f) AS lm
  }
  CALL (l) {
    UNWIND CASE WHEN size(l) = 0 THEN $p3 ELSE [] END AS value
    UNWIND $p4 AS relation
    MATCH ()-[g:CG_VALUE {node1: relation, node2: value}]->(n)
    USING INDEX SEEK g:CG_VALUE(node1, node2)
    WHERE size(g.condition) = 1 AND NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
    WITH *
    MATCH ()-[f:CG_VALUE {node1: relation, head: g.head}]->()
    USING INDEX SEEK f:CG_VALUE(node1, head)
    WHERE size(f.condition) = 1
    RETURN collect(DISTINCT f.node2) AS c, collect(DISTINCT f) AS cm
  }
  RETURN l + c AS q3, lm + cm AS m3, size(c) > 0 AS covalues3
}
CALL (q2, m3) {
  CALL (q2) {
    UNWIND q2 AS number
    RETURN max(number) AS a
  }
  CALL (m3) {
    UNWIND [e IN m3 WHERE e.num IS NOT NULL | e.num] AS number
    RETURN max(number) AS b
  }
  RETURN CASE WHEN a IS NULL OR b IS NULL THEN [] WHEN a = b THEN $p1 + [x IN $p3 WHERE NOT x IN $p1] WHEN a > b THEN $p1 ELSE $p3 END AS q4
}
CALL (q1) {
  UNWIND [x IN q1[..1000] | toStringOrNull(x)] AS x
  WITH x, btrim(CASE WHEN x =~ '\\p{ASCII}*' THEN toLower(x) ELSE normalize(reduce(all = '', part IN split(normalize(toLower(x), NFD), $accents) | all + part), NFC) END, $blanks) AS form
  WITH form, collect(x) AS xs WHERE size(xs) > 1
  WITH xs ORDER BY form
  WITH collect(xs) AS alike
  RETURN [size(alike), alike[..20]] AS alike2
}
CALL (q4) {
  UNWIND q4 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q3) {
  UNWIND $p4 AS relation
  UNWIND $p3 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  WITH * WHERE f.node2 IN q3
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e3
}
CALL (q3, covalues3) {
  UNWIND CASE WHEN covalues3 THEN $p3 ELSE [] END AS value
  UNWIND $p4 AS relation
  MATCH ()-[g:CG_VALUE {node1: relation, node2: value}]->(n)
  USING INDEX SEEK g:CG_VALUE(node1, node2)
  WHERE size(g.condition) = 1 AND NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
  WITH *
  MATCH ()-[f:CG_VALUE {node1: relation, head: g.head}]->()
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  WITH * WHERE f.node2 IN q3
  WITH DISTINCT f, g LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT g) AS c3, collect(DISTINCT g.node2) AS n3
}
CALL (q1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  WITH * WHERE f.head IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
CALL (e3, c3, e1) {
  UNWIND range(0, 2) AS i
  UNWIND [e3, c3, e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q4) AS total, [size(q1), size(q2), size(q3), size(q4)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown], q4[..$shown]] AS steps, [[1, 'alike', alike2[0], alike2[1], 'values', $p5], [2, 'covalues', covalues3], [3, 'operands', size(q2) = 0 OR size(reduce(some = [], n IN [e IN m3 WHERE e.num IS NOT NULL | e.num] | CASE WHEN n IN some OR size(some) > 1 THEN some ELSE some + n END)) = 0, size(q2), size(reduce(some = [], n IN [e IN m3 WHERE e.num IS NOT NULL | e.num] | CASE WHEN n IN some OR size(some) > 1 THEN some ELSE some + n END))]] AS notes, evidence AS evidence, as_mapped

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['Marie Curie']
// $p4 = ['world\x1femployer']
// $sources = ['world']
// $blanks = '\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
// $accents = ['̀', '́', '̂', '̃', '̄', '̅', '̆', '̇', '̈', '̉', '̊', '̋', '̌', '̍', '̎', '̏', '̐', '̑', '̒', '̓', '̔', '̕', '̖', '̗', '̘', '̙', '̚', '̛', '̜', '̝', '̞', '̟', '̠', '̡', '̢', '̣', '̤', '̥', '̦', '̧', '̨', '̩', '̪', '̫', '̬', '̭', '̮', '̯', '̰', '̱', '̲', '̳', '̴', '̵', '̶', '̷', '̸', '̹', '̺', '̻', '̼', '̽', '̾', '̿', '̀', '́', '͂', '̓', '̈́', 'ͅ', '͆', '͇', '͈', '͉', '͊', '͋', '͌', '͍', '͎', '͏', '͐', '͑', '͒', '͓', '͔', '͕', '͖', '͗', '͘', '͙', '͚', '͛', '͜', '͝', '͞', '͟', '͠', '͡', '͢', 'ͣ', 'ͤ', 'ͥ', 'ͦ', 'ͧ', 'ͨ', 'ͩ', 'ͪ', 'ͫ', 'ͬ', 'ͭ', 'ͮ', 'ͯ']
// $p5 = ''
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
