"""What a hostile RDF/XML or JSON-LD file might do to its reader: fetch from the network, read files, or blow up."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn
from xml.parsers import expat

from cgstore.errors import BadInput
from cgstore.loaders.rdf_files.opened import HEAD, Opened
from cgstore.loaders.rdf_files.terms import RDF

MAX_ENTITY = 1_000
"""Longest text of an entity; those of honest files are namespaces. Expat itself stops what grows beyond 100 times."""

_NO_FETCH = "cgstore fetches nothing: put its contents in the file."


def check_entities(file: Opened) -> None:
    """Looks at how an RDF/XML file begins: its document type declaration may define entities for namespaces.

    Raises:
        BadInput: an entity or the declaration refers to another file, an entity holds entities or is long, the
            declaration is, or the first element is not of RDF (a web page, most likely).
    """
    prolog = _Prolog(file.path)
    try:
        prolog.parser.Parse(file.head, False)
    except expat.ExpatError:
        return  # the reader says what is wrong, and where
    if not prolog.is_over and len(file.head) == HEAD:
        prolog.refuse(f"no element in the first {HEAD:,} bytes.")


class _Prolog:
    """What comes before the first element of an XML file, and that element's namespaces."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_rdf = self.is_over = False
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self._declaration
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartNamespaceDeclHandler = self._namespace
        self.parser.StartElementHandler = self._element

    def refuse(self, problem: str, hint: str = "Write the text out, or remove it.") -> NoReturn:
        raise BadInput(f"{self._path}, line {self.parser.CurrentLineNumber}: {problem}", hint)

    def _declaration(self, name: str, system: str | None, public: str | None, internal: int) -> None:
        if system or public:
            self.refuse(f"the document type declaration refers to {system or public}, and cgstore fetches nothing.")

    def _entity(self, name: str, parameter: int, value: str | None, *where: str | None) -> None:
        if value is None:
            reference = next(filter(None, where), "another file")
            self.refuse(f"the entity '{name}' refers to {reference}, and cgstore fetches nothing.")
        if parameter or "&" in value:
            self.refuse(f"the entity '{name}' holds entities, or is one of the declaration itself.")
        if len(value) > MAX_ENTITY:
            self.refuse(f"the entity '{name}' is longer than {MAX_ENTITY:,} characters.")

    def _namespace(self, prefix: str | None, iri: str) -> None:
        self._is_rdf = self._is_rdf or iri == RDF

    def _element(self, name: str, attributes: Any) -> None:
        self.is_over = True
        self.parser.StartElementHandler = self.parser.StartNamespaceDeclHandler = None
        if not self._is_rdf:
            self.refuse(
                f"the first element, <{name}>, does not declare the namespace of RDF, {RDF}", "Is this RDF/XML?"
            )


def check_contexts(path: Path, document: Any) -> None:
    """Looks for contexts that are to be fetched, at any depth, and for RDF-star, which rdflib would pass over.

    Raises:
        BadInput: there is one.
    """
    waiting = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
            _check_context(path, item.get("@context"))
            if "@annotation" in item or isinstance(item.get("@id"), dict | list):
                raise BadInput(f"{path} has statements about statements in JSON-LD.", "Convert it to Turtle.")


def _check_context(path: Path, context: Any) -> None:
    for part in context if isinstance(context, list) else [context]:
        if isinstance(part, dict) and "@import" in part:
            part = str(part["@import"])
        if isinstance(part, str):
            raise BadInput(f"{path} refers to the context {part[:200]}.", _NO_FETCH)
