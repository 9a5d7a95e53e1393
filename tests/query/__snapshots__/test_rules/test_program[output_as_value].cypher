// get_information(key='time')
// get_information(relation='spouse', key='time', value='output_of_query1')
//
// step 1: search_node(node1='time')  [nodes]
// step 2: search_condition(node1='spouse', scope=search_condition(node1='time', node2 = step 1))  [nodes]

CALL () {
  UNWIND $p1 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.node2 IS NOT NULL
  RETURN collect(DISTINCT s.node2) AS q1
}
CALL (q1) {
  UNWIND $p3 AS key
  UNWIND q1 AS value
  MATCH (k)-[s:CG_VALUE {node1: key, node2: value}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.relation IN $p2
  RETURN collect(DISTINCT s.head) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, found) {
  UNWIND $p3 AS key
  UNWIND q1 AS value
  MATCH (k)-[s:CG_VALUE {node1: key, node2: value}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.relation IN $p2
  WITH *
  UNWIND $p4 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s, s.node2 AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e2, collect(DISTINCT n2_1) AS n2_1
}
CALL (n2_1) {
  UNWIND $p1 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.node2 IS NOT NULL
  WITH * WHERE s.node2 IN n2_1
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
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

// $p1 = ['world\x1ftime']
// $p2 = ['spouse']
// $p3 = ['world\x1ftime']
// $p4 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
