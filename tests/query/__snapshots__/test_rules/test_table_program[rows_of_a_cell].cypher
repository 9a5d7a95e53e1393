// get_information(head_entity='Ajax', relation='Points')
//
// step 1: search_condition(node1=any column, node2 = 'Ajax')  [rows]
// step 2: search_node(node1='Points', condition=step 1)  [nodes]

UNWIND $p1 AS tail
MATCH (at:CgNode {key: tail})
USING INDEX SEEK at:CgNode(key)
WITH *, COUNT { (at)<-[:CG_VALUE]-() } <= size($columns) AS in_few
CALL (at, in_few) {
  WITH * WHERE in_few
  MATCH (at)<-[few:CG_VALUE]-(own)
  WHERE own.key IN $columns
  RETURN DISTINCT own.key AS relation
  UNION
  WITH * WHERE NOT in_few
  UNWIND $columns AS relation
  RETURN relation
}
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND $p2 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  RETURN collect(DISTINCT f.node2) AS q2, collect(DISTINCT f) AS m2
}
CALL (m2) {
  UNWIND m2 AS e
  OPTIONAL MATCH (row:CgNode {key: e.head}) USING INDEX SEEK row:CgNode(key)
  WITH coalesce(e.node2, e.key) AS x, e.source AS source, coalesce(row.num, e.num) AS place ORDER BY source, place
  WITH x, collect([source, place])[0] AS at
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, at ORDER BY at[0], at[1], name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, found) {
  UNWIND $p2 AS relation
  UNWIND q1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN found
  WITH DISTINCT f, f.head AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2, collect(DISTINCT n2_1) AS n2_1
}
CALL (n2_1) {
  UNWIND $p1 AS tail
  MATCH (at:CgNode {key: tail})
  USING INDEX SEEK at:CgNode(key)
  WITH *, COUNT { (at)<-[:CG_VALUE]-() } <= size($columns) AS in_few
  CALL (at, in_few) {
    WITH * WHERE in_few
    MATCH (at)<-[few:CG_VALUE]-(own)
    WHERE own.key IN $columns
    RETURN DISTINCT own.key AS relation
    UNION
    WITH * WHERE NOT in_few
    UNWIND $columns AS relation
    RETURN relation
  }
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN n2_1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $columns = ['world\x1fTeam', 'world\x1fPoints']
// $p1 = ['Ajax']
// $p2 = ['world\x1fPoints']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
