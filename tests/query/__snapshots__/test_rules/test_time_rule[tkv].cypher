// get_information(tail_entity='Pierre Curie', key='time', value='1900')
//
// step 1: search_condition(node1=any, node2 = 'Pierre Curie', scope=search_condition(node1='time', node2 = 1900))  [nodes]

CALL () {
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
  WHERE size(f.condition) = 1
  WITH *
  UNWIND $p4 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name] AND s.num >= $p2 AND s.num <= $p3
  RETURN collect(DISTINCT f.head) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
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
  WHERE size(f.condition) = 1
  WITH *
  UNWIND $p4 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: f.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = f.source AND s.condition[..3] = f.condition + [r.name, t.name] AND s.num >= $p2 AND s.num <= $p3
  WITH * WHERE f.head IN found
  WITH DISTINCT f, s LIMIT $evidence_limit
  RETURN collect(DISTINCT f) + collect(DISTINCT s) AS e1
}
CALL (e1) {
  UNWIND range(0, 0) AS i
  UNWIND [e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q1) AS total, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [] AS notes, evidence AS evidence, as_mapped

// $relations = ['world\x1femployer', 'world\x1fspouse']
// $p1 = ['Pierre Curie']
// $p2 = 1900.0
// $p3 = 1900.9972602739726
// $p4 = ['world\x1ftime']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
