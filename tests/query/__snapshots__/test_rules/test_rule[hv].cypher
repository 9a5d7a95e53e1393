// get_information(head_entity='Marie Curie', value='Sorbonne')
//
// step 1: search_relation(condition='Marie Curie', node2 = 'Sorbonne')  [nodes]

UNWIND $p1 AS head
MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)
USING INDEX SEEK at:CgNode(key)
WHERE has.source IN $sources AND own.key IN $relations
WITH *, own.key AS relation
MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, head)
WHERE f.node2 IN $p2
WITH collect(DISTINCT f.node1) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS head
  MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)
  USING INDEX SEEK at:CgNode(key)
  WHERE has.source IN $sources AND own.key IN $relations
  WITH *, own.key AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE f.node2 IN $p2
  WITH * WHERE f.node1 IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $relations = ['world\x1femployer', 'world\x1fspouse']
// $p1 = ['Marie Curie']
// $sources = ['world']
// $p2 = ['Sorbonne']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
