// get_information(tail_entity='Pierre Curie', key='time')
//
// step 1: search_node(node1='time', condition=[?, any, 'Pierre Curie'])  [nodes]

UNWIND $p1 AS tail
MATCH (at:CgNode {key: tail})
USING INDEX SEEK at:CgNode(key)
WITH *, COUNT { (at)<-[:CG_VALUE]-() } <= size($relations) AS in_few
CALL (at, in_few) {
  WITH * WHERE in_few
  MATCH (at)<-[few:CG_VALUE]-(own)
  WHERE own.key IN $relations
  RETURN DISTINCT own.key AS relation
  UNION
  WITH * WHERE NOT in_few
  UNWIND $relations AS relation
  RETURN relation
}
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH *
UNWIND $p2 AS key
MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
USING INDEX SEEK p:CG_PERIOD(node1, head)
WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'year'} AS s
WITH DISTINCT s ORDER BY s.first
WITH collect(s) AS t1
WITH t1, reduce(seen = [0, t1[0].first - 1], s IN t1 | CASE WHEN s.last > seen[1] THEN [seen[0] + s.last - CASE WHEN s.first > seen[1] THEN s.first ELSE seen[1] + 1 END + 1, s.last] ELSE seen END)[0] AS size1
CALL (t1, size1) {
  CALL (t1, size1) {
    UNWIND CASE WHEN size1 > $limit THEN t1 ELSE [] END AS s
    UNWIND range(s.first, s.last) AS place
    WITH DISTINCT place ORDER BY place
    RETURN collect(place)[$limit - 1] AS last
  }
  WITH [s IN t1 WHERE last IS NULL OR s.first <= last | {first: s.first, last: CASE WHEN s.last > last THEN last ELSE s.last END}] AS found
  RETURN [s IN found | [s.first, s.last]] AS answer, found
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
  UNWIND $p1 AS tail
  MATCH (at:CgNode {key: tail})
  USING INDEX SEEK at:CgNode(key)
  WITH *, COUNT { (at)<-[:CG_VALUE]-() } <= size($relations) AS in_few
  CALL (at, in_few) {
    WITH * WHERE in_few
    MATCH (at)<-[few:CG_VALUE]-(own)
    WHERE own.key IN $relations
    RETURN DISTINCT own.key AS relation
    UNION
    WITH * WHERE NOT in_few
    UNWIND $relations AS relation
    RETURN relation
  }
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH *
  UNWIND $p2 AS key
  MATCH (k)-[p:CG_PERIOD {node1: key, head: f.head}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, head)
  WHERE p.source = f.source AND p.condition[..3] = f.condition + [r.name, t.name]
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: p.first, last: p.last, step: 'year'} AS s
  UNWIND w1 AS among
  WITH * WHERE s.first <= among.last AND s.last >= among.first
  WITH DISTINCT f, s {.*, first: CASE WHEN s.first > among.first THEN s.first ELSE among.first END, last: CASE WHEN s.last < among.last THEN s.last ELSE among.last END} AS s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size1] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $relations = ['world\x1femployer', 'world\x1fspouse']
// $p1 = ['Pierre Curie']
// $p2 = ['world\x1ftime']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
