// get_information(relation='spouse', tail_entity='Pierre Curie', key='time', value=min(get_information(relation='spouse', tail_entity='Pierre Curie', key='time')))
//
// step 1: search_node(node1='time', condition=[?, 'spouse', 'Pierre Curie'])  [nodes]
// step 2: min(step 1)  [nodes]
// step 3: search_condition(node1='spouse', node2 = 'Pierre Curie', scope=search_condition(node1='time', node2 = step 2))  [nodes]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH *
UNWIND $p3 AS key
MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
WITH DISTINCT s ORDER BY s.first
WITH collect(s) AS t1
WITH t1, reduce(seen = [0, t1[0].first - 1], s IN t1 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size1
CALL (t1) {
  UNWIND t1 AS s
  WITH min(s.first) AS extreme
  UNWIND [s IN t1 WHERE s.first = extreme | s {.*, first: extreme, last: extreme}] AS s
  WITH DISTINCT s ORDER BY s.first
  WITH collect(s) AS t2
  RETURN t2, reduce(seen = [0, t2[0].first - 1], s IN t2 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size2
}
CALL (t2) {
  UNWIND $p5 AS relation
  UNWIND $p4 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH *
  UNWIND $p6 AS key
  CALL (t2) {
    UNWIND t2 AS each
    RETURN DISTINCT each.first AS at0, each.last AS until0
  }
  WITH *, at0 AS low, until0 AS high
  WITH * WHERE low <= high
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= high AND p.last >= low AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, p AS s
  RETURN collect(DISTINCT f.head) AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (t2, found) {
  UNWIND $p5 AS relation
  UNWIND $p4 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH *
  UNWIND $p6 AS key
  CALL (t2) {
    UNWIND t2 AS each
    RETURN DISTINCT each.first AS at0, each.last AS until0
  }
  WITH *, at0 AS low, until0 AS high
  WITH * WHERE low <= high
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= high AND p.last >= low AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN low > p.first THEN low ELSE p.first END, last: CASE WHEN high < p.last THEN high ELSE p.last END, step: 'day'} AS s
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s, s {.first, .last} AS n3_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e3, collect(DISTINCT n3_1) AS n3_1
}
CALL () {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH *
  UNWIND $p3 AS key
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size1, size2, size(q3)] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], [s IN t2[..$shown] | [s.first, s.last]], q3[..$shown]] AS steps, [found IN [e3, e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['world\x1ftime']
// $p4 = ['Pierre Curie']
// $p5 = ['world\x1fspouse']
// $p6 = ['world\x1ftime']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
