"""Writers of what is loaded: a source read out of the graph, in the formats that a load reads back."""
