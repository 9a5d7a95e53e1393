// get_information(relation='spouse', tail_entity='Pierre Curie', key='time', value='1900')
//
// step 1: search_condition(node1='spouse', node2 = 'Pierre Curie', scope=search_condition(node1='time', node2 = 1900))  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH *
UNWIND $p3 AS key
MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE p.first <= $p5 AND p.last >= $p4 AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
WITH *, p AS s
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH *
  UNWIND $p3 AS key
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= $p5 AND p.last >= $p4 AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN $p4 > p.first THEN $p4 ELSE p.first END, last: CASE WHEN $p5 < p.last THEN $p5 ELSE p.last END, step: 'year'} AS s
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['world\x1ftime']
// $p4 = 1900
// $p5 = 1900
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
