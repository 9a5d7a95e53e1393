"""`cgstore ask`, `map`, `check` and `eval mapping` on the example, where the programs of some questions are known."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from cgstore.store import Store
from tests.cli.conftest import EXAMPLES, Run
from tests.known import CHANCELLOR, WORLD

NOTHING = {"question": "Who was king of Atlantis?", "reply": "get_information(tail_entity='king of Atlantis')"}


def test_the_program_of_each_example_question_gives_its_answer(world: Store) -> None:
    for line in (EXAMPLES / "questions.tsv").read_text(encoding="utf-8").splitlines():
        question, expected, _, program = line.split("\t")
        answer = world.query(program, ["world"])
        assert set(map(str, answer.answer)) == set(expected.split("|")), question
        assert answer.evidence, question


@pytest.mark.parametrize("llm", [(), ("--llm", "demos"), ("--llm", "small")], ids=["default", "demos", "small"])
def test_a_question_is_answered_with_its_proof(run: Run, world: Store, llm: tuple[str, ...]) -> None:
    result = run("ask", CHANCELLOR, "--json", *llm)
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["answer"]) == (0, ["Helmut Kohl"])
    assert answer["program"] == WORLD[CHANCELLOR] and answer["evidence"]


def test_what_cannot_be_answered_is_said_with_exit_code_1(run: Run, world: Store, tmp_path: Path) -> None:
    file = tmp_path / "replies.jsonl"
    file.write_text(json.dumps(NOTHING) + "\n", encoding="utf-8")
    others = ("What is the weather?", "MATCH (n) DETACH DELETE n", "'; DROP TABLE x; --", "?", "誰ですか")
    for question in (NOTHING["question"], *others):
        result = run("ask", question, "--llm", "replay", "--replies", file)
        assert result.exit_code == 1, question
        assert result.stdout.startswith("No answer.") and "Note: " in result.stdout, question


@pytest.mark.parametrize("question", ["", "  "])
def test_an_empty_question_is_a_usage_error(run: Run, question: str) -> None:
    done = run("ask", question)
    assert done.exit_code == 2 and "question" in done.stderr


def test_explain_says_why_this_program(run: Run, world: Store) -> None:
    shown = run("ask", CHANCELLOR, "--explain").stdout
    assert "Why this program" in shown and "kept as right for this question" in shown


def test_openai_without_a_key_is_exit_code_4(run: Run, world: Store) -> None:
    result = run("ask", "Who?", "--llm", "openai")
    assert result.exit_code == 4
    assert "OPENAI_API_KEY" in result.stderr


HELD = '(JOIN (R "position held") "Angela Merkel")'


def test_ask_runs_the_logical_forms_of_a_file(run: Run, world: Store, tmp_path: Path) -> None:
    replies = ['(JOIN (R "position held") Nobody At All)', HELD[:-1]]
    file = tmp_path / "beam.jsonl"
    file.write_text(json.dumps({"question": "Who is it?", "replies": replies}), encoding="utf-8")
    result = run("ask", "Who is it?", "--lang", "sexpr", "--llm", "replay", "--replies", file, "--json")
    answer = json.loads(result.stdout)
    assert (result.exit_code, answer["program"]) == (0, HELD)
    assert "A missing parenthesis was added." in answer["warnings"]


def test_query_retrieves_names(run: Run, world: Store) -> None:
    imagined = '(JOIN (R "held position") "Angela Merkl")'
    assert run("query", "--lang", "sexpr", "--retrieve", imagined).exit_code == 0


def test_map_shows_the_best_candidates_with_their_parts(run: Run, world: Store) -> None:
    lines = run("map", "Helmut Kol").stdout.splitlines()
    assert lines[0] == "Helmut Kol" and "Helmut Kohl  (full text; characters 0.909" in lines[1]
    (found,) = json.loads(run("map", "position hold", "--role", "relation", "--top", "1", "--json").stdout)
    (candidate,) = found["candidates"]
    assert (found["name"], found["role"], candidate["node"]) == ("position hold", "relation", "position held")
    assert set(candidate) == {"node", "key", "how", "score", "parts", "degree", "another"}
    assert set(candidate["parts"]) == {"characters", "words", "meaning", "same_words"}
    found = json.loads(run("map", "helmut kohl", "Helmut Kol", "--json").stdout)
    assert [each["candidates"][0]["node"] for each in found] == ["Helmut Kohl", "Helmut Kohl"]
    nothing = run("map", "zzzzzzzzzz")
    assert nothing.exit_code == 1 and "nothing is like it" in nothing.stdout


def test_check_lists_findings_with_what_to_do_next_and_exit_code_1(run: Run, world: Store) -> None:
    result = run("check", "world", "--relation", "spouse", "--one-head", "position held")
    assert (result.exit_code, result.stdout) == (0, "world: a temporal knowledge graph, 243 facts; nothing found\n")
    sports = "member of sports team"
    shown = run("check", "world", "--one-tail", sports, "--relation", sports)
    head, *lines = [line.strip() for line in shown.stdout.splitlines()]
    assert (shown.exit_code, head) == (1, "world: a temporal knowledge graph, 243 facts; 4 findings")
    beckham, england = "David Beckham", "England national football team"
    place = lines.index(f"'{beckham}' has several tails of '{sports}' at a time, 1996 to 2009.")
    assert lines[place - 1] == "Several at a time: 2"
    assert f"{beckham} | {sports} | {england} | 1996 to 2009" in lines[place:]
    assert f"Next: cgstore facts remove world '{beckham}' '{sports}' '{england}' --start 1996" in lines[place:]
    assert "Gap: 2" in lines and f"'Michael Jordan' has no tail of '{sports}', 1999 to 2000." in lines
    gap = "'Vice President of the United States' has no head of 'position held', 1990 to 2008."
    report = json.loads(run("check", "world", "--limit", "1", "--json").stdout)
    assert (report["source"], report["kind"], report["facts"], report["counts"]) == ("world", "tkg", 243, {"gap": 3})
    (finding,) = report["findings"]
    assert (finding["kind"], finding["text"]) == ("gap", gap)


def test_eval_mapping_prints_the_shares(run: Run, world: Store) -> None:
    result = run("eval", "mapping", "--source", "world", "--count", "5", "--json")
    headline = json.loads(result.stdout.splitlines()[-1])
    assert (headline["benchmark"], headline["set"]) == ("mapping", "world")
    assert headline["metrics"]["underscores"]["merged"] == 1.0
