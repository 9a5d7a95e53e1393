// get_information(relation='spouse', tail_entity>='5')
//
// step 1: search_condition(node1='spouse', node2 >= 5)  [nodes]

CALL () {
  UNWIND $p2 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, num)
  WHERE size(f.condition) = 1 AND f.num >= $p1
  RETURN collect(DISTINCT f.head) AS q1
}
CALL () {
  UNWIND $p2 AS relation
  CALL (relation) {
    MATCH ()-[v:CG_VALUE {node1: relation}]->()
    USING INDEX SEEK v:CG_VALUE(node1, node2)
    WHERE v.node2 IS NOT NULL
    RETURN v ORDER BY v.node1 DESC, v.node2 DESC LIMIT 1000
  }
  WITH collect(v) AS looked
  WITH looked, [v IN looked WHERE v.num IS NULL AND size(v.condition) = 1 | [v.node2, v.node1]] AS unread
  RETURN [size(unread), size(looked), unread[..20]] AS unread1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, num)
  WHERE size(f.condition) = 1 AND f.num >= $p1
  WITH * WHERE f.head IN found
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
CALL (e1) {
  UNWIND range(0, 0) AS i
  UNWIND [e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect([rank, coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source,
    elementId(e)]) AS evidence
}
// as_mapped: see cgstore/cypher/freshness.py
RETURN answer, size(q1) AS total, [size(q1)] AS sizes, [q1[..$shown]] AS steps, [[0, 'compared', unread1[0], unread1[1], unread1[2]]] AS notes, evidence AS evidence, as_mapped

// $p1 = 5.0
// $p2 = ['world\x1fspouse']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
