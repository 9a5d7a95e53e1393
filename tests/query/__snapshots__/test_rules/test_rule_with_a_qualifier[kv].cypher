// get_information(key='as', value='Sorbonne')
//
// step 1: search_condition(node1='as', node2 = 'Sorbonne').head  [nodes]

UNWIND $p2 AS key
UNWIND $p1 AS value
MATCH (k)-[s:CG_VALUE {node1: key, node2: value}]->(v)
USING INDEX SEEK s:CG_VALUE(node1, node2)
WITH collect(DISTINCT s.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS key
  UNWIND $p1 AS value
  MATCH (k)-[s:CG_VALUE {node1: key, node2: value}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, node2)
  WITH * WHERE s.head IN found
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Sorbonne']
// $p2 = ['world\x1fas']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
