"""Candidates, readings and the decision of the backend `small`, with a writer whose texts are given."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict

import pytest

from cgstore.finetune.calibration import fit_confidence, thresholds_of
from cgstore.finetune.memory import Memory, table_source
from cgstore.llm.backends import Attempt
from cgstore.llm.small.backend import decision_of, readings_of
from cgstore.llm.small.candidates import candidates
from cgstore.llm.small.confidence import FEATURES, Confidence, from_json
from cgstore.llm.small.model import Token, Written
from cgstore.model import Answer

CREW = Memory([table_source("crew", ("Name", "Ship"), [("Ann", "Kestrel"), ("Bo", "Petrel"), ("Cy", "Kestrel")])])
QUESTION = "name on the kestrel"


class Scripted:
    """Writes a line by its most probable words, with another word where one is given."""

    def __init__(self, best: str, others: Mapping[str, tuple[str, float]], rest: Mapping[str, str]) -> None:
        self._best, self._others, self._rest = best, others, rest
        self.prompts: list[str] = []

    def write(self, prompt: str, *, grammar: str | None = None, most: int = 128, alternatives: int = 5) -> Written:
        self.prompts.append(prompt)
        text = next((rest for prefix, rest in self._rest.items() if prompt.endswith(prefix)), self._best)
        words = [f" {word}" for word in text.split(" ")[1:]] if text.startswith(" ") else [text]
        return Written(text, tuple(map(self._token, words)), True)

    def _token(self, word: str) -> Token:
        other = self._others.get(word)
        probability = 1 - math.exp(other[1]) if other else 0.99
        also = (other,) if other else ()
        return Token(word, math.log(probability), ((word, math.log(probability)), *also))


def run(program: str, evaluate: object = None) -> Attempt:
    answers = {"kestrel": ("Ann", "Cy"), "petrel": ("Bo",)}
    found = next((values for name, values in answers.items() if name in program.lower()), ())
    return Attempt(program, Answer(found, program))


def confidence(share: float) -> Confidence:
    return Confidence((share, *(0.0,) * (len(FEATURES) - 1)), (-1.0,), (share,), ((0.02, 0.9), (0.5, 0.4)))


def test_other_likely_words_become_other_candidates() -> None:
    writer = Scripted(' name : ship = "kestrel"', {' "kestrel"': (' "petrel"', math.log(0.3))}, {' = "petrel"': ""})
    found = candidates(writer, CREW.prompt(QUESTION))
    assert [each.text for each in found] == ['name : ship = "kestrel"', 'name : ship = "petrel"']
    assert found[0].logprob > found[1].logprob and len(writer.prompts) == 2


def test_a_name_that_the_prompt_lacks_is_written_again_within_the_grammar() -> None:
    class Wrong(Scripted):
        def write(self, prompt: str, *, grammar: str | None = None, most: int = 128, alternatives: int = 5) -> Written:
            self._best = ' name : ship = "kestrel"' if grammar else ' captain : boat = "kestrel"'
            return super().write(prompt, grammar=grammar)

    (found,) = candidates(Wrong("", {}, {}), CREW.prompt(QUESTION))
    assert found.text == 'name : ship = "kestrel"'


@pytest.mark.parametrize(("share", "risk", "answered"), [(0.95, 0.02, True), (0.6, 0.02, False), (0.6, 0.5, True)])
def test_the_risk_decides_whether_an_answer_stands(share: float, risk: float, answered: bool) -> None:
    writer = Scripted(' name : ship = "kestrel"', {' "kestrel"': (' "petrel"', math.log(0.2))}, {' = "petrel"': ""})
    prompt = CREW.prompt(QUESTION)
    readings = readings_of(QUESTION, prompt, candidates(writer, prompt), run)
    decision = decision_of(prompt, readings, confidence(share), risk)
    assert decision.answered is answered
    if not answered:
        assert [each.program for each in decision.readings] == [
            "get_information(relation='Name', key='Ship', value='Kestrel')",
            "get_information(relation='Name', key='Ship', value='petrel')",
        ]
        chosen = decision_of(prompt, readings, confidence(share), risk, 2)
        assert chosen.chosen and chosen.chosen.answer and chosen.chosen.answer.answer == ("Bo",)


def test_nothing_is_answered_from_a_program_that_ignores_a_number() -> None:
    question = "name on the kestrel in 1990"
    prompt = CREW.prompt(question)
    readings = readings_of(question, prompt, candidates(Scripted(' name : ship = "kestrel"', {}, {}), prompt), run)
    decision = decision_of(prompt, readings, confidence(0.99), 1.0)
    assert decision.chosen is None and "1990" in decision.warnings[0]


def test_where_the_data_do_not_say_it_there_is_a_reason() -> None:
    prompt = CREW.prompt(QUESTION)
    readings = readings_of(QUESTION, prompt, candidates(Scripted(" nothing", {}, {}), prompt), run)
    decision = decision_of(prompt, readings, confidence(0.99), 1.0)
    assert decision.chosen is None and "'crew'" in decision.warnings[0]


def test_confidence_is_learnt_and_kept_as_json() -> None:
    features: Sequence[Sequence[float]] = [(1.0, x / 50, *([0.0] * (len(FEATURES) - 2))) for x in range(100)]
    right = [x > 40 or x % 7 == 0 for x in range(100)]
    fitted = from_json(asdict(fit_confidence(features, right, 100)))
    low, high = fitted.probability(features[5]), fitted.probability(features[95])
    assert low < 0.4 < 0.9 < high
    assert fitted.is_enough(features[95], 0.02) and not fitted.is_enough(features[30], 0.02)
    assert fitted.is_enough(features[30], 0.3)


def test_thresholds_keep_the_share_of_wrong_answers() -> None:
    found = dict(thresholds_of([0.9, 0.9, 0.8, 0.6, 0.5], [True, True, True, False, True], 10))
    assert found[0.02] == pytest.approx(0.8, abs=1e-3) and found[0.1] == pytest.approx(0.5, abs=1e-3)
    assert found[1.0] < -1e6
