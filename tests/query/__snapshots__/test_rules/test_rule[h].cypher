// get_information(head_entity='Marie Curie')
//
// step 1: search_node(node1='Marie Curie')  [nodes]

UNWIND $p1 AS head
MATCH (at:CgNode {key: head})-[has:CG_HAS]->(r)
USING INDEX SEEK at:CgNode(key)
WHERE has.source IN $sources
WITH collect(DISTINCT r.key) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS head
  MATCH (at:CgNode {key: head})-[has:CG_HAS]->(r)
  USING INDEX SEEK at:CgNode(key)
  WHERE has.source IN $sources
  WITH * WHERE r.key IN found
  WITH DISTINCT has LIMIT $evidence_limit
  RETURN collect(DISTINCT has) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $sources = ['world']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
