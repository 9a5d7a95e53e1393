// get_information(relation='spouse', tail_entity='Pierre Curie', key='time', value=get_information(head_entity='Marie Curie', relation='employer', tail_entity='Sorbonne', key='time'))
//
// step 1: search_node(node1='time', condition=['Marie Curie', 'employer', 'Sorbonne'])  [nodes]
// step 2: search_condition(node1='spouse', node2 = 'Pierre Curie', scope=search_condition(node1='time', node2 = step 1))  [nodes]

UNWIND $p3 AS relation
UNWIND $p1 AS head
MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, head)
WHERE f.node2 IN $p2
WITH *
UNWIND $p4 AS key
MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
WITH DISTINCT s ORDER BY s.first
WITH collect(s) AS t1
WITH t1, reduce(seen = [0, t1[0].first - 1], s IN t1 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size1
CALL (t1) {
  UNWIND $p6 AS relation
  UNWIND $p5 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH *
  UNWIND $p7 AS key
  CALL (t1) {
    UNWIND t1 AS each
    WITH DISTINCT each.first AS first, each.last AS last ORDER BY first
    WITH collect({first: first, last: last}) AS sorted
    UNWIND range(0, size(sorted) - 1, 100) AS i
    UNWIND reduce(done = [], each IN sorted[i..i + 100] | CASE WHEN each.first <= done[-1].last + 1 THEN done[..-1] + [{first: done[-1].first, last: CASE WHEN each.last > done[-1].last THEN each.last ELSE done[-1].last END}] ELSE done + [each] END) AS each
    RETURN DISTINCT each.first AS at0, each.last AS until0
  }
  WITH *, at0 AS low, until0 AS high
  WITH * WHERE low <= high
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= high AND p.last >= low AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, p AS s
  RETURN collect(DISTINCT f.head) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (t1, found) {
  UNWIND $p6 AS relation
  UNWIND $p5 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH *
  UNWIND $p7 AS key
  CALL (t1) {
    UNWIND t1 AS each
    WITH DISTINCT each.first AS first, each.last AS last ORDER BY first
    WITH collect({first: first, last: last}) AS sorted
    UNWIND range(0, size(sorted) - 1, 100) AS i
    UNWIND reduce(done = [], each IN sorted[i..i + 100] | CASE WHEN each.first <= done[-1].last + 1 THEN done[..-1] + [{first: done[-1].first, last: CASE WHEN each.last > done[-1].last THEN each.last ELSE done[-1].last END}] ELSE done + [each] END) AS each
    RETURN DISTINCT each.first AS at0, each.last AS until0
  }
  WITH *, at0 AS low, until0 AS high
  WITH * WHERE low <= high
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= high AND p.last >= low AND p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN low > p.first THEN low ELSE p.first END, last: CASE WHEN high < p.last THEN high ELSE p.last END, step: 'day'} AS s
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s, s {.first, .last} AS n2_1 LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e2, collect(DISTINCT n2_1) AS n2_1
}
CALL (n2_1) {
  UNWIND n2_1 AS each
  WITH DISTINCT each.first AS first, each.last AS last ORDER BY first
  WITH collect({first: first, last: last}) AS sorted
  UNWIND range(0, size(sorted) - 1, 100) AS i
  UNWIND reduce(done = [], each IN sorted[i..i + 100] | CASE WHEN each.first <= done[-1].last + 1 THEN done[..-1] + [{first: done[-1].first, last: CASE WHEN each.last > done[-1].last THEN each.last ELSE done[-1].last END}] ELSE done + [each] END) AS each
  RETURN collect(each) AS w1
}
CALL (w1) {
  UNWIND $p3 AS relation
  UNWIND $p1 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE f.node2 IN $p2
  WITH *
  UNWIND $p4 AS key
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
  UNWIND w1 AS among
  WITH * WHERE s.first <= among.last AND s.last >= among.first
  WITH DISTINCT f, s {.*, first: CASE WHEN s.first > among.first THEN s.first ELSE among.first END, last: CASE WHEN s.last < among.last THEN s.last ELSE among.last END} AS s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size1, size(q2)] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], q2[..$shown]] AS steps, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['Marie Curie']
// $p2 = ['Sorbonne']
// $p3 = ['world\x1femployer']
// $p4 = ['world\x1ftime']
// $p5 = ['Pierre Curie']
// $p6 = ['world\x1fspouse']
// $p7 = ['world\x1ftime']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
