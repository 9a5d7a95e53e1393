// get_information(key='time')
// get_information(relation='spouse', key='start_time', value>'output_of_query1')
//
// step 1: search_node(node1='time')  [nodes]
// step 2: search_condition(node1='spouse', scope=search_condition(node1='start time', node2 > step 1))  [nodes]

CALL () {
  UNWIND $p1 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.node2 IS NOT NULL
  RETURN collect(DISTINCT s.node2) AS q1, collect(DISTINCT s) AS m1
}
CALL (m1) {
  CALL (m1) {
    UNWIND [e IN m1 WHERE e.num IS NOT NULL | e.num] AS number
    RETURN min(number) AS low1, max(number) AS high1
  }
  UNWIND $p3 AS key
  UNWIND $p2 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.relation IS NOT NULL AND s.num > low1
  RETURN collect(DISTINCT s.head) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (m1, found) {
  CALL (m1) {
    UNWIND [e IN m1 WHERE e.num IS NOT NULL | e.num] AS number
    RETURN min(number) AS low1, max(number) AS high1
  }
  UNWIND $p3 AS key
  UNWIND $p2 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.relation IS NOT NULL AND s.num > low1
  WITH *
  UNWIND $p4 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e2
}
CALL (q1) {
  UNWIND $p1 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.relation IS NOT NULL AND s.node2 IS NOT NULL
  WITH * WHERE s.node2 IN q1
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
RETURN answer, size(q2) AS total, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [[1, 'unmet', size(q2) > 0 AND (NOT any(e IN m1 WHERE e.num IS NOT NULL))]] AS notes, evidence AS evidence, as_mapped

// $p1 = ['world\x1ftime']
// $p2 = ['spouse']
// $p3 = ['world\x1fstart time']
// $p4 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
