// get_information(tail_entity='Pierre Curie')
//
// step 1: search_condition(node1=any, node2 = 'Pierre Curie')  [nodes]

UNWIND $p1 AS tail
MATCH (at:CgNode {key: tail})
USING INDEX SEEK at:CgNode(key)
WITH *, COUNT { (at)<-[:CG_VALUE]-() } <= size($relations) AS in_few
CALL (at, in_few) {
  WITH * WHERE in_few
  MATCH (at)<-[few:CG_VALUE]-(own)
  WHERE own.key IN $relations
  RETURN DISTINCT own.key AS relation
  UNION
  WITH * WHERE NOT in_few
  UNWIND $relations AS relation
  RETURN relation
}
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS tail
  MATCH (at:CgNode {key: tail})
  USING INDEX SEEK at:CgNode(key)
  WITH *, COUNT { (at)<-[:CG_VALUE]-() } <= size($relations) AS in_few
  CALL (at, in_few) {
    WITH * WHERE in_few
    MATCH (at)<-[few:CG_VALUE]-(own)
    WHERE own.key IN $relations
    RETURN DISTINCT own.key AS relation
    UNION
    WITH * WHERE NOT in_few
    UNWIND $relations AS relation
    RETURN relation
  }
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $relations = ['world\x1femployer', 'world\x1fspouse']
// $p1 = ['Pierre Curie']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
