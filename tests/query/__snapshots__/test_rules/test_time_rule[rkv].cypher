// get_information(relation='spouse', key='time', value='1900')
//
// step 1: search_condition(node1='spouse', scope=search_condition(node1='time', node2 = 1900))  [nodes]

CALL () {
  UNWIND $p4 AS key
  UNWIND $p1 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.relation IS NOT NULL AND s.num >= $p2 AND s.num <= $p3
  RETURN collect(DISTINCT s.head) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p4 AS key
  UNWIND $p1 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.relation IS NOT NULL AND s.num >= $p2 AND s.num <= $p3
  WITH *
  UNWIND $p5 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH * WHERE f.head IN found
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
RETURN answer, size(q1) AS total, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [] AS notes, evidence AS evidence, as_mapped

// $p1 = ['spouse']
// $p2 = 1900.0
// $p3 = 1900.9972602739726
// $p4 = ['world\x1ftime']
// $p5 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
