// longest_run(set=get_information(relation='Team', tail_entity='Ajax'))
//
// step 1: search_condition(node1='Team', node2 = 'Ajax')  [rows]
// step 2: longest_run(step 1)  [rows]

UNWIND $p2 AS relation
UNWIND $p1 AS tail
MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WITH collect(DISTINCT f.head) AS q1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.source AS source, n.num AS place ORDER BY source, place
  WITH source, collect(x) AS xs, collect(place) AS places
  CALL (source, places) {
    UNWIND range(1, size(places) - 1) AS rank
    WITH rank, source + $separator + $p3 AS relation, places[rank - 1] AS before, places[rank] AS after
    CALL (relation, before, after) {
      MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
      USING INDEX SEEK f:CG_VALUE(node1, num)
      WHERE f.num > before AND f.num < after AND size(f.condition) = 1
      RETURN f LIMIT 1
    }
    WITH rank ORDER BY rank
    RETURN [0] + collect(rank) AS starts
  }
  UNWIND range(0, size(starts) - 1) AS i
  WITH source, starts[i] AS run, xs[starts[i]..coalesce(starts[i + 1], size(xs))] AS xs ORDER BY source, run
  WITH collect(xs) AS runs, max(size(xs)) AS longest
  WITH [xs IN runs WHERE size(xs) = longest] AS longest
  WITH coalesce(longest[0], []) AS q2, size(longest[1..]) AS tied2
  RETURN q2, tied2
}
CALL (q2) {
  UNWIND q2 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.source AS source, n.num AS number ORDER BY source, number, name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.source AS source, n.num AS place ORDER BY source, place
  WITH source, collect(x) AS xs, collect(place) AS places
  UNWIND range(1, size(places) - 1) AS rank
  WITH rank, source + $separator + $p3 AS relation, places[rank - 1] AS before, places[rank] AS after
  CALL (relation, before, after) {
    MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
    USING INDEX SEEK f:CG_VALUE(node1, num)
    WHERE f.num > before AND f.num < after AND size(f.condition) = 1
    RETURN f LIMIT 1
  }
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(f) AS e2
}
CALL (q1) {
  UNWIND $p2 AS relation
  UNWIND $p1 AS tail
  MATCH (r)-[f:CG_VALUE {node1: relation, node2: tail}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WITH * WHERE f.head IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [[tied2]] AS notes, [found IN [e2, e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['Ajax']
// $p2 = ['world\x1fTeam']
// $separator = '\x1f'
// $p3 = 'row_number'
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
