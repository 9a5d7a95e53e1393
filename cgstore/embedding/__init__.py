"""Encoders and the vectors that they make: in memory, on disk and in Neo4j."""
