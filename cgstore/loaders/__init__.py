"""Loaders: from an input to a source of the graph, and back.

A command's module (`table`, `kg`, `tkg`, `statements`, `rdf`, `graph`) joins a reader (`tables`, `kg_file`, `tkg_file`,
`statements_file`, `readers`) with a stage (`fact_stage`, `tkg_stage`) and a target (`writer`). `cgstore.export`
goes the other way.
"""
