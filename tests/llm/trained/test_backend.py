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
from cgstore.store import Store
from tests.cli.conftest import Run, run, world  # noqa: F401

QUESTION = "Who was pope in 1970?"


def _model(folder: Path, *, lang: str = "llm") -> Path:
    folder.mkdir()
    described = {
        "lang": lang,
        "masked": True,
        "instruction": "",
        "encoder_decoder": True,
        "adapter": False,
        "settings": {"base": "t5"},
    }
    (folder / "cgstore.json").write_text(json.dumps(described))
    return folder


def _writes(monkeypatch: pytest.MonkeyPatch, written: dict[str, list[str]]) -> None:
    """Lets every model write these programs for these masked questions, the first one with the highest score."""

    def write(self: TrainedModel, question: str) -> list[Candidate]:
        return [Candidate(text, -place) for place, text in enumerate(written.get(question, []))]

    monkeypatch.setattr(TrainedModel, "write", write)


SEARCH = "get_information(relation='position held', tail_entity='<e0>', key='time', value='<y0>')"


def test_the_first_candidate_that_answers_wins(world: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:  # noqa: F811
    nothing = SEARCH.replace("position held", "spouse")
    _writes(monkeypatch, {"Who was <e0> in <y0>?": [nothing, SEARCH, "get_information(head_entity='<e7>')"]})
    answer = world.ask(QUESTION, backend=TrainedBackend(_model(tmp_path / "model")))
    assert answer.answer == ("Paul VI",)
    assert answer.program == SEARCH.replace("<e0>", "pope").replace("<y0>", "1970")
    assert "candidate 2 of 2" in (answer.because or "")


def test_a_program_that_leaves_out_a_name_comes_last(
    world: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    without_year = "get_information(relation='position held', tail_entity='<e0>')"
    _writes(monkeypatch, {"Who was <e0> in <y0>?": [without_year, SEARCH]})
    assert world.ask(QUESTION, backend=TrainedBackend(_model(tmp_path / "model"))).answer == ("Paul VI",)


@pytest.mark.parametrize(
    ("lang", "held", "unknown", "other"),
    [
        (
            "llm",
            SEARCH,
            SEARCH.replace("position held", "office held"),
            SEARCH.replace("position held", "Position_Held"),
        ),
        (
            "sexpr",
            "( JOIN [ position held ] [ <e0> ] )",
            "( JOIN [ office held ] [ <e0> ] )",
            "( AND ( JOIN [ position held ] [ <e0> ] ) ( JOIN [ spouse ] [ <e0> ] ) )",
        ),
    ],
)
def test_candidates_with_a_relation_that_the_graph_lacks_come_last_in_their_order(
    lang: str,
    held: str,
    unknown: str,
    other: str,
    world: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    backend = TrainedBackend(_model(tmp_path / "model", lang=lang))
    _writes(monkeypatch, {"Who was <e0> in <y0>?": [unknown, other, unknown.replace("office", "post"), held]})
    graph = GraphView(world.db, [source.name for source in world.sources()])
    found = [proposal.program for proposal in backend.propose(QUESTION, graph)]
    assert ["office" in program or "post" in program for program in found] == [False, False, True, True]
    assert "office" in found[2]


def test_skeletons_are_run_and_broken_ones_are_left_out(
    world: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    skeletons = ["( JOIN ( [ <e0> ]", "( TC ( JOIN [ position held ] [ <e0> ] ) [ time ] [ <y0> ] )"]
    _writes(monkeypatch, {"Who was <e0> in <y0>?": skeletons})
    backend = TrainedBackend(_model(tmp_path / "model", lang="sexpr"))
    assert world.ask(QUESTION, backend=backend).answer == ("Paul VI",)


def test_programs_are_shown_as_they_are_usually_written_and_broken_ones_are_left_out(
    world: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    spaced = SEARCH.replace("(", "( ").replace("=", "= ").replace(")", " )")
    _writes(monkeypatch, {"Who was <e0> in <y0>?": [spaced.removesuffix(")"), spaced, SEARCH]})
    answer = world.ask(QUESTION, backend=TrainedBackend(_model(tmp_path / "model")))
    assert answer.program == SEARCH.replace("<e0>", "pope").replace("<y0>", "1970")
    assert "candidate 1 of 1" in (answer.because or "")


def test_a_model_that_writes_nothing_gives_no_answer(
    world: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _writes(monkeypatch, {})
    answer = world.ask(QUESTION, backend=TrainedBackend(_model(tmp_path / "model")))
    assert answer.abstained
    assert "wrote no program" in " ".join(answer.warnings)


def test_a_folder_without_a_model_is_an_error(run: Run, world: Store, tmp_path: Path) -> None:  # noqa: F811
    with pytest.raises(BadInput, match="no trained model"):
        get_backend(f"hf:{tmp_path}")
    result = run("ask", QUESTION, "--llm", f"hf:{tmp_path}")
    assert result.exit_code == 2
    assert "no trained model" in result.output
    assert run("ask", QUESTION, "--llm", "nothing").exit_code == 2


def test_the_command_line_asks_a_folder(
    run: Run,  # noqa: F811
    world: Store,  # noqa: F811
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    _writes(monkeypatch, {"Who was <e0> in <y0>?": [SEARCH]})
    result = run("ask", QUESTION, "--llm", f"hf:{_model(tmp_path / 'model')}", "--json")
    assert json.loads(result.stdout)["answer"] == ["Paul VI"]
