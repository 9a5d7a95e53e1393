// keep(get_information(relation='spouse', tail_entity='Pierre Curie', key='time'), value>get_information(head_entity='Marie Curie', relation='employer', tail_entity='Sorbonne', key='time'))
//
// step 1: search_node(node1='time', condition=[?, 'spouse', 'Pierre Curie'])  [nodes]
// step 2: search_node(node1='time', condition=['Marie Curie', 'employer', 'Sorbonne'])  [nodes]
// step 3: keep(step 1, value > step 2)  [nodes]

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
CALL () {
  UNWIND $p6 AS relation
  UNWIND $p4 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE f.node2 IN $p5
  WITH *
  UNWIND $p7 AS key
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
  WITH DISTINCT s ORDER BY s.first
  WITH collect(s) AS t2
  RETURN t2, reduce(seen = [0, t2[0].first - 1], s IN t2 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size2
}
CALL (t2, t1) {
  CALL (t2) {
    UNWIND t2 AS s
    WITH min(s.first) AS first, max(s.last) AS last
    WITH first, last WHERE first IS NOT NULL AND last IS NOT NULL
    WITH date({year: 0, month: 3, day: 1}) + duration({days: first}) AS first, date({year: 0, month: 3, day: 1}) + duration({days: last}) AS last
    WITH first.year + (first.ordinalDay - 1) / toFloat(date({year: first.year, month: 12, day: 31}).ordinalDay) AS first, last.year + (last.ordinalDay - 1) / toFloat(date({year: last.year, month: 12, day: 31}).ordinalDay) AS last
    RETURN first AS low2, last AS high2
  }
  CALL (low2) {
    WITH CASE WHEN low2 > 100000000.0 THEN 100000000.0 WHEN low2 < -100000000.0 THEN -100000000.0 ELSE low2 END AS number WHERE low2 IS NOT NULL
    WITH number, toInteger(floor(number)) AS year
    WITH duration.inDays(date({year: 0, month: 3, day: 1}), date({year: year, month: 1, day: 1})).days + (number - year) * date({year: year, month: 12, day: 31}).ordinalDay AS exact
    WITH CASE WHEN abs(exact - round(exact)) < 5e-09 THEN round(exact) ELSE exact END AS place
    RETURN toInteger(floor(place)) + 1 AS at0
  }
  WITH *, at0 AS low
  UNWIND t1 AS s
  WITH * WHERE s.last >= low
  WITH s {.*, first: CASE WHEN s.first > low THEN s.first ELSE low END} AS s
  WITH DISTINCT s ORDER BY s.first
  WITH collect(s) AS t3
  RETURN t3, reduce(seen = [0, t3[0].first - 1], s IN t3 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size3
}
CALL (t3, size3) {
  CALL (t3, size3) {
    UNWIND CASE WHEN size3 > $limit THEN t3 ELSE [] END AS s
    UNWIND range(s.first, s.last) AS place
    WITH DISTINCT place ORDER BY place
    RETURN collect(place)[$limit - 1] AS last
  }
  WITH [s IN t3 WHERE last IS NULL OR s.first <= last | {first: s.first, last: CASE WHEN s.last > last THEN last ELSE s.last END}] AS found
  RETURN [s IN found | [s.first, s.last]] AS answer, found
}
CALL () {
  UNWIND $p6 AS relation
  UNWIND $p4 AS head
  MATCH (r)-[f:CG_VALUE {node1: relation, head: head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE f.node2 IN $p5
  WITH *
  UNWIND $p7 AS key
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e2
}
CALL (found) {
  UNWIND found AS each
  WITH DISTINCT each.first AS first, each.last AS last ORDER BY first
  WITH collect({first: first, last: last}) AS sorted
  UNWIND range(0, size(sorted) - 1, 100) AS i
  UNWIND reduce(done = [], each IN sorted[i..i + 100] | CASE WHEN each.first <= done[-1].last + 1 THEN done[..-1] + [{first: done[-1].first, last: CASE WHEN each.last > done[-1].last THEN each.last ELSE done[-1].last END}] ELSE done + [each] END) AS each
  RETURN collect(each) AS w1
}
CALL (w1) {
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
  UNWIND w1 AS among
  WITH * WHERE s.first <= among.last AND s.last >= among.first
  WITH DISTINCT f, s {.*, first: CASE WHEN s.first > among.first THEN s.first ELSE among.first END, last: CASE WHEN s.last < among.last THEN s.last ELSE among.last END} AS s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size1, size2, size3] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], [s IN t2[..$shown] | [s.first, s.last]], [s IN t3[..$shown] | [s.first, s.last]]] AS steps, [[size(t3) > 0 AND (size(t2) = 0)]] AS notes, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['world\x1ftime']
// $p4 = ['Marie Curie']
// $p5 = ['Sorbonne']
// $p6 = ['world\x1femployer']
// $p7 = ['world\x1ftime']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
