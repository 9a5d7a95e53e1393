// extract_year(set_intersection(get_information(relation='spouse', tail_entity='Pierre Curie', key='time'), get_information(head_entity='Marie Curie', relation='employer', tail_entity='Sorbonne', key='time')))
//
// step 1: search_node(node1='time', condition=[?, 'spouse', 'Pierre Curie'])  [nodes]
// step 2: search_node(node1='time', condition=['Marie Curie', 'employer', 'Sorbonne'])  [nodes]
// step 3: set_intersection(step 1, step 2)  [nodes]
// step 4: extract_year(step 3)  [numbers]

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
CALL (t1, t2) {
  CALL (t1, t2) {
    UNWIND t1 AS s
    CALL (t2) {
      UNWIND t2 AS each
      WITH DISTINCT each.first AS first, each.last AS last ORDER BY first
      WITH collect({first: first, last: last}) AS sorted
      UNWIND range(0, size(sorted) - 1, 100) AS i
      UNWIND reduce(done = [], each IN sorted[i..i + 100] | CASE WHEN each.first <= done[-1].last + 1 THEN done[..-1] + [{first: done[-1].first, last: CASE WHEN each.last > done[-1].last THEN each.last ELSE done[-1].last END}] ELSE done + [each] END) AS each
      RETURN each
    }
    WITH s, each WHERE s.first <= each.last AND s.last >= each.first
    WITH s {.*, first: CASE WHEN s.first > each.first THEN s.first ELSE each.first END, last: CASE WHEN s.last < each.last THEN s.last ELSE each.last END} AS s
    RETURN s
    UNION ALL
    UNWIND t2 AS s
    CALL (t1) {
      UNWIND t1 AS each
      WITH DISTINCT each.first AS first, each.last AS last ORDER BY first
      WITH collect({first: first, last: last}) AS sorted
      UNWIND range(0, size(sorted) - 1, 100) AS i
      UNWIND reduce(done = [], each IN sorted[i..i + 100] | CASE WHEN each.first <= done[-1].last + 1 THEN done[..-1] + [{first: done[-1].first, last: CASE WHEN each.last > done[-1].last THEN each.last ELSE done[-1].last END}] ELSE done + [each] END) AS each
      RETURN each
    }
    WITH s, each WHERE s.first <= each.last AND s.last >= each.first
    WITH s {.*, first: CASE WHEN s.first > each.first THEN s.first ELSE each.first END, last: CASE WHEN s.last < each.last THEN s.last ELSE each.last END} AS s
    RETURN s
  }
  UNWIND range(s.first, s.last) AS place
  WITH *, date({year: 0, month: 3, day: 1}) + duration({days: place}) AS day
  WITH *, {node1: s.node1, condition: s.condition, head: s.head, relation: s.relation, source: s.source, name1: s.name1, period: s.period, node2: replace(toString(day), '+', ''), num: day.year + (day.ordinalDay - 1) / toFloat(date({year: day.year, month: 12, day: 31}).ordinalDay)} AS e
  RETURN collect(DISTINCT e.node2) AS q3, collect(DISTINCT e) AS m3
}
CALL (m3) {
  UNWIND m3 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH number WHERE number IS NOT NULL
  RETURN collect(DISTINCT floor(number)) AS q4
}
CALL (q4) {
  UNWIND q4 AS x
  WITH x, x AS name ORDER BY x
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q3) {
  CALL (q3) {
    UNWIND q3 AS name
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
  RETURN collect(each) AS w2
}
CALL (w2) {
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
  UNWIND w2 AS among
  WITH * WHERE s.first <= among.last AND s.last >= among.first
  WITH DISTINCT f, s {.*, first: CASE WHEN s.first > among.first THEN s.first ELSE among.first END, last: CASE WHEN s.last < among.last THEN s.last ELSE among.last END} AS s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e2
}
CALL (q3) {
  CALL (q3) {
    UNWIND q3 AS name
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
RETURN answer, [size1, size2, size(q3), size(q4)] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], [s IN t2[..$shown] | [s.first, s.last]], q3[..$shown], q4[..$shown]] AS steps, [[unread IN [[e IN m3 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m3), unread[..20]]][0]] AS notes, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

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
