// get_information(tail_entity='Pierre Curie', key='employer', value='Sorbonne')
//
// step 1: search_condition(node1=any, node2 = 'Pierre Curie')  [nodes]
// step 2: search_condition(node1='employer', node2 = 'Sorbonne')  [nodes]
// step 3: set_intersection(step 1, step 2)  [nodes]

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
CALL () {
  UNWIND $p3 AS relation
  UNWIND $p2 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  RETURN collect(DISTINCT f.head) AS q2
}
CALL (q1, q2) {
  UNWIND q1 AS x
  WITH x WHERE x IN q2
  WITH collect(DISTINCT x) AS q3
  RETURN q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p3 AS relation
  UNWIND $p2 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2
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
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $relations = ['world\x1femployer', 'world\x1fspouse']
// $p1 = ['Pierre Curie']
// $p2 = ['Sorbonne']
// $p3 = ['world\x1femployer']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
