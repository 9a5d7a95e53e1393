"""The noun of what a question asks for, checked against what its program found: `Which stouts are brewed by Harrow?`.

Programs that are read from the words of a graph find what is brewed by Harrow. Where the graph has the noun (a stout is
the tail of `style`), only what has it is an answer. Where it does not, a note says that nobody checked it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from cgstore.llm.backends import Attempt, Decision, Proposal, Run
from cgstore.llm.backends.compose.words import stem
from cgstore.llm.backends.rewrite.asked_kinds import ANYBODY, ANYTHING, forms_of_noun, kind_relations
from cgstore.llm.backends.rewrite.fact_asked import RELATION, Program
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import GRAMMAR_WORDS, Mention, words_of
from cgstore.query.build import quote
from cgstore.text.names import in_words, some_of
from cgstore.text.thesaurus import lemma, narrower_kinds, phrases_of, same_kind

MOST_KINDS = 3
"""Relations under which a graph may have a noun; with more of them it is no kind of thing."""

_ASKED = re.compile(r"\b(?:which|what|how many) ([^\W\d_]+)")
_OF_TIME = "year month week day date time century decade hour"
_OTHERS = "centuries number part kind kinds type types sort sorts"
_UNITS = frozenset([*_OF_TIME.split(), *(f"{each}s" for each in _OF_TIME.split()), *_OTHERS.split()])
_COUNT = re.compile(r"count\(set='output_of_query\d+'\)")


def with_noun(
    decision: Decision, proposal: Proposal | None, question: str, graph: GraphView, words: RelationWords, run: Run
) -> Decision:
    """The decision for what the noun of the question says, with a note; none if nothing that was found is of the kind.

    Args:
        decision: of a backend.
        proposal: the one whose program was chosen.
        question: in plain words.
        graph: what is asked.
        words: how people speak of its relations.
        run: runs programs.
    """
    chosen = decision.chosen
    if chosen is None or chosen.answer is None or proposal is None or proposal.explains is None:
        return decision
    noun = _noun(question)
    relations = RELATION.findall(chosen.program)
    if not noun or not relations or _gives_numbers(chosen.program, graph):
        return decision
    check = _Check(decision, chosen, noun, graph, run)
    if not graph.has_times and _gives_others(noun, chosen.program):
        return check.refused(f"what was found only has the relation '{relations[-1]}'")
    return decision if _is_accounted_for(noun, proposal.explains, relations, words) else check.decided()


def _noun(question: str) -> str:
    """The word behind `which`; empty if there is none, or if it is a unit, any thing or a word of grammar."""
    match = _ASKED.search(" ".join(re.sub(r"[^\w' ]", " ", question.lower()).split()))
    is_noun = match is not None and not (match[1] in GRAMMAR_WORDS or match[1] in SIGNAL_OF)
    return match[1] if match and is_noun and match[1] not in _UNITS | ANYTHING else ""


def _gives_numbers(program: str, graph: GraphView) -> bool:
    """Whether the last search of a program gives the values of a relation of numbers."""
    last = [line for line in program.splitlines() if RELATION.search(line)][-1]
    return RELATION.findall(last)[-1] in graph.relations_of_numbers and "tail_entity" not in last


def _gives_others(noun: str, program: str) -> bool:
    """Whether a program gives what has the relation that is called by the noun: pupils for `which teacher`."""
    last = [line for line in program.splitlines() if RELATION.search(line)][-1]
    is_called_so = lemma(in_words(RELATION.findall(last)[-1])) == lemma(noun)
    return is_called_so and ("tail_entity" in last or "heads(" in last)


def _is_accounted_for(noun: str, explains: frozenset[str], relations: Sequence[str], words: RelationWords) -> bool:
    """Whether a demonstration or a relation of the program has the noun."""
    own = stem(noun)
    return own in {stem(word) for word in explains} or any(words.speaks_of(noun, each) for each in relations)


def _may_be(noun: str, kind: str) -> bool:
    """Whether things of a kind may be called by a noun: they are of the same kind, or one is a narrower one."""
    forms = {lemma(word) for word in (noun, *same_kind(noun), *narrower_kinds(noun))}
    words = [lemma(word) for word in in_words(kind).split()]
    nouns = {lemma(each) for each in narrower_kinds(" ".join(in_words(kind).split()))}
    return not forms.isdisjoint(words) or lemma(noun) in nouns


class _Check:
    """One answer, which is compared with the noun."""

    def __init__(self, decision: Decision, chosen: Attempt, noun: str, graph: GraphView, run: Run) -> None:
        self._decision, self._chosen, self._noun, self._graph, self._run = decision, chosen, noun, graph, run
        *first, last = chosen.program.splitlines()
        self._is_counted = bool(first and _COUNT.search(last))
        self._found = "\n".join(first) if self._is_counted else chosen.program

    def decided(self) -> Decision:
        for mention, relations in self._kinds():
            for relation in relations:
                if decision := self._of_kind(mention, relation):
                    return decision
        return next(self._of_other_relations(), None) or self._unchecked()

    def _of_other_relations(self) -> Iterator[Decision]:
        """The refusal where the noun names what a relation has, and nothing that was found has it.

        `which beer was founded by Ann` is not the brewery that she founded: beers are what is `brewed by` something.
        """
        for relation in () if self._graph.has_times else self._graph.relations:
            for phrase in phrases_of(relation):
                if phrase.joins or phrase.text != lemma(phrase.text) or phrase.lemmas != (lemma(self._noun),):
                    continue
                side = "head" if phrase.inverse else "tail"
                program = Program(self._found)
                program.add(f"get_information({side}_entity={program.last}, relation={quote(relation)})")
                if not self._run(program.text).answered:
                    yield self.refused(f"none of it is the {side} of '{relation}'")

    def _kinds(self) -> Iterator[tuple[Mention, list[str]]]:
        """The nodes that the noun may be, with the relations of which they are tails."""
        typed, forms = kind_relations(self._graph), forms_of_noun(self._noun)
        nodes = {each.key: each for each in self._graph.possible_mentions(", ".join(forms)) if each.kind == "entity"}
        for mention in nodes.values():
            tails = self._graph.relations_of(mention.key).tail
            kinds = [each for each in tails if each in typed] or list(tails)
            if mention.text.lower() in forms and 0 < len(kinds) <= MOST_KINDS:
                yield mention, kinds

    def _of_kind(self, mention: Mention, relation: str) -> Decision | None:
        """The decision for what is of the kind; None if nothing that was found has the relation at all."""
        of_kind = f"get_information(relation={quote(relation)}, tail_entity={quote(mention.name)})"
        program = Program(self._found)
        base = program.last
        program.add(f"set_intersection(set1={base}, set2={program.add(of_kind)})")
        attempt = self._run(program.text)
        what = f"'{relation}' '{mention.name}'"
        if attempt.answered:
            if self._is_counted:
                program.add(f"count(set={program.last})")
                attempt = self._run(program.text)
            return self._replaced(attempt, f"'{self._noun}' is taken for what has {what}.")
        others = Program(self._found)
        others.add(f"get_information(head_entity={others.last}, relation={quote(relation)})")
        if self._run(others.text).answered or self._is_other_kind(of_kind):
            return self.refused(f"none of it has {what}")
        return None

    def _is_other_kind(self, of_kind: str) -> bool:
        """Whether what was found is of other kinds than what a search gives, where the graph says of which it is."""
        (own, found) = Program(""), Program(self._found)
        own.add(of_kind)
        kinds = [self._kinds_of(each) for each in (own, found)]
        return all(kinds) and kinds[0].isdisjoint(kinds[1])

    def _kinds_of(self, program: Program) -> set[str]:
        """The kinds of what a program gives, by the relations that say them."""
        found: set[str] = set()
        for relation in kind_relations(self._graph):
            asked = Program(program.text)
            asked.add(f"get_information(head_entity={asked.last}, relation={quote(relation)})")
            kinds = self._run(asked.text).answer
            found.update(map(str, kinds.answer) if kinds else ())
        return found

    def refused(self, why: str) -> Decision:
        """The refusal, which says what was found and why it is not what the noun says."""
        found = self._run(self._found).answer
        shown = some_of([str(value) for value in found.answer]) if found else "something"
        reason = f"without '{self._noun}' the answer would be {shown}, and {why}"
        return Decision(None, attempts=(), warnings=(reason,), usage=self._decision.usage)

    def _replaced(self, attempt: Attempt, note: str) -> Decision:
        attempts = (*(each for each in self._decision.attempts if each is not self._chosen), attempt)
        warnings = (*self._decision.warnings, note)
        return replace(self._decision, chosen=attempt, attempts=attempts, warnings=warnings)

    def _unchecked(self) -> Decision:
        """The decision with a note that the noun was not checked, and of what kind the graph says that they are."""
        typed = kind_relations(self._graph)
        if self._graph.has_times:
            return self._named_so()
        if self._noun in ANYBODY and not typed:
            return self._decision
        note = f"Not checked: that '{self._noun}' is what these are"
        for relation in typed:
            program = Program(self._found)
            program.add(f"get_information(head_entity={program.last}, relation={quote(relation)})")
            if (kinds := self._run(program.text).answer) and kinds.answer:
                said = f"by '{relation}' they are {some_of([str(value) for value in kinds.answer])}"
                if same_kind(self._noun) and not any(_may_be(self._noun, str(kind)) for kind in kinds.answer):
                    return self.refused(said)
                note += f"; {said}"
                break
        return replace(self._decision, warnings=(*self._decision.warnings, f"{note}."))

    def _named_so(self) -> Decision:
        """The decision, with a note where only some of what was found has the noun in its name: a castle, an estate."""
        answer = self._run(self._found).answer
        names = [str(value) for value in answer.answer] if answer else []
        forms = forms_of_noun(self._noun)
        others = [name for name in names if {word.text.lower() for word in words_of(name)}.isdisjoint(forms)]
        if not others or len(others) == len(names):
            return self._decision
        note = f"Not checked: that '{self._noun}' is what {some_of(others)} is."
        return replace(self._decision, warnings=(*self._decision.warnings, note))
