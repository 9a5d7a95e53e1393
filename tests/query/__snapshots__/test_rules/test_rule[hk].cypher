// get_information(head_entity='Marie Curie', key='employer')
//
// step 1: search_node(node1='employer', condition='Marie Curie')  [nodes]

CALL () {
  UNWIND $p2 AS relation
  UNWIND $p1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  RETURN collect(DISTINCT f.node2) AS lq
}
CALL (lq) {
  UNWIND CASE WHEN size(lq) = 0 THEN $p1 ELSE [] END AS value
  UNWIND $p2 AS relation
  MATCH ()-[g:CG_VALUE {node1: relation, node2: value}]->(n)
  USING INDEX SEEK g:CG_VALUE(node1, node2)
  WHERE NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
  WITH *
  MATCH ()-[f:CG_VALUE {node1: relation, head: g.head}]->()
  USING INDEX SEEK f:CG_VALUE(node1, head)
  RETURN collect(DISTINCT f.node2) AS cq
}
WITH lq + cq AS q1, size(cq) > 0 AS covalues1
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
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
CALL (found, covalues1) {
  UNWIND CASE WHEN covalues1 THEN $p1 ELSE [] END AS value
  UNWIND $p2 AS relation
  MATCH ()-[g:CG_VALUE {node1: relation, node2: value}]->(n)
  USING INDEX SEEK g:CG_VALUE(node1, node2)
  WHERE NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
  WITH *
  MATCH ()-[f:CG_VALUE {node1: relation, head: g.head}]->()
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f, g LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT g) AS c1, collect(DISTINCT g.node2) AS n1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [[covalues1]] AS notes, [found IN [e1, c1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['world\x1femployer']
// $sources = ['world']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
