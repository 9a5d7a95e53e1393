"""Names in a program or a question -> nodes of the graph."""
