// set_negation(set=get_information(key='time', value='1900'))
//
// step 1: search_condition(node1='time', node2 = 1900)  [facts]
// step 2: set_negation(step 1)  [facts]

UNWIND $p1 AS key
CALL (key) {
  UNWIND range(0, 21) AS level
  MATCH (k)-[p:CG_PERIOD {node1: key, level: level}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, level, first)
  WHERE p.first > $p2 - toInteger(4 ^ level) AND p.last >= $p2 AND p.first <= $p3
  RETURN k, p
}
WITH *, p AS s
WITH collect(DISTINCT s.condition) AS q1
CALL (q1) {
  UNWIND $relations AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1 AND f.node2 IS NOT NULL
  WITH DISTINCT f.condition + [r.name, t.name] AS x
  WHERE NOT x IN q1
  RETURN collect(x) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND found AS x
  WITH DISTINCT x LIMIT $evidence_limit
  CALL (x) {
    UNWIND $relations AS relation
    MATCH (r)-[f:CG_VALUE {node1: relation, head: x[0]}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, head)
    WHERE size(f.condition) = 1 AND r.name = x[1] AND t.name = x[2]
    RETURN f LIMIT 1
  }
  RETURN collect(f) AS e2
}
CALL (q1) {
  UNWIND $p1 AS key
  CALL (key) {
    UNWIND range(0, 21) AS level
    MATCH (k)-[p:CG_PERIOD {node1: key, level: level}]->()
    USING INDEX SEEK p:CG_PERIOD(node1, level, first)
    WHERE p.first > $p2 - toInteger(4 ^ level) AND p.last >= $p2 AND p.first <= $p3
    RETURN k, p
  }
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN $p2 > p.first THEN $p2 ELSE p.first END, last: CASE WHEN $p3 < p.last THEN $p3 ELSE p.last END, step: 'year'} AS s
  WITH * WHERE s.condition IN q1
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['world\x1ftime']
// $p2 = 1900
// $p3 = 1900
// $relations = ['world\x1femployer', 'world\x1fspouse']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
