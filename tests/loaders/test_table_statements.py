"""The statements of a table."""

from __future__ import annotations

from cgstore.loaders.readers.records import BadLine, Row, Statement, Table
from cgstore.loaders.table import relations, statements
from cgstore.model import Role


def _cell(head: str, relation: str, tail: str, line: int) -> Statement:
    return Statement(head, relation, tail, head_role=Role.LINE, tail_role=Role.VALUE, line=line)


def test_a_row_is_a_line_node_with_a_statement_a_cell_and_its_number() -> None:
    table = Table("t", ("a", "b"), [Row(7, [" x ", ""])])
    assert list(statements(table)) == [
        _cell("[line_1]", "a", "x", 7),
        _cell("[line_1]", "b", "", 7),
        _cell("[line_1]", "row_number", "1", 7),
    ]


def test_a_bad_row_passes_through_and_has_no_number() -> None:
    bad = BadLine(2, 0, "", "bad", "")
    found = list(statements(Table("t", ("a",), [bad, Row(3, ["x"])])))
    assert found == [bad, _cell("[line_1]", "a", "x", 3), _cell("[line_1]", "row_number", "1", 3)]


def test_columns_of_one_name_are_relations_of_their_own() -> None:
    columns = ("port", "host", "port", "Port (2)", "port")
    assert relations(columns) == ("port", "host", "port (3)", "Port (2)", "port (4)")


def test_a_column_named_as_the_row_number_is_renamed() -> None:
    assert relations(("Row Number", "row_number (2)", "a")) == ("Row Number (3)", "row_number (2)", "a")


def test_marks_of_footnotes_are_taken_off_where_that_is_asked_for() -> None:
    table = Table("t", ("a", "b"), [Row(2, ["Graz*", "€2,400 [1]"]), Row(3, ["†", "a[i]"])])
    found = [each.tail for each in statements(table, footnotes=False) if isinstance(each, Statement)]
    assert found == ["Graz", "€2,400", "1", "†", "a", "2"]
    assert next(each.tail for each in statements(table) if isinstance(each, Statement)) == "Graz*"
