"""Readers of tables: any format -> Table (columns and rows) -> Statement."""
