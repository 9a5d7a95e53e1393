"""From a staged source to the graph."""
