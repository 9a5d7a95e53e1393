// get_information(head_entity='Marie Curie', relation='spouse', key='time', value='1900')
//
// step 1: search_node(node1='spouse', condition='Marie Curie', scope=search_condition(node1='time', node2 = 1900))  [nodes]

CALL () {
  UNWIND $p2 AS relation
  UNWIND $p1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  WITH *
  UNWIND $p5 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name] AND s.num >= $p3 AND s.num <= $p4
  RETURN collect(DISTINCT f.node2) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE size(f.condition) = 1
  WITH *
  UNWIND $p5 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name] AND s.num >= $p3 AND s.num <= $p4
  WITH * WHERE f.node2 IN found
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

// $p1 = ['Marie Curie']
// $p2 = ['world\x1fspouse']
// $p3 = 1900.0
// $p4 = 1900.9972602739726
// $p5 = ['world\x1ftime']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
