// get_information(relation='spouse', key='employer', value='Sorbonne')
//
// step 1: search_condition(node1='employer', node2 = 'Sorbonne')  [nodes]
// step 2: search_node(node1='spouse', condition=step 1)  [nodes]

CALL () {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  RETURN collect(DISTINCT f.head) AS q1
}
CALL (q1) {
  UNWIND $p3 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  RETURN collect(DISTINCT f.node2) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, found) {
  UNWIND $p3 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f, f.head AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2, collect(DISTINCT n2_1) AS n2_1
}
CALL (n2_1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  WITH * WHERE f.head IN n2_1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
CALL (e2, e1) {
  UNWIND range(0, 1) AS i
  UNWIND [e2, e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q2) AS total, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [] AS notes, evidence AS evidence, as_mapped

// $p1 = ['Sorbonne']
// $p2 = ['world\x1femployer']
// $p3 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
