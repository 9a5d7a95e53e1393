// get_information(key='as', where_key='for', where_value>'5')
//
// step 1: search_node(node1='as', further=search_condition(node1='for', node2 > 5))  [nodes]

CALL () {
  UNWIND $p2 AS other_key
  MATCH (other_k)-[other:CG_VALUE {node1: other_key}]->(other_v)
  USING INDEX SEEK other:CG_VALUE(node1, num)
  WHERE other.relation IS NOT NULL AND other.num > $p1
  WITH *
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: other.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = other.source AND s.condition = other.condition
  RETURN collect(DISTINCT s.node2) AS q1
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
  WITH looked, [v IN looked WHERE v.num IS NULL AND v.relation IS NOT NULL | [v.node2, v.node1]] AS unread
  RETURN [size(unread), size(looked), unread[..20]] AS unread1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (found) {
  UNWIND $p2 AS other_key
  MATCH (other_k)-[other:CG_VALUE {node1: other_key}]->(other_v)
  USING INDEX SEEK other:CG_VALUE(node1, num)
  WHERE other.relation IS NOT NULL AND other.num > $p1
  WITH *
  UNWIND $p3 AS key
  MATCH (k)-[s:CG_VALUE {node1: key, head: other.head}]->(v)
  USING INDEX SEEK s:CG_VALUE(node1, head)
  WHERE s.source = other.source AND s.condition = other.condition
  WITH * WHERE s.node2 IN found
  WITH DISTINCT s, other LIMIT $evidence_limit
  RETURN collect(DISTINCT s) + collect(DISTINCT other) AS e1
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
// $p2 = ['world\x1ffor']
// $p3 = ['world\x1fas']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
// $sources = ['world']
