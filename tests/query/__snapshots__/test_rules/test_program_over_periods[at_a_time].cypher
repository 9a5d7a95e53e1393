// get_information(relation='spouse', tail_entity='Pierre Curie', key='time', value='1900-04')
//
// step 1: search_condition(node1='spouse', node2 = 'Pierre Curie', scope=search_condition(node1='time', node2 = 1900-04))  [nodes]

CALL () {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  WITH *
  UNWIND $p3 AS key
  WITH *, $p4 AS low, $p5 AS high
  WITH * WHERE low <= high
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= high AND p.last >= low
  WITH *
  WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN low > p.first THEN low ELSE p.first END, last: CASE WHEN high < p.last THEN high ELSE p.last END, step: 'day'} AS s
  RETURN collect(DISTINCT f.head) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  OPTIONAL MATCH (stored:CgNode {key: x})
  USING INDEX SEEK stored:CgNode(key)
  WITH *, CASE WHEN stored IS NULL THEN toStringOrNull(x) END AS time
  WITH *, split(time, 'T')[0] AS on_day
  WITH *, CASE WHEN time =~ '-?[0-9]{4}-(0[1-9]|1[0-2])' THEN localdatetime(time + '-01') WHEN time =~ '-?[0-9]{4}-(0[1-9]|1[0-2])-[0-9]{2}(T([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?)?' THEN localdatetime(left(on_day, size(on_day) - 2) + '01' + substring(time, size(on_day))) + duration({days: toInteger(right(on_day, 2)) - 1}) END AS begins
  WITH *, CASE WHEN stored IS NOT NULL THEN properties(stored) WHEN begins IS NULL THEN {key: x, name: x, num: toFloat(time)} ELSE {key: x, name: x, num: begins.year + (begins.ordinalDay - 1) / toFloat(date({year: begins.year, month: 12, day: 31}).ordinalDay) + (begins.hour * 3600 + begins.minute * 60 + begins.second) / 86400.0 / date({year: begins.year, month: 12, day: 31}).ordinalDay} END AS n
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE size(f.condition) = 1
  WITH *
  UNWIND $p3 AS key
  WITH *, $p4 AS low, $p5 AS high
  WITH * WHERE low <= high
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.first <= high AND p.last >= low
  WITH *
  WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN low > p.first THEN low ELSE p.first END, last: CASE WHEN high < p.last THEN high ELSE p.last END, step: 'day'} AS s
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
CALL (e1) {
  UNWIND range(0, 0) AS i
  UNWIND [e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source,
    CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q1) AS total, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [] AS notes, evidence AS evidence, as_mapped

// $p1 = ['Pierre Curie']
// $p2 = ['world\x1fspouse']
// $p3 = ['world\x1ftime']
// $p4 = 693991
// $p5 = 694020
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
