"""Logical forms as SPARQL: for users who also keep a SPARQL endpoint, and as an independent judge in tests."""
