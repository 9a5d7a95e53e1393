// sum(set=get_information(relation='spouse', key='time'))
//
// step 1: search_node(node1='time', condition=[?, 'spouse', ?])  [nodes]
// step 2: sum(step 1)  [numbers]

UNWIND $p2 AS key
UNWIND $p1 AS relation_name
CALL (key, relation_name) {
  MATCH (k)-[p:CG_PERIOD {node1: key, relation: relation_name}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, relation, level, first)
  WHERE p.level IS NOT NULL AND p.first IS NOT NULL
  RETURN k, p
}
UNWIND range(p.first, p.last) AS place
WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), node2: toString(place), num: toFloat(place)} AS s
WITH collect(DISTINCT s.node2) AS q1, collect(DISTINCT s) AS m1
CALL (m1) {
  UNWIND m1 AS e
  WITH *, coalesce(e.node2, e.key) AS x, e.num AS number
  WITH DISTINCT x, number, CASE WHEN e.node1 IN $p3 THEN 0 ELSE e END AS counted
  WITH sum(number) AS of_all
  RETURN [x IN [of_all] WHERE abs(x) <= 1.7976931348623157e308] AS q2
}
CALL (q1) {
  UNWIND $p2 AS key
  UNWIND $p1 AS relation_name
  CALL (key, relation_name) {
    MATCH (k)-[p:CG_PERIOD {node1: key, relation: relation_name}]->()
    USING INDEX SEEK p:CG_PERIOD(node1, relation, level, first)
    WHERE p.level IS NOT NULL AND p.first IS NOT NULL
    RETURN k, p
  }
  UNWIND range(p.first, p.last) AS place
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), node2: toString(place), num: toFloat(place)} AS s
  WITH *
  UNWIND $p4 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH * WHERE s.node2 IN q1
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN q2 AS answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [[unread IN [[e IN m1 WHERE e.num IS NULL | [coalesce(e.node2, e.key), e.node1]]] | [size(unread), size(m1), unread[..20]]][0]] AS notes, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['spouse']
// $p2 = ['world\x1ftime']
// $p3 = ['world\x1ftime']
// $p4 = ['world\x1fspouse']
// $any = None
// $evidence_limit = 1000
// $shown = 20
