// count(set=get_information(relation='spouse'))
// get_information(relation='employer', tail_entity='output_of_query1')
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: count(step 1)  [numbers]
// step 3: search_condition(node1='employer', node2 = step 2)  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, count(f) AS facts1
WITH *, [size(q1)] AS q2
CALL (q2) {
  UNWIND $p2 AS relation
  CALL (relation, q2) {
    UNWIND q2 AS number
    MATCH (r)-[f:CG_VALUE {node1: relation, num: number}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    RETURN r, f, t
  }
  RETURN collect(DISTINCT f.head) AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q2, found) {
  UNWIND $p2 AS relation
  CALL (relation, q2) {
    UNWIND q2 AS number
    MATCH (r)-[f:CG_VALUE {node1: relation, num: number}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    RETURN r, f, t
  }
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e3
}
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
RETURN answer, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, [[facts1 - size(q1) + CASE WHEN '' IN q1 THEN 1 ELSE 0 END, size(q1), facts1, '' IN q1], [q1[..1000]]] AS notes, [found IN [e3, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = ['world\x1femployer']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
