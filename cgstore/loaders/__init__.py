"""Loaders: from an input to a source of the graph; `cgstore.export` goes the other way.

Each command has a module (`table`, `kg`, `tkg`, `statements`, `aliases`, `rdf`, `graph`) with its options, its columns
and how a row becomes a statement. It joins a reader (`readers`), a stage (`fact_stage`, `tkg_stage`) and a target
(`writer`).
"""
