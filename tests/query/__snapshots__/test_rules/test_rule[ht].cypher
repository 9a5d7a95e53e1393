// get_information(head_entity='Marie Curie', tail_entity='Pierre Curie')
//
// step 1: search_relation(condition='Marie Curie', node2 = 'Pierre Curie')  [nodes]

CALL () {
  UNWIND $p1 AS head
  MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)
  USING INDEX SEEK at:CgNode(key)
  WHERE has.source IN $sources AND own.key IN $relations
  WITH *, own.key AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1 AND f.node2 IN $p2
  RETURN collect(DISTINCT f.node1) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS head
  MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)
  USING INDEX SEEK at:CgNode(key)
  WHERE has.source IN $sources AND own.key IN $relations
  WITH *, own.key AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1 AND f.node2 IN $p2
  WITH * WHERE f.node1 IN found
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
RETURN answer, size(q1) AS total, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [] AS notes, evidence AS evidence, as_mapped

// $relations = ['world\x1femployer', 'world\x1fspouse']
// $p1 = ['Marie Curie']
// $sources = ['world']
// $p2 = ['Pierre Curie']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
