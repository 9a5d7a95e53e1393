// get_information(relation='spouse', key='time', value='1900', where_key='as', where_value='5')
//
// step 1: search_condition(node1='spouse', scope=search_condition(node1='time', node2 = 1900, further=search_condition(node1='as', node2 = 5)))  [nodes]

UNWIND $p2 AS key
UNWIND $p1 AS relation_name
CALL (key, relation_name) {
  UNWIND range(0, 21) AS level
  MATCH (k)-[p:CG_PERIOD {node1: key, relation: relation_name, level: level}]->()
  USING INDEX SEEK p:CG_PERIOD(node1, relation, level, first)
  WHERE p.first > $p3 - toInteger(4 ^ level) AND p.last >= $p3 AND p.first <= $p4
  RETURN k, p
}
WITH *, p AS s
WITH *
UNWIND $p7 AS other_key
MATCH (other_k)-[other:CG_VALUE {node1: other_key, head: s.head}]->(other_v)
USING INDEX SEEK other:CG_VALUE(node1, head)
WHERE other.source = s.source AND other.condition = s.condition AND other.num >= $p5 AND other.num <= $p6
WITH collect(DISTINCT s.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS key
  UNWIND $p1 AS relation_name
  CALL (key, relation_name) {
    UNWIND range(0, 21) AS level
    MATCH (k)-[p:CG_PERIOD {node1: key, relation: relation_name, level: level}]->()
    USING INDEX SEEK p:CG_PERIOD(node1, relation, level, first)
    WHERE p.first > $p3 - toInteger(4 ^ level) AND p.last >= $p3 AND p.first <= $p4
    RETURN k, p
  }
  WITH *, {node1: p.node1, condition: p.condition, head: p.head, relation: p.relation, source: p.source, name1: k.name, period: elementId(p), first: CASE WHEN $p3 > p.first THEN $p3 ELSE p.first END, last: CASE WHEN $p4 < p.last THEN $p4 ELSE p.last END, step: 'year'} AS s
  WITH *
  UNWIND $p8 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation, head: s.head}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name]
  WITH *
  UNWIND $p7 AS other_key
  MATCH (other_k)-[other:CG_VALUE {node1: other_key, head: s.head}]->(other_v)
  USING INDEX SEEK other:CG_VALUE(node1, head)
  WHERE other.source = s.source AND other.condition = s.condition AND other.num >= $p5 AND other.num <= $p6
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s, other LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) + collect(DISTINCT other) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), CASE WHEN e.period IS NULL THEN startNode(coalesce($any, e)).name ELSE e.name1 END, CASE WHEN e.first IS NULL THEN CASE WHEN e.period IS NULL THEN endNode(coalesce($any, e)).name ELSE e.node2 END ELSE [e.first, e.last, e.step] END, e.source, CASE WHEN e.period IS NULL THEN elementId(coalesce($any, e)) ELSE e.period END]]] AS evidence, graph.version AS version

// $p1 = ['spouse']
// $p2 = ['world\x1ftime']
// $p3 = 1900
// $p4 = 1900
// $p5 = 5.0
// $p6 = 5.0
// $p7 = ['world\x1fas']
// $p8 = ['world\x1fspouse']
// $any = None
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
