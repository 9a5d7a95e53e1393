// compare(value1=count(set=get_information(relation='spouse', tail_entity='Pierre Curie')), value2=get_information(relation='employer', head_entity='Marie Curie'))
//
// step 1: search_condition(node1='spouse', node2 = 'Pierre Curie')  [nodes]
// step 2: count(step 1)  [numbers]
// step 3: search_node(node1='employer', condition='Marie Curie')  [nodes]
// step 4: 'Pierre Curie' if step 2 > step 3 else 'Marie Curie'  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
WITH *, [size(q1)] AS q2
CALL () {
  CALL () {
    UNWIND $p4 AS relation
    UNWIND $p3 AS head
    MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, head)
    RETURN collect(DISTINCT f.node2) AS lq, collect(DISTINCT f) AS lm
  }
  CALL (lq) {
    UNWIND CASE WHEN size(lq) = 0 THEN $p3 ELSE [] END AS value
    UNWIND $p4 AS relation
    MATCH ()-[g:CG_VALUE {node1: relation, node2: value}]->(n)
    USING INDEX SEEK g:CG_VALUE(node1, node2)
    WHERE NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
    WITH *
    MATCH ()-[f:CG_VALUE {node1: relation, head: g.head}]->()
    USING INDEX SEEK f:CG_VALUE(node1, head)
    RETURN collect(DISTINCT f.node2) AS cq, collect(DISTINCT f) AS cm
  }
  RETURN lq + cq AS q3, lm + cm AS m3, size(cq) > 0 AS covalues3
}
CALL (q2, m3) {
  CALL (q2) {
    UNWIND q2 AS number
    RETURN max(number) AS a
  }
  CALL (m3) {
    UNWIND [e IN m3 WHERE e.num IS NOT NULL | e.num] AS number
    RETURN max(number) AS b
  }
  RETURN CASE WHEN a IS NULL OR b IS NULL THEN [] WHEN a = b THEN $p1 + [x IN $p3 WHERE NOT x IN $p1] WHEN a > b THEN $p1 ELSE $p3 END AS q4
}
CALL (q4) {
  UNWIND q4 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q3) {
  UNWIND $p4 AS relation
  UNWIND $p3 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN q3
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e3
}
CALL (q3, covalues3) {
  UNWIND CASE WHEN covalues3 THEN $p3 ELSE [] END AS value
  UNWIND $p4 AS relation
  MATCH ()-[g:CG_VALUE {node1: relation, node2: value}]->(n)
  USING INDEX SEEK g:CG_VALUE(node1, node2)
  WHERE NOT EXISTS { (n)-[h:CG_HAS]->() WHERE h.source IN $sources }
  WITH *
  MATCH ()-[f:CG_VALUE {node1: relation, head: g.head}]->()
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WITH * WHERE f.node2 IN q3
  WITH DISTINCT f, g LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT g) AS c3, collect(DISTINCT g.node2) AS n3
}
CALL (q1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2), size(q3), size(q4)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown], q4[..$shown]] AS steps, [[q1[..1000]], [covalues3], [size(q2) = 0 OR size(reduce(some = [], n IN [e IN m3 WHERE e.num IS NOT NULL | e.num] | CASE WHEN n IN some OR size(some) > 1 THEN some ELSE some + n END)) = 0, size(q2), size(reduce(some = [], n IN [e IN m3 WHERE e.num IS NOT NULL | e.num] | CASE WHEN n IN some OR size(some) > 1 THEN some ELSE some + n END))]] AS notes, [found IN [e3, c3, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['Marie Curie']
// $p4 = ['world\x1femployer']
// $sources = ['world']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
