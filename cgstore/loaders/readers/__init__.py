"""Readers: a file, a frame or a database to rows of texts. They know neither the kind of source nor Neo4j."""
