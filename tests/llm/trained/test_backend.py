"""The backend `hf:FOLDER`: a trained model's candidates, with names put back, run until one answers."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.errors import BadInput
from cgstore.llm import get_backend
from cgstore.llm.graph_view import GraphView
from cgstore.llm.trained.backend import TrainedBackend
from cgstore.llm.trained.generation import Candidate, TrainedModel
from cgstore.model import Answer
from cgstore.store import Store
from tests.cli.conftest import Run, run, world

__all__ = ["run", "world"]

QUESTION = "Who was pope in 1970?"
MASKED = "Who was <e0> in <y0>?"
SEARCH = "get_information(relation='position held', tail_entity='<e0>', key='time', value='<y0>')"
NAMED = SEARCH.replace("<e0>", "pope").replace("<y0>", "1970")


def writing(monkeypatch: pytest.MonkeyPatch, folder: Path, written: list[str], lang: str = "llm") -> Path:
    """A model that writes these programs for the masked question, the first one with the highest score."""
    described = {"lang": lang, "masked": True, "instruction": "", "encoder_decoder": True, "adapter": False}
    folder.mkdir(exist_ok=True)
    (folder / "cgstore.json").write_text(json.dumps({**described, "settings": {"base": "t5"}}))

    def write(self: TrainedModel, question: str) -> list[Candidate]:
        return [Candidate(text, -place) for place, text in enumerate(written if question == MASKED else ())]

    monkeypatch.setattr(TrainedModel, "write", write)
    return folder


UNKNOWN = SEARCH.replace("position held", "spouse")
SPACED = SEARCH.replace("(", "( ").replace("=", "= ").replace(")", " )")


@pytest.mark.parametrize(
    ("lang", "written", "because"),
    [
        pytest.param("llm", [UNKNOWN, SEARCH, "get_information(head_entity='<e7>')"], "candidate 2 of 2", id="first"),
        pytest.param("llm", [SEARCH.split(", key")[0] + ")", SEARCH], "", id="one that leaves out a name comes last"),
        pytest.param("llm", [SPACED.removesuffix(")"), SPACED, SEARCH], "candidate 1 of 1", id="broken, and spaced"),
        pytest.param(
            "sexpr",
            ["( JOIN ( [ <e0> ]", "( TC ( JOIN [ position held ] [ <e0> ] ) [ time ] [ <y0> ] )"],
            "",
            id="skeletons",
        ),
    ],
)
def test_the_first_candidate_that_answers_wins(
    world: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, written: list[str], because: str
) -> None:
    answer: Answer = world.ask(QUESTION, TrainedBackend(writing(monkeypatch, tmp_path, written, lang)))
    assert answer.answer == ("Paul VI",)
    assert lang == "sexpr" or answer.program == NAMED
    assert because in (answer.because or "")


@pytest.mark.parametrize(
    ("lang", "held", "unknown", "other"),
    [
        ("llm", SEARCH, SEARCH.replace("position", "office"), SEARCH.replace("position held", "Position_Held")),
        (
            "sexpr",
            "( JOIN [ position held ] [ <e0> ] )",
            "( JOIN [ office held ] [ <e0> ] )",
            "( AND ( JOIN [ position held ] [ <e0> ] ) ( JOIN [ spouse ] [ <e0> ] ) )",
        ),
    ],
)
def test_candidates_with_a_relation_that_the_graph_lacks_come_last_in_their_order(
    lang: str, held: str, unknown: str, other: str, world: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = [unknown, other, unknown.replace("office", "post"), held]
    backend = TrainedBackend(writing(monkeypatch, tmp_path, written, lang))
    graph = GraphView(world.db, [source.name for source in world.sources()])
    found = [proposal.program for proposal in backend.propose(QUESTION, graph)]
    assert ["office" in program or "post" in program for program in found] == [False, False, True, True]
    assert "office" in found[2]


def test_a_model_that_writes_nothing_gives_no_answer(
    world: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer = world.ask(QUESTION, TrainedBackend(writing(monkeypatch, tmp_path, [])))
    assert answer.abstained
    assert "wrote no program" in " ".join(answer.warnings)


def test_a_folder_without_a_model_is_an_error(run: Run, world: Store, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no trained model"):
        get_backend(f"hf:{tmp_path}")
    result = run("ask", QUESTION, "--llm", f"hf:{tmp_path}")
    assert result.exit_code == 2
    assert "no trained model" in result.output
    assert run("ask", QUESTION, "--llm", "nothing").exit_code == 2


def test_the_command_line_asks_a_folder(
    run: Run, world: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    result = run("ask", QUESTION, "--llm", f"hf:{writing(monkeypatch, tmp_path / 'model', [SEARCH])}", "--json")
    assert json.loads(result.stdout)["answer"] == ["Paul VI"]
