// group(by='Team', of='Points', function='sum')
//
// step 1: search_condition(node1='Team')  [rows]
// step 2: each of step 1  [rows]
// step 3: search_node(node1='Team', condition=step 2)  [nodes]
// step 4: search_node(node1='Points', condition=step 2)  [nodes]
// step 5: group(step 1, by=step 3, of=step 4, function=sum)  [nodes]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH DISTINCT f.head AS x LIMIT $shown
WITH collect(x) AS q1
CALL () {
  UNWIND $p1 AS of_f
  MATCH ()-[f:CG_VALUE {node1: of_f}]->()
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH DISTINCT f.head AS x, f.node2 AS key
  UNWIND $p2 AS of_g
  OPTIONAL MATCH ()-[g:CG_VALUE {node1: of_g, head: x}]->()
  USING INDEX SEEK g:CG_VALUE(node1, head)
  WITH x, key, CASE WHEN g IS NOT NULL THEN [g.num, g.node2, g.node1] END AS item
  WITH x, key, item, item[0] AS number
  WITH key, collect(DISTINCT x) AS heads, CASE WHEN count(number) > 0 THEN sum(number) END AS number, [] AS items, collect(CASE WHEN number IS NULL THEN item[1..] END) AS unread, sum(CASE WHEN item IS NULL THEN 1 ELSE 0 END) AS missing
  WITH collect({key: key, num: number, text: null}) AS groups, sum(0) AS lost, collect(heads) AS all_heads, sum(CASE WHEN key IS NOT NULL AND number IS NOT NULL THEN missing ELSE 0 END) AS missing, collect(CASE WHEN key IS NOT NULL THEN unread END) AS all
  CALL (all_heads) {
    UNWIND all_heads AS own
    UNWIND own AS x
    RETURN count(DISTINCT x) AS size1
  }
  WITH [e IN groups WHERE e.key IS NOT NULL] AS groups, lost, missing, size1, reduce(some = [], u IN all | some + u) AS unread
  WITH [e IN groups WHERE abs(e.num) <= 1.7976931348623157e308] AS g5, size(groups) AS groups, lost, missing, unread, size1
  RETURN [e IN g5 | e.key] AS q5, g5, [lost, groups - size(g5), size(unread), unread[..20], missing] AS lost5, size1
}
CALL (g5) {
  UNWIND g5 AS e
  WITH e.key AS x, e
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, [e.num, e.text] AS number ORDER BY n.num, n.name
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found, collect(number)[..$limit] AS numbers
}
CALL (found) {
  UNWIND found AS key
  UNWIND $p1 AS of_f
  MATCH ()-[f:CG_VALUE {node1: of_f, node2: key}]->()
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH DISTINCT f.head AS x, f
  WITH * LIMIT $evidence_limit
  UNWIND $p2 AS of_g
  OPTIONAL MATCH ()-[g:CG_VALUE {node1: of_g, head: x}]->()
  USING INDEX SEEK g:CG_VALUE(node1, head)
  WITH collect(DISTINCT f) + collect(DISTINCT g) AS all, collect(DISTINCT x) AS xs
  RETURN all AS e5, xs AS n5
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, numbers, [size1, -1, -1, -1, size(q5)] AS sizes, [q1[..$shown], [], [], [], q5[..$shown]] AS steps, [[lost5], [q5[..1000]]] AS notes, [found IN [e5] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $shown = 20
// $p1 = ['world\x1fTeam']
// $p2 = ['world\x1fPoints']
// $evidence_limit = 1000
// $limit = 10000
