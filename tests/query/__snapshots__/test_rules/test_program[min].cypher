// min(set=get_information(relation='spouse', key='time'))
//
// step 1: search_node(node1='time', condition=[?, 'spouse', ?])  [nodes]
// step 2: min(step 1)  [nodes]

UNWIND $p2 AS key
UNWIND $p1 AS relation_name
CALL (key, relation_name) {
  MATCH (k)-[p:CG_PERIOD {node1: key, relation: relation_name}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, relation, level, first)
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
CALL (t2, size2) {
  CALL (t2, size2) {
    UNWIND CASE WHEN size2 > $limit THEN t2 ELSE [] END AS s
    UNWIND range(s.first, s.last) AS place
    WITH DISTINCT place ORDER BY place
    RETURN collect(place)[$limit - 1] AS last
  }
  WITH [s IN t2 WHERE last IS NULL OR s.first <= last | {first: s.first, last: CASE WHEN s.last > last THEN last ELSE s.last END}] AS found
  RETURN [s IN found | [s.first, s.last]] AS answer, found
}
CALL () {
  UNWIND $p2 AS key
  UNWIND $p1 AS relation_name
  CALL (key, relation_name) {
    MATCH (k)-[p:CG_PERIOD {node1: key, relation: relation_name}]->()
    USING INDEX SEEK p:CG_PERIOD(node1, relation, level, first)
    WHERE p.level IS NOT NULL AND p.first IS NOT NULL
    RETURN k, p
  }
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'year'} AS s
  WITH *
  UNWIND $p3 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size1, size2] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], [s IN t2[..$shown] | [s.first, s.last]]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['spouse']
// $p2 = ['world\x1ftime']
// $p3 = ['world\x1fspouse']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
