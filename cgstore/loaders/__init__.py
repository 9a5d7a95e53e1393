"""Loaders: from an input to a source of the graph.

A module a command (`table`, `kg`, `tkg`, `statements`, `aliases`, `rdf`, `graph`) holds its options, its columns and how a
row becomes a statement. It joins a reader (`readers`), a stage (`fact_stage`, `tkg_stage`) and a target (`writer`).
"""
