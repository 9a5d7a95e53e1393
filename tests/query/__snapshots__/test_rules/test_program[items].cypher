// items(set=get_information(relation='spouse'), separator=';')
//
// step 1: search_node(node1='spouse')  [nodes]
// step 2: items(step 1, separator=';')  [words]

UNWIND $p1 AS relation
MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
USING INDEX SEEK f:CG_VALUE(node1, node2)
WHERE f.node2 IS NOT NULL
WITH collect(DISTINCT f.node2) AS q1, collect(DISTINCT f) AS m1
CALL (q1) {
  UNWIND q1 AS x
  MATCH (n:CgNode {key: x}) USING INDEX SEEK n:CgNode(key)
  WITH x, n.name AS name, n.num AS number ORDER BY number, name
  UNWIND split(name, $p2) AS part
  WITH btrim(part, $blanks) AS part WHERE part <> ''
  RETURN collect(DISTINCT part) AS q2
}
CALL (q2) {
  UNWIND range(0, size(q2) - 1) AS place
  WITH q2[place] AS x, place
  WITH x, x AS name, place ORDER BY place
  RETURN collect(name)[..$limit] AS answer, collect(x)[..$limit] AS found
}
CALL (q1) {
  UNWIND $p1 AS relation
  MATCH (r)-[f:CG_VALUE {node1: relation}]->(t)
  USING INDEX SEEK f:CG_VALUE(node1, node2)
  WHERE f.node2 IS NOT NULL
  WITH * WHERE f.node2 IN q1
  WITH DISTINCT f LIMIT $evidence_limit
  RETURN collect(DISTINCT f) AS e1
}
OPTIONAL MATCH (graph:CgMeta {name: 'graph'})
RETURN answer, [size(q1), size(q2)] AS sizes, [q1[..$shown], q2[..$shown]] AS steps, [found IN [e1] | [e IN found | [coalesce(e.condition, []), startNode(e).name, endNode(e).name, e.source, elementId(e)]]] AS evidence, graph.version AS version

// $p1 = ['world\x1fspouse']
// $blanks = '\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'
// $p2 = [';']
// $evidence_limit = 1000
// $limit = 10000
// $shown = 20
