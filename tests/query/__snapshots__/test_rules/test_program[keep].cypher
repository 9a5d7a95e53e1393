// get_information(key='time')
// min(set='output_of_query1')
// keep(set='output_of_query1', value>'output_of_query2', value<1950)
//
// step 1: search_node(node1='time')  [nodes]
// step 2: min(step 1)  [nodes]
// step 3: keep(step 1, value > step 2 and value < 1950)  [nodes]

CALL () {
  UNWIND $p1 AS key
  MATCH (k)-[s:VALUE {node1: key}]->(v)
  USING INDEX SEEK s:VALUE(node1, node2)
  WHERE size(s.condition) = 3 AND s.node2 IS NOT NULL
  RETURN collect(DISTINCT s.node2) AS q1
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:Node {key: x})
  WITH *, n.num AS number
  WITH x, number WHERE number IS NOT NULL
  WITH x ORDER BY number ASC, x LIMIT 1
  RETURN collect(x) AS q2
}
CALL (q2, q1) {
  CALL (q2) {
    UNWIND q2 AS x
    MATCH (n:Node {key: x})
    WITH n.num AS number
    RETURN min(number) AS low2, max(number) AS high2
  }
  UNWIND q1 AS x
  MATCH (n:Node {key: x})
  WITH *, n.num AS number
  WITH x WHERE number > low2 AND number < $p2
  RETURN collect(x) AS q3
}
CALL (q3) {
  UNWIND q3 AS x
  MATCH (n:Node {key: x})
  WITH x, n.name AS name, n.num AS number ORDER BY number, name LIMIT $limit
  RETURN collect(name) AS answer, collect(x) AS found
}
CALL (q1) {
  UNWIND $p1 AS key
  MATCH (k)-[s:VALUE {node1: key}]->(v)
  USING INDEX SEEK s:VALUE(node1, node2)
  WHERE size(s.condition) = 3 AND s.node2 IS NOT NULL
  WITH * WHERE s.node2 IN q1
  WITH DISTINCT s LIMIT $evidence_limit
  RETURN collect(DISTINCT s) AS e1
}
CALL (e1) {
  UNWIND range(0, 0) AS i
  UNWIND [e1][i] AS e
  WITH e, min(i) AS rank
  RETURN collect({rank: rank, node1: startNode(e).name, node2: endNode(e).name,
    condition: coalesce(e.condition, []), source: e.source, id: elementId(e)}) AS evidence
}
CALL () {
  UNWIND $sources AS source
  MATCH (s:Source {name: source, state: 'ready'})
  RETURN count(s) = size($sources) AS still_ready
}
RETURN answer, size(q3) AS total, [size(q1), size(q2), size(q3)] AS sizes, [q1[..$shown], q2[..$shown], q3[..$shown]] AS steps, evidence AS evidence, still_ready

// $p1 = ['world\x1ftime']
// $p2 = 1950.0
// $evidence_limit = 1000
// $sources = ['world']
// $limit = 10000
// $shown = 20
