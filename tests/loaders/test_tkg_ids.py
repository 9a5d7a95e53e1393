from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.loaders.readers.records import BadLine
from cgstore.loaders.tkg import is_ids_folder, read_ids
from cgstore.loaders.tkg_stage import Fact
from cgstore.text.dates import Moment

ENTITIES = "<Ada_L>\t0\t1815-##-##\t####-##-##\n<Bob_(scientist)>\t1\n"
RELATIONS = "<wasBornIn>\t0\n"


def _folder(path: Path, entities: str = ENTITIES, relations: str = RELATIONS, **parts: str) -> Path:
    (path / "entity2id.txt").write_text(entities)
    (path / "relation2id.txt").write_text(relations)
    for name, text in (parts or {"train": "0\t0\t1\t5\t0\n"}).items():
        (path / f"{name}.txt").write_text(text)
    return path


def _facts(path: Path) -> list[Fact | BadLine]:
    return list(read_ids(path))


def test_facts_come_by_the_names_of_their_tables(tmp_path: Path) -> None:
    folder = _folder(tmp_path, test="1 0 0 -7\n", train="\n0\t0\t1\t24\t0\r\n")
    assert is_ids_folder(folder)
    assert _facts(folder) == [
        Fact("Ada L", "wasBornIn", "Bob (scientist)", Moment(24), Moment(24), 2),
        Fact("Bob (scientist)", "wasBornIn", "Ada L", Moment(-7), Moment(-7), 1),
    ]


def test_a_folder_of_gzipped_files_is_read(tmp_path: Path) -> None:
    for path in list(_folder(tmp_path).iterdir()):
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(path.read_bytes()))
        path.unlink()
    assert is_ids_folder(tmp_path)
    assert len(_facts(tmp_path)) == 1


def test_a_table_may_begin_with_its_count_and_separate_with_spaces(tmp_path: Path) -> None:
    folder = _folder(tmp_path, entities="2\nPolice (South Sudan) 0\nBob 1\n")
    assert isinstance(fact := _facts(folder)[0], Fact)
    assert fact.head == "Police (South Sudan)"


@pytest.mark.parametrize("missing", ["entity2id.txt", "relation2id.txt", "train.txt"])
def test_a_folder_without_one_of_the_files_is_none(tmp_path: Path, missing: str) -> None:
    _folder(tmp_path)
    (tmp_path / missing).unlink()
    assert not is_ids_folder(tmp_path)
    with pytest.raises(BadInput, match="has no"):
        _facts(tmp_path)


def test_ids_whose_names_are_equal_once_cleaned_are_kept_apart(tmp_path: Path) -> None:
    warnings: list[str] = []
    folder = _folder(tmp_path, entities="A b\t2\n<A_b>\t1\nA b\t0\n", train="0 0 1 5\n2 0 1 5\n")
    facts = [item for item in read_ids(folder, warnings=warnings) if isinstance(item, Fact)]
    assert [(fact.head, fact.tail) for fact in facts] == [("A b", "A b (<A_b>)"), ("A b (2)", "A b (<A_b>)")]
    assert len(warnings) == 1 and "is now called" in warnings[0]
