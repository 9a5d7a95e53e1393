// get_information(key='time')
// get_information(relation='spouse', key='start_time', value>'output_of_query1')
//
// step 1: search_node(node1='time')  [nodes]
// step 2: search_condition(node1='spouse', scope=search_condition(node1='start time', node2 > step 1))  [nodes]

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
  CALL (t1) {
    UNWIND t1 AS s
    WITH min(s.first) AS first, max(s.last) AS last
    WITH toFloat(first) AS first, toFloat(last) AS last WHERE first IS NOT NULL AND last IS NOT NULL
    RETURN first AS low1, last AS high1
  }
  UNWIND $p3 AS key
  UNWIND $p2 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.num > low1
  RETURN collect(DISTINCT s.head) AS q2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (t1, found) {
  CALL (t1) {
    UNWIND t1 AS s
    WITH min(s.first) AS first, max(s.last) AS last
    WITH toFloat(first) AS first, toFloat(last) AS last WHERE first IS NOT NULL AND last IS NOT NULL
    RETURN first AS low1, last AS high1
  }
  UNWIND $p3 AS key
  UNWIND $p2 AS relation_name
  MATCH (k)-[s:CG_VALUE {node1: key, relation: relation_name}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, relation, num)
  WHERE s.num > low1
  WITH *
  UNWIND $p4 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e2
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
RETURN answer, [size1, size(q2)] AS sizes, [[s IN t1[..$shown] | [s.first, s.last]], q2[..$shown]] AS steps, [[size(q2) > 0 AND (size(t1) = 0)]] AS notes, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['world\x1ftime']
// $p2 = ['spouse']
// $p3 = ['world\x1fstart time']
// $p4 = ['world\x1fspouse']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
