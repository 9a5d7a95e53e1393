"""A source written to a file again."""
