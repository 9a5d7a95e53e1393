"""What a graph and a folder of written questions teach the small model: a user's own examples, and its confidence."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.cypher.connection import Database
from cgstore.errors import BadInput
from cgstore.finetune.calibration import calibrate
from cgstore.finetune.pipeline import collected, write_mine
from cgstore.llm.demonstrations.build import TrainingQuestion
from cgstore.llm.small.confidence import confidence_of
from cgstore.llm.small.model import Token, Written
from cgstore.model import Answer
from cgstore.store import Store

CREW = "Name,Ship\nAnn,Kestrel\nBo,Petrel\nCy,Kestrel\n"
PROGRAM = "get_information(relation='Name', key='Ship', value='Kestrel')"


@pytest.fixture
def store(db: Database, tmp_path: Path) -> Store:
    (tmp_path / "crew.csv").write_text(CREW, encoding="utf-8")
    store = Store(db)
    store.load_table(tmp_path / "crew.csv")
    return store


def test_what_was_called_right_becomes_examples(store: Store, tmp_path: Path) -> None:
    store.right(Answer(("Ann", "Cy"), PROGRAM, question="who is on the kestrel?"))
    given = TrainingQuestion("the ship of bo", sources=("crew",), program="get_information(relation='Boat')")
    counts = write_mine(store, [*collected(store), given], tmp_path / "mine.json")
    assert counts == {"kept": 1, "not in the prompt": 1}
    ((schema, ((asked, answer),)),) = json.loads((tmp_path / "mine.json").read_text(encoding="utf-8"))
    assert schema == "# crew\nname: ann | ship: kestrel/petrel\n"
    assert asked == "who is on the kestrel?\nkestrel @ ship\n>" and answer == ' name : ship = "kestrel"'


def test_without_programs_there_is_nothing_to_learn(store: Store, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no question with a program"):
        write_mine(store, collected(store), tmp_path / "mine.json")


class _Counting:
    """Counts all rows, but where a purchase is asked for, which it says is not in the data."""

    asked = 0

    def write(self, prompt: str, *, grammar: str | None = None, most: int = 128, alternatives: int = 5) -> Written:
        self.asked += 1
        text = " nothing" if "bought" in prompt and not grammar else " count(*)"
        return Written(text, (Token(text, -0.1, ((text, -0.1),)),), True)


def _written(folder: Path) -> None:
    """A schema of the part `tune` with a question that counting answers, one that it does not, and one of nothing."""
    schema = folder / "v_dogs"
    schema.mkdir(parents=True)
    (schema / "crew.csv").write_text(CREW, encoding="utf-8")
    (schema / "sources.json").write_text('[{"name": "crew", "kind": "table", "file": "crew.csv"}]', encoding="utf-8")
    asked = {"how many are there?": ["3"], "how many ships?": ["2"], "who bought it?": []}
    lines = [{"question": q, "program": PROGRAM if answer else "", "answer": answer} for q, answer in asked.items()]
    (schema / "questions.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines), encoding="utf-8")


def test_the_confidence_of_an_adapter_is_learnt_from_answers_in_the_graph(db: Database, tmp_path: Path) -> None:
    _written(tmp_path / "words")
    adapter, out, writer = tmp_path / "adapter.gguf", tmp_path / "confidence.json", _Counting()
    adapter.write_bytes(b"GGUF")
    store = Store(db)
    fitted = calibrate(store, tmp_path / "words", adapter, out, writer=writer)
    asked = writer.asked
    assert asked >= 3 and not store.sources() and fitted.thresholds[-1][0] == 1.0
    assert calibrate(store, tmp_path / "words", adapter, out, writer=writer) == fitted and writer.asked == asked
    assert confidence_of(adapter) == fitted != confidence_of(None)
