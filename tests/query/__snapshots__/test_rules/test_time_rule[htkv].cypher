// get_information(head_entity='Marie Curie', tail_entity='Pierre Curie', key='time', value='1900')
//
// step 1: search_relation(condition='Marie Curie', node2 = 'Pierre Curie', scope=search_condition(node1='time', node2 = 1900))  [nodes]

UNWIND $p1 AS head
MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)
USING INDEX SEEK at:CgNode(key)
WHERE has.source IN $sources AND own.key IN $relations
WITH *, own.key AS relation
MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, head)
WHERE f.node2 IN $p2
WITH *
UNWIND $p3 AS key
MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE p.first <= $p5 AND p.last >= $p4 AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
WITH *, p AS s
WITH collect(DISTINCT f.node1) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS head
  MATCH (at:CgNode {key: head})-[has:CG_HAS]->(own)
  USING INDEX SEEK at:CgNode(key)
  WHERE has.source IN $sources AND own.key IN $relations
  WITH *, own.key AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE f.node2 IN $p2
  WITH *
  UNWIND $p3 AS key
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= $p5 AND p.last >= $p4 AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN $p4 > p.first THEN $p4 ELSE p.first END, last: CASE WHEN $p5 < p.last THEN $p5 ELSE p.last END, step: 'year'} AS s
  WITH * WHERE f.node1 IN found
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $relations = ['world\x1femployer', 'world\x1fspouse']
// $p1 = ['Marie Curie']
// $sources = ['world']
// $p2 = ['Pierre Curie']
// $p3 = ['world\x1ftime']
// $p4 = 1900
// $p5 = 1900
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
