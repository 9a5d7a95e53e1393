// get_information(key='time')
// min(set='output_of_query1')
// keep(set='output_of_query1', value>'output_of_query2', value<1950)
//
// step 1: search_node(node1='time')  [nodes]
// step 2: min(step 1)  [nodes]
// step 3: keep(step 1, value > step 2 and value < 1950)  [nodes]

UNWIND $p1 AS key
CALL (key) {
  MATCH (k)-[p:CG_PERIOD {node1: key}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, level, first)
  WHERE p.level IS NOT NULL AND p.first IS NOT NULL
  RETURN k, p
}
WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'year'} AS s
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
CALL (t2, t1) {
  CALL (t2) {
    UNWIND t2 AS s
    WITH min(s.first) AS first, max(s.last) AS last
    WITH toFloat(first) AS first, toFloat(last) AS last WHERE first IS NOT NULL AND last IS NOT NULL
    RETURN first AS low2, last AS high2
  }
  CALL (low2) {
    WITH toFloat(low2) AS place WHERE place IS NOT NULL
    RETURN toInteger(floor(place)) + 1 AS at0
  }
  WITH *, at0 AS low, $p2 AS high
  WITH * WHERE low <= high
  UNWIND t1 AS s
  WITH * WHERE s.last >= low AND s.first <= high
  WITH s {.*, first: CASE WHEN s.first > low THEN s.first ELSE low END, last: CASE WHEN s.last < high THEN s.last ELSE high END} AS s
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
  UNWIND $p1 AS key
  CALL (key) {
    MATCH (k)-[p:CG_PERIOD {node1: key}]->()
    USING INDEX SEEK p:CG_PERIOD(node1, level, first)
    WHERE p.level IS NOT NULL AND p.first IS NOT NULL
    RETURN k, p
  }
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'year'} AS s
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size1, size2, size3] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], [s IN t2[..$shown] | [s.first, s.last]], [s IN t3[..$shown] | [s.first, s.last]]] AS steps, [[size(t3) > 0 AND (size(t2) = 0)]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['world\x1ftime']
// $p2 = 1949
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
