// get_information(relation='spouse')
//
// step 1: search_node(node1='spouse')  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
