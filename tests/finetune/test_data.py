"""Training pairs: what is read, what is left out, and the files as trainers take them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from cgstore.cli import main
from cgstore.errors import BadInput
from cgstore.finetune.data import Pair, make_pairs, read_examples, read_lines, write_pairs
from cgstore.llm.trained.generation import Example

LINES = """\
{"question": "who directed [The Rookie]", "program": "get_information(relation='directed_by', head_entity='The Rookie')"}
{"question": "who directed [M]", "reply": "Step1: Find it\\nQuery1: \\"get_information(relation='directed_by', head_entity='M')\\""}
{"question": "films of Fritz Lang", "sexpr": "(JOIN directed_by \\"Fritz Lang\\")"}
"""  # noqa: E501

SEXPR = "Generate a Logical Form query that retrieves the information corresponding to the given question."
LLM = "Generate a program that retrieves the information corresponding to the given question."


@pytest.fixture
def train(tmp_path: Path) -> Path:
    path = tmp_path / "train.jsonl"
    path.write_text(LINES, encoding="utf-8")
    return path


def _written(train: Path, *options: str) -> str:
    out = train.parent / "out.jsonl"
    result = CliRunner().invoke(main, ["finetune", "data", "--train", str(train), "--out", str(out), *options])
    assert result.exit_code == 0, result.output
    return out.read_text(encoding="utf-8")


def test_the_instruction_format_is_that_of_chatkbqa(train: Path) -> None:
    first = _written(train, "--lang", "sexpr").splitlines()[0]
    assert first == (
        f'{{"instruction": "{SEXPR}", "input": "Question: {{ who directed [The Rookie] }}", '
        '"output": "( JOIN ( R [ directed by ] ) [ The Rookie ] )"}'
    )


def test_the_openai_format_has_chat_messages(train: Path) -> None:
    last = _written(train, "--format", "openai").splitlines()[-1]
    assert last == (
        f'{{"messages": [{{"role": "system", "content": "{LLM}"}}, '
        '{"role": "user", "content": "Question: { films of Fritz Lang }"}, '
        '{"role": "assistant", "content": "get_information(relation=\'directed_by\', '
        "tail_entity='Fritz Lang')\"}]}"
    )


def test_masked_questions_that_are_the_same_become_one_pair(train: Path) -> None:
    pairs, report = make_pairs(read_lines(train), masked=True)
    assert pairs == [
        Pair("who directed <e0>", "get_information(relation='directed_by', head_entity='<e0>')"),
        Pair("films of <e0>", "get_information(relation='directed_by', tail_entity='<e0>')"),
    ]
    assert (report.questions, report.pairs, report.folded, report.outvoted) == (3, 2, 1, 0)


def test_the_program_that_most_have_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    program = "get_information(head_entity='{}', relation='{}')"
    relations = [("Ann", "spouse"), ("Bob", "partner"), ("Cy", "partner")]
    lines = ({"question": f"wife of {name}", "program": program.format(name, r)} for name, r in relations)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    pairs, report = make_pairs(read_lines(path), masked=True)
    assert [pair.output for pair in pairs] == ["get_information(head_entity='<e0>', relation='partner')"]
    assert report.outvoted == 1


@pytest.mark.parametrize("text", ['{"question": "Who directed THE ROOKIE?"}\n', "who directed [The Rookie]\tsomeone\n"])
def test_questions_of_another_file_are_left_out(train: Path, text: str) -> None:
    test = train.parent / "test"
    test.write_text(text, encoding="utf-8")
    pairs, report = make_pairs(read_lines(train), without=[test])
    assert report.held_out == 1
    assert all("Rookie" not in pair.question for pair in pairs)


def test_a_program_without_a_counterpart_is_left_out_and_counted(tmp_path: Path) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text('{"question": "mean?", "program": "mean(set=\'3\')"}\n{"question": "x", "program": "get("}\n')
    pairs, report = make_pairs(read_lines(path), "sexpr")
    assert not pairs
    assert sum(report.left_out.values()) == 2
    result = CliRunner().invoke(main, ["finetune", "data", "--train", str(path), "--lang", "sexpr"])
    assert result.exit_code == 2
    assert "No question is left" in result.output


@pytest.mark.parametrize(
    "line", ['{"question": "x"}', '{"question": 1, "program": "y"}', '{"question": "x", "program": "y", "sexpr": "z"}']
)
def test_a_malformed_line_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "train.jsonl"
    path.write_text(line)
    with pytest.raises(BadInput, match="line 1"):
        read_lines(path)


@pytest.mark.parametrize("format", ["instruction", "openai"])
def test_what_is_written_is_read_again(tmp_path: Path, format: str) -> None:
    path = tmp_path / "pairs.jsonl"
    write_pairs([Pair("who?", "count(set='x')")], path, "llm", format)
    assert read_examples(path) == [Example(LLM, "Question: { who? }", "count(set='x')")]
    path.write_text("")
    with pytest.raises(BadInput, match="no training pairs"):
        read_examples(path)
