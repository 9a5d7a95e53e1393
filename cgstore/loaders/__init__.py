"""Loaders: one module a format turns its input into condition triples; `write` puts them into the graph."""
