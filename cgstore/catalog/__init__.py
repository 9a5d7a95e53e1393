"""The sources of a graph: their records and states, which are ready, and what the graph has by a name."""
