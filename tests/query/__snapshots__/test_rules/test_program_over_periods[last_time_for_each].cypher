// for_each(set=heads(relation='spouse'), value=max(get_information(head_entity=each, key='time')))
//
// step 1: search_condition(node1='spouse')  [nodes]
// step 2: each of step 1  [nodes]
// step 3: search_node(node1='time', condition=[step 2, ?, ?])  [nodes]
// step 4: max(step 3)  [nodes]
// step 5: for_each(step 1, step 4)  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  CALL (x, q1) {
    CALL (x) {
      RETURN [x] AS q2
    }
    CALL (q2) {
      UNWIND $p2 AS key
      UNWIND q2 AS head
      MATCH (k)-[p:CG_PERIOD {node1: key, head: head}]->()
      USING INDEX SEEK p:CG_PERIOD(node1, head)
      WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
      WITH DISTINCT s ORDER BY s.first
      WITH collect(s) AS t3
      RETURN t3, reduce(seen = [0, t3[0].first - 1], s IN t3 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size3
    }
    CALL (t3) {
      UNWIND t3 AS s
      WITH max(s.last) AS extreme
      UNWIND [s IN t3 WHERE s.last = extreme | s {.*, first: extreme, last: extreme}] AS s
      UNWIND range(s.first, s.last) AS place
      WITH *, date({year: 0, month: 3, day: 1}) + duration({days: place}) AS day
      WITH *, {node1: s.node1, condition: s.condition, head: s.head, relation: s.relation, source: s.source, name1: s.name1, period: s.period, node2: replace(toString(day), '+', ''), num: day.year + (day.ordinalDay - 1) / toFloat(date({year: day.year, month: 12, day: 31}).ordinalDay)} AS e
      RETURN collect(DISTINCT e.node2) AS q4, collect(DISTINCT e) AS m4
    }
    UNWIND [e IN m4 | [toFloat(e.num), coalesce(e.node2, e.name), e.node1]] AS pair
    WITH pair[0] AS number, min(pair[1]) AS text WHERE number IS NOT NULL
    RETURN collect([number, text]) AS numbers
  }
  WITH x, numbers[0][0] AS number, numbers[0][1] AS text, numbers WHERE size(numbers) = 1
  WITH x, number, text WHERE abs(number) <= 1.7976931348623157e308
  WITH collect({key: x, num: number, text: text}) AS g5
  RETURN [e IN g5 | e.key] AS q5, g5
}
CALL (g5) {
  UNWIND g5 AS e
  WITH e.key AS x, e
  OPTIONAL MATCH (stored:CgNode {key: x})
  USING INDEX SEEK stored:CgNode(key)
  WITH *, CASE WHEN stored IS NULL THEN toStringOrNull(x) END AS time
  WITH *, CASE WHEN time STARTS WITH '-' THEN time ELSE '+' + time END AS signed
  WITH *, split(signed, 'T')[0] AS on_day
  WITH *, CASE WHEN time =~ '-?[0-9]{4,8}-(0[1-9]|1[0-2])' THEN localdatetime(signed + '-01') WHEN time =~ '-?[0-9]{4,8}-(0[1-9]|1[0-2])-[0-9]{2}(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?' THEN localdatetime(left(on_day, size(on_day) - 2) + '01' + substring(signed, size(on_day))) + duration({days: toInteger(right(on_day, 2)) - 1}) END AS begins
  WITH *, CASE WHEN stored IS NOT NULL THEN properties(stored) WHEN begins IS NULL THEN {key: x, name: x, num: toFloat(time)} ELSE {key: x, name: x, num: begins.year + (begins.ordinalDay - 1) / toFloat(date({year: begins.year, month: 12, day: 31}).ordinalDay) + (begins.hour * 3600 + begins.minute * 60 + begins.second) / 86400.0 / date({year: begins.year, month: 12, day: 31}).ordinalDay} END AS n
  WITH x, n.name AS name, [e.num, e.text] AS number ORDER BY n.num, n.name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found, collect(number)[..$limit] AS numbers
}
CALL (q1, found) {
  UNWIND q1 AS x
  WITH * WHERE x IN found
  CALL (x, q1) {
    CALL (x) {
      RETURN [x] AS q2
    }
    CALL (q2) {
      UNWIND $p2 AS key
      UNWIND q2 AS head
      MATCH (k)-[p:CG_PERIOD {node1: key, head: head}]->()
      USING INDEX SEEK p:CG_PERIOD(node1, head)
      WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
      WITH DISTINCT s ORDER BY s.first
      WITH collect(s) AS t3
      RETURN t3, reduce(seen = [0, t3[0].first - 1], s IN t3 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size3
    }
    CALL (t3) {
      UNWIND t3 AS s
      WITH max(s.last) AS extreme
      UNWIND [s IN t3 WHERE s.last = extreme | s {.*, first: extreme, last: extreme}] AS s
      UNWIND range(s.first, s.last) AS place
      WITH *, date({year: 0, month: 3, day: 1}) + duration({days: place}) AS day
      WITH *, {node1: s.node1, condition: s.condition, head: s.head, relation: s.relation, source: s.source, name1: s.name1, period: s.period, node2: replace(toString(day), '+', ''), num: day.year + (day.ordinalDay - 1) / toFloat(date({year: day.year, month: 12, day: 31}).ordinalDay)} AS e
      RETURN collect(DISTINCT e.node2) AS q4, collect(DISTINCT e) AS m4
    }
    CALL (q2) {
      UNWIND $p2 AS key
      UNWIND q2 AS head
      MATCH (k)-[p:CG_PERIOD {node1: key, head: head}]->()
      USING INDEX SEEK p:CG_PERIOD(node1, head)
      WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'day'} AS s
      WITH DISTINCT s, s.head AS n3_1 LIMIT $evidence_limit
      RETURN collect(DISTINCT s) AS e3, collect(DISTINCT n3_1) AS n3_1
    }
    RETURN e3 AS triples
  }
  WITH * LIMIT $evidence_limit
  WITH collect(triples) AS all, collect(x) AS n5
  CALL (all) {
    UNWIND all AS triples
    UNWIND triples AS f
    WITH DISTINCT f LIMIT $evidence_limit
    RETURN collect(f) AS e5
  }
  RETURN e5, n5
}
CALL (n5) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.head IN n5
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, numbers, [size(q1), -1, -1, -1, size(q5)] AS sizes, [q1[..$shown], [], [], [], q5[..$shown]] AS steps, [[size(q1) - size(q5), size(q1)]] AS notes, [found IN [e5, e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $p2 = ['world\x1ftime']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
