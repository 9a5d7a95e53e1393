"""From a staged source to the graph, online or by the offline importer; the sources that are there."""
