// get_information(head_entity='Marie Curie', relation='spouse', key='as', where_key='for', where_value='Sorbonne')
//
// step 1: search_node(node1='as', condition=['Marie Curie', 'spouse', ?], further=search_condition(node1='for', node2 = 'Sorbonne'))  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS head
MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, head)
WITH *
UNWIND $p3 AS key
MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)
USING INDEX SEEK s:CG_VALUE(node1, head)
WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
WITH *
UNWIND $p5 AS other_key
MATCH (other_k)-[other:CG_VALUE {node1: other_key, head: s.head}]->(other_v)
USING INDEX SEEK other:CG_VALUE(node1, head)
WHERE other.source = s.source AND other.condition = s.condition AND other.node2 IN $p4
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
  WITH *
  UNWIND $p5 AS other_key
  MATCH (other_k)-[other:CG_VALUE {node1: other_key, head: s.head}]->(other_v)
  USING INDEX SEEK other:CG_VALUE(node1, head)
  WHERE other.source = s.source AND other.condition = s.condition AND other.node2 IN $p4
  WITH * WHERE s.node2 IN found
  WITH DISTINCT f, s, other LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) + collect(DISTINCT other) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['world\x1fas']
// $p4 = ['Sorbonne']
// $p5 = ['world\x1ffor']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
