// get_information(relation='spouse', tail_entity>='most')
//
// step 1: search_condition(node1='spouse', node2 most often)  [nodes]

UNWIND $p1 AS relation
CALL (relation) {
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL AND size(f.condition) = 1
  WITH f.node2 AS name, collect(f) AS found
  WITH collect(found) AS groups, max(size(found)) AS times
  UNWIND groups AS found
  WITH * WHERE size(found) = times
  UNWIND found AS f
  RETURN startNode(f) AS r, f, endNode(f) AS t
}
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL () {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(f) AS a1
}
CALL (found) {
  UNWIND $p1 AS relation
  CALL (relation) {
    MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, node2)
    WHERE f.node2 IS NOT NULL AND size(f.condition) = 1
    WITH f.node2 AS name, collect(f) AS found
    WITH collect(found) AS groups, max(size(found)) AS times
    UNWIND groups AS found
    WITH * WHERE size(found) = times
    UNWIND found AS f
    RETURN startNode(f) AS r, f, endNode(f) AS t
  }
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [a1, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
