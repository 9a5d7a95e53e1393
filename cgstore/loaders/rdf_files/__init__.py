"""Readers of RDF: any format -> quads -> Statement, named by labels."""
