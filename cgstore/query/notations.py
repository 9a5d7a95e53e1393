"""The notations of logical forms, by name; `cgstore.query.convert` reads and writes them."""

from __future__ import annotations

READ = ("sexpr", "program")
"""The notations that are read. A skeleton is read as an S-expression."""

WRITTEN = ("sexpr", "skeleton", "program", "sparql")
"""The notations that are written."""
