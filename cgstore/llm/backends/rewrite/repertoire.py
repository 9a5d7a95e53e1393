"""What the backend `demos` knows: the forms of all demonstrations, and those that fit the sources asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING

from cachetools import LRUCache

from cgstore.embedding.encoder import encode_cached
from cgstore.llm.backends.rewrite.relation_words import RelationWords
from cgstore.llm.backends.rewrite.same_words import trie_of
from cgstore.llm.backends.rewrite.unknown import Lexicon
from cgstore.llm.demonstrations import Demonstration, source_kinds
from cgstore.llm.demonstrations.forms import Form, forms_of
from cgstore.llm.demonstrations.masking import Reading, unmasked
from cgstore.llm.demonstrations.signals import SIGNAL_OF
from cgstore.llm.graph_view import GraphView
from cgstore.mapping.mentions import words_of
from cgstore.mapping.unknown_mentions import same_stem
from cgstore.source_kinds import TABLE, TKG
from cgstore.text.names import relation_forms

if TYPE_CHECKING:
    from cgstore.embedding.encoder import Encoder, Vectors

MAX_SCHEMAS = 16
"""Schemas of sources whose forms are remembered."""


class Knowledge:
    """The forms of demonstrations, the words in them, and their vectors once these are needed.

    Args:
        demonstrations: each with whether it is stored in the graph.
        encoder: makes the vectors.
    """

    def __init__(self, demonstrations: Iterable[tuple[Demonstration, bool]], encoder: Encoder) -> None:
        self.forms = forms_of(demonstrations)
        self._encoder = encoder
        self._places = {id(form): place for place, form in enumerate(self.forms)}
        self._fitting: LRUCache[tuple[tuple[str, ...], tuple[str, ...]], Repertoire] = LRUCache(MAX_SCHEMAS)

    @cached_property
    def lexicon(self) -> Lexicon:
        """The content words by relation."""
        return Lexicon(self.forms)

    @cached_property
    def vocabulary(self) -> frozenset[str]:
        """The words that questions consist of."""
        words = {word.text.lower() for form in self.forms for word in words_of(unmasked(form.masked))}
        return frozenset(words | SIGNAL_OF.keys())

    @cached_property
    def vectors(self) -> Vectors:
        """A vector for each of `forms`.

        Raises:
            NoModel: the encoder is not available.
        """
        return encode_cached(self._encoder, [form.masked for form in self.forms])

    def place_of(self, form: Form) -> int:
        """The place of a form in `forms`."""
        return self._places[id(form)]

    def repertoire(self, graph: GraphView) -> Repertoire:
        """The forms that fit the sources asked."""
        key = (tuple(graph.kinds), tuple(graph.relations))
        fitting = self._fitting.get(key)
        if fitting is None:
            fitting = self._fitting[key] = Repertoire(self.forms, *key)
        return fitting


class Repertoire:
    """The forms about sources of some kinds with some relations.

    Graphs without times also get the forms of temporal graphs that ask for no time. A stored demonstration teaches
    something about graphs that have its relations; the relations of others may be replaced.
    """

    def __init__(self, forms: Sequence[Form], kinds: Sequence[str], relations: Sequence[str]) -> None:
        wanted = set(source_kinds(kinds))
        timeless = wanted - {TABLE.name}
        known = {form for relation in relations for form in relation_forms(relation)}
        self.forms = [
            form
            for form in forms
            if (
                not form.demonstration.source
                or form.demonstration.source in wanted
                or (form.demonstration.source == TKG.name and timeless and not form.temporal)
            )
            and (not form.stored or all(relation_forms(relation) & known for relation in form.relations))
        ]
        self.trie = trie_of(self.forms)
        self.of_one_relation = [(form.masked, form.relations[0]) for form in self.forms if len(form.relations) == 1]
        self.relation_words = RelationWords(relations, self.of_one_relation)


def fits(form: Form, reading: Reading, ignored: Set[str] = frozenset()) -> bool:
    """Whether form and reading have the same numbers of names and times, the same signals and type of answer.

    `ignored` are signals of the form that do not count.
    """
    return (
        form.size == reading.size
        and reading.entities != ()
        and form.answer == reading.answer
        and form.signals - ignored == reading.signals
    )


def share_in(text: str, name: str) -> float:
    """The share of a name's words of which the text has a form."""
    words = [word.text.lower() for word in words_of(text)]
    parts = [part.text.lower() for part in words_of(name)]
    return sum(any(same_stem(part, word) for word in words) for part in parts) / max(1, len(parts))
