// get_information(head_entity='Marie Curie', relation='spouse', key='as')
//
// step 1: search_node(node1='as', condition=['Marie Curie', 'spouse', ?])  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS head
MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, head)
WITH *
UNWIND $p3 AS key
MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)
USING INDEX SEEK s:CG_VALUE(node1, head)
WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
WITH collect(DISTINCT s.node2) AS q1
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
  WITH *
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH * WHERE s.node2 IN found
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['world\x1fas']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
