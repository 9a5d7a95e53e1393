"""cgstore: questions over tables, knowledge graphs and temporal knowledge graphs, answered with proof."""
