// get_information(key='for')
// get_information(relation='spouse', key='as', where_key='for', where_value='output_of_query1', where_key2='start_time', where_value2<'1900')
//
// step 1: search_node(node1='for')  [nodes]
// step 2: search_node(node1='as', condition=[?, 'spouse', ?], further=search_condition(node1='for', node2 = step 1), further=search_condition(node1='start time', node2 < 1900))  [nodes]

UNWIND $p1 AS key
MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
USING INDEX SEEK s:CG_VALUE(node1, node2)
WHERE s.node2 IS NOT NULL
WITH collect(DISTINCT s.node2) AS q1
CALL (q1) {
  UNWIND $p3 AS other_key
  UNWIND q1 AS value
  MATCH (other_k)-[other:CG_VALUE {node1: other_key, node2: value}]->(other_v)
  USING INDEX SEEK other:CG_VALUE(node1, node2)
  WHERE other.relation IN $p2
  WITH *
  UNWIND $p4 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: other.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = other.source AND s.condition = other.condition
  WITH *
  UNWIND $p5 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH *
  UNWIND $p7 AS third_key
  MATCH (third_k)-[third:CG_VALUE {node1: third_key, head: s.head}]->(third_v)
  USING INDEX SEEK third:CG_VALUE(node1, head)
  WHERE third.source = s.source AND third.condition = s.condition AND third.num < $p6
  RETURN collect(DISTINCT s.node2) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, found) {
  UNWIND $p3 AS other_key
  UNWIND q1 AS value
  MATCH (other_k)-[other:CG_VALUE {node1: other_key, node2: value}]->(other_v)
  USING INDEX SEEK other:CG_VALUE(node1, node2)
  WHERE other.relation IN $p2
  WITH *
  UNWIND $p4 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: other.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = other.source AND s.condition = other.condition
  WITH *
  UNWIND $p5 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH *
  UNWIND $p7 AS third_key
  MATCH (third_k)-[third:CG_VALUE {node1: third_key, head: s.head}]->(third_v)
  USING INDEX SEEK third:CG_VALUE(node1, head)
  WHERE third.source = s.source AND third.condition = s.condition AND third.num < $p6
  WITH * WHERE s.node2 IN found
  WITH DISTINCT f, s, other, third, other.node2 AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) + collect(DISTINCT other) + collect(DISTINCT third) AS e2, collect(DISTINCT n2_1) AS n2_1
}
CALL (n2_1) {
  UNWIND $p1 AS key
  MATCH (k)-[s:CG_VALUE {node1: key}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WHERE s.node2 IS NOT NULL
  WITH * WHERE s.node2 IN n2_1
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1ffor']
// $p2 = ['spouse']
// $p3 = ['world\x1ffor']
// $p4 = ['world\x1fas']
// $p5 = ['world\x1fspouse']
// $p6 = 1900.0
// $p7 = ['world\x1fstart time']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
