// mean(keep(get_information(relation='spouse', tail_entity='Pierre Curie', key='time'), value>'1900-04-19'))
//
// step 1: search_node(node1='time', condition=[?, 'spouse', 'Pierre Curie'])  [nodes]
// step 2: keep(step 1, value > 1900-04-19)  [nodes]
// step 3: mean(step 2)  [numbers]

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
  WITH * WHERE s.last >= $p4
  WITH s {.*, first: CASE WHEN s.first > $p4 THEN s.first ELSE $p4 END} AS s
  UNWIND range(s.first, s.last) AS place
  WITH *, date({year: 0, month: 3, day: 1}) + duration({days: place}) AS day
  WITH *, {node1: s.node1, condition: s.condition, head: s.head, relation: s.relation, source: s.source, name1: s.name1, period: s.period, node2: replace(toString(day), '+', ''), num: day.year + (day.ordinalDay - 1) / toFloat(date({year: day.year, month: 12, day: 31}).ordinalDay)} AS e
  RETURN collect(DISTINCT e.node2) AS q2, collect(DISTINCT e) AS m2
}
CALL (m2) {
  UNWIND m2 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH DISTINCT x, number, CASE WHEN e.node1 IN $p5 THEN 0 ELSE e END AS counted
  WITH avg(number) AS of_all
  RETURN [x IN [of_all] WHERE abs(x) <= 1.7976931348623157e308] AS q3
}
CALL (q2) {
  CALL (q2) {
    UNWIND q2 AS name
    WITH name AS name WHERE name =~ '-?[0-9]{4,8}-[0-9]{2}-[0-9]{2}'
    WITH name, CASE WHEN left(name, 1) = '-' THEN substring(name, 1) ELSE name END AS digits
    WITH name, split(digits, '-') AS parts, CASE WHEN name = digits THEN 1 ELSE -1 END AS sign
    WITH name, sign * toInteger(parts[0]) AS year, toInteger(parts[1]) AS month, coalesce(parts[2], '') AS rest
    WITH * WHERE 1 <= month <= 12
    WITH name, rest, (month + 9) % 12 AS month, year - CASE WHEN month <= 2 THEN 1 ELSE 0 END AS year
    WITH name, rest, 365 * year + toInteger(floor(year / 4.0) - floor(year / 100.0) + floor(year / 400.0)) + (153 * month + 2) / 5 + toInteger(left(rest, 2)) - 1 AS place
    WITH name, place, date({year: 0, month: 3, day: 1}) + duration({days: place}) AS day
    WITH place WHERE replace(toString(day), '+', '') = name
    WITH DISTINCT place
    WITH place ORDER BY place
    WITH collect(place) AS places
    WITH places, [i IN range(0, size(places) - 1) WHERE i = 0 OR places[i - 1] < places[i] - 1] AS begins, [i IN range(0, size(places) - 1) WHERE i = size(places) - 1 OR places[i + 1] > places[i] + 1] AS ends
    UNWIND range(0, size(begins) - 1) AS i
    WITH {first: places[begins[i]], last: places[ends[i]]} AS each
    RETURN collect(each) AS named
  }
  UNWIND named AS each
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
RETURN q3 AS answer, [size1, size(q2), size(q3)] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], q2[..$shown], q3[..$shown]] AS steps, [[unread IN [[e IN m2 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m2), unread[..20]]][0]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['world\x1ftime']
// $p4 = 694010
// $p5 = ['world\x1ftime']
// $any = None
// $evidence_limit = 1000
// $shown = 20
