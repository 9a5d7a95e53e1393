// previous_row(set=get_information(relation='Team', tail_entity='Ajax'))
//
// step 1: search_condition(node1='Team', node2 = 'Ajax')  [rows]
// step 2: previous_row(step 1)  [rows]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH *, n.source + $separator + $p3 AS relation, n.num AS number
  CALL (relation, number) {
    MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    WHERE f.num < number AND size(f.condition) = 1
    RETURN f ORDER BY f.node1 DESC, f.num DESC LIMIT 1
  }
  WITH collect(DISTINCT f.head) AS q2
  RETURN q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.source AS source, n.num AS number ORDER BY source, number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1, found) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH *, n.source + $separator + $p3 AS relation, n.num AS number
  CALL (relation, number) {
    MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    WHERE f.num < number AND size(f.condition) = 1
    RETURN f ORDER BY f.node1 DESC, f.num DESC LIMIT 1
  }
  WITH * WHERE f.head IN found
  WITH DISTINCT f, x LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e2, collect(DISTINCT x) AS n2
}
CALL (n2) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN n2
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Ajax']
// $p2 = ['world\x1fTeam']
// $separator = '\x1f'
// $p3 = 'row_number'
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
