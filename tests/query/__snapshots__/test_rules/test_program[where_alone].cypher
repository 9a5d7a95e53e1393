// get_information(key='as', where_key='for', where_value>'5')
//
// step 1: search_node(node1='as', further=search_condition(node1='for', node2 > 5))  [nodes]

UNWIND $p2 AS other_key
MATCH (other_k)-[other:CG_VALUE {node1: other_key}]->(other_v)
USING INDEX SEEK other:CG_VALUE(node1, num)
WHERE other.num > $p1
WITH *
UNWIND $p3 AS key
MATCH (k)-[s:CG_VALUE {node1: key, head: other.head}]->(v)
USING INDEX SEEK s:CG_VALUE(node1, head)
WHERE s.source = other.source AND s.condition = other.condition
WITH collect(DISTINCT s.node2) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS other_key
  MATCH (other_k)-[other:CG_VALUE {node1: other_key}]->(other_v)
  USING INDEX SEEK other:CG_VALUE(node1, num)
  WHERE other.num > $p1
  WITH *
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: other.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = other.source AND s.condition = other.condition
  WITH * WHERE s.node2 IN found
  WITH DISTINCT s, other LIMIT $evidence_limit
  RETURN collect(DISTINCT s) + collect(DISTINCT other) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = 5.0
// $p2 = ['world\x1ffor']
// $p3 = ['world\x1fas']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
