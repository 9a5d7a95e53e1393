// get_information(head_entity='Marie Curie', key='time', value='1900')
//
// step 1: search_condition(node1='time', node2 = 1900, condition=['Marie Curie', ?, ?])  [facts]

UNWIND $p1 AS key
UNWIND $p2 AS head
MATCH (k)-[p:CG_PERIOD {node1: key, head: head}]->()
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE p.first <= $p4 AND p.last >= $p3
WITH *, p AS s
WITH collect(DISTINCT s.condition) AS q1
CALL (q1) {
  UNWIND q1 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p1 AS key
  UNWIND $p2 AS head
  MATCH (k)-[p:CG_PERIOD {node1: key, head: head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= $p4 AND p.last >= $p3
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN $p3 > p.first THEN $p3 ELSE p.first END, last: CASE WHEN $p4 < p.last THEN $p4 ELSE p.last END, step: 'year'} AS s
  WITH * WHERE s.condition IN found
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['world\x1ftime']
// $p2 = ['Marie Curie']
// $p3 = 1900
// $p4 = 1900
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
