"""A floating parser: questions over graphs, assembled from the parts that are recognised in them; see `proposals`."""
