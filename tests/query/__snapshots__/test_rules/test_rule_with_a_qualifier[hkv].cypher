// get_information(head_entity='Marie Curie', key='as', value='Sorbonne')
//
// step 1: search_condition(node1='as', node2 = 'Sorbonne', condition=['Marie Curie', ?, ?]).head  [nodes]

CALL () {
  UNWIND $p3 AS key
  UNWIND $p1 AS head
  MATCH (k)-[s:CG_VALUE {node1: key, head: head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.relation IS NOT NULL AND s.node2 IN $p2
  RETURN collect(DISTINCT s.head) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p3 AS key
  UNWIND $p1 AS head
  MATCH (k)-[s:CG_VALUE {node1: key, head: head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.relation IS NOT NULL AND s.node2 IN $p2
  WITH * WHERE s.head IN found
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
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

// $p1 = ['Marie Curie']
// $p2 = ['Sorbonne']
// $p3 = ['world\x1fas']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
