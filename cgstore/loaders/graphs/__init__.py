"""The reader of another Neo4j: its nodes and relationships -> Statement."""
