"""From a staged source to the graph, the sources that are there."""
