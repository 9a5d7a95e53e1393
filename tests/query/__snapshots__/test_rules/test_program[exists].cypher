// exists(set=get_information(relation='spouse'))
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: exists(step 1)  [words]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1
WITH *, [CASE WHEN size(q1) > 0 THEN 'yes' ELSE 'no' END] AS q2
CALL (q1) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN q2 AS answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $evidence_limit = 1000
// $shown = 20
