"""Everything that speaks Cypher: the connection, the schema, the compilation of execution queries, their execution."""
