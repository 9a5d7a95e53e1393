"""RDF/XML and JSON-LD, through rdflib: it reads every encoding of XML, and JSON-LD 1.1.

rdflib fills a graph. Here the store of that graph hands each quad on and keeps nothing. A hostile file cannot make the
reader fetch from the network, read other files, or grow without bounds.
"""

from __future__ import annotations

import logging
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn
from xml.parsers import expat
from xml.sax.xmlreader import InputSource

from cgstore.errors import BadFile
from cgstore.loaders.rdf.files import HEAD, Opened
from cgstore.loaders.rdf.stage import RDF, BadTerm, RawQuad, Term, blank_term, iri_term, literal_term
from cgstore.text.json_text import read_json

if TYPE_CHECKING:
    from rdflib import Dataset


Add = Callable[[RawQuad], None]

_NEW_ATTRIBUTES = {f"{RDF}annotation", f"{RDF}annotationNodeID", f"{RDF}version"}
"""Attributes of RDF 1.2, which an older reader takes for properties."""

MAX_GROWTH = 1_000_000
"""Characters of text that an RDF/XML file may have beyond its bytes."""

MAX_TEXT = 16_000_000
"""Longest text in RDF/XML, in characters, as in Turtle."""

MAX_JSONLD = 256 << 20
"""Most bytes of an unpacked JSON-LD file. All of it is read into memory, where it is ten times as large."""

_LANGUAGE = re.compile("[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*")

_settings = threading.Lock()


def read_rdfxml(file: Opened, add: Add) -> None:
    """Hands on the quads of an RDF/XML file; raises whatever the parser raises."""
    from rdflib.plugins.parsers.rdfxml import create_parser

    check_entities(file)
    source = InputSource(file.base)
    source.setByteStream(file.data)
    with _lexical_forms():
        reader: Any = create_parser(source, _dataset(add).default_graph)  # type: ignore[arg-type]
        _require_namespaces(reader.getContentHandler())
        _limit_growth(reader)
        try:
            reader.parse(source)
        except BadTerm as error:
            raise BadFile(f"{file.path}, line {reader.getLineNumber()}: {error}", "Correct it there.") from error


def _require_namespaces(handler: Any) -> None:
    """Makes rdflib refuse elements without a namespace, whose names it takes for relative IRIs."""
    convert = handler.convert

    def strict(name: Any, qname: Any, attributes: Any) -> Any:
        if name[0] is None:
            handler.error(f"the element <{name[1]}> has no namespace")
        return convert(name, qname, attributes)

    handler.convert = strict


def _limit_growth(reader: Any) -> None:
    """Refuses long text, and text that entities make longer than the file: rdflib's time is quadratic in its length."""
    handler = reader.getContentHandler()
    characters = handler.characters
    count = 0

    def limited(content: str) -> None:
        nonlocal count
        count += len(content)
        if count > reader._parser.CurrentByteIndex + MAX_GROWTH:
            raise BadTerm("entities make the text much longer than the file")
        if len(getattr(handler.current, "data", None) or "") > MAX_TEXT:
            raise BadTerm(f"a text longer than {MAX_TEXT:,} characters")
        characters(content)

    handler.characters = limited


_JSON_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
_NOT_IN_IRI = re.compile(r'[\s<>"{}|^`\\]')


def read_jsonld(file: Opened, add: Add) -> None:
    """Hands on the quads of a JSON-LD file; raises whatever the parser raises."""
    from rdflib.plugins.shared.jsonld.context import Context

    data = file.data.read(MAX_JSONLD + 1)
    if len(data) > MAX_JSONLD:
        raise BadFile(
            f"{file.path} is JSON-LD of more than {MAX_JSONLD:,} bytes.", "Convert it to N-Triples or N-Quads."
        )
    text = data.decode("utf-8-sig")
    document = read_json(text, parse_constant=_refuse_constant)
    check_contexts(file.path, document)
    with _lexical_forms():
        try:
            _strict_parser().parse(document, Context(base=file.base, version=1.1), _dataset(add))
        except BadTerm as error:
            raise _with_line(file.path, text, error) from error


def _with_line(path: Path, text: str, error: BadTerm) -> Exception:
    """The error, with the line of the first name in a document of JSON-LD that makes its IRI, if there is one."""
    for match in _JSON_TEXT.finditer(text):
        name = read_json(match[0])
        if name and _NOT_IN_IRI.search(name) and error.term.endswith(name):
            line = text.count("\n", 0, match.start()) + 1
            return BadFile(
                f"{path}, line {line}: '{name[:100]}' makes an IRI that is not one: {error}",
                'Rename it, or give it an IRI in @context: {"unit price": "http://schema.org/price"}.',
            )
    return error


def _strict_parser() -> Any:
    """rdflib's parser of JSON-LD, which here refuses bad IRIs, languages and datatypes: rdflib would skip them."""
    from rdflib.plugins.parsers.jsonld import Parser
    from rdflib.term import URIRef

    class Strict(Parser):
        def _to_rdf_id(self, context: Any, id_val: str) -> Any:
            node = super()._to_rdf_id(context, id_val)
            if node is None or id_val in self.invalid_uri_to_bnode:
                raise BadTerm(f"{id_val[:200]!r} is not an IRI", id_val)
            return node

        def _to_object(self, dataset: Any, graph: Any, context: Any, term: Any, node: Any, inlist: bool = False) -> Any:
            if isinstance(node, dict):
                language, datatype = context.get_language(node), context.get_type(node)
                if isinstance(datatype, str) and context.get_value(node) is not None and not language:
                    self._check_datatype(context, datatype)
            else:
                language = node[1] if isinstance(node, tuple) else None
            if isinstance(language, str) and not _LANGUAGE.fullmatch(language):
                raise BadTerm(f"{language[:60]!r} is not a language tag")
            return super()._to_object(dataset, graph, context, term, node, inlist)

        def _check_datatype(self, context: Any, datatype: str) -> None:
            if datatype not in context.get_keys("@json") and ":" not in URIRef(context.expand(datatype) or ""):
                raise BadTerm(f"{datatype[:200]!r} is not an IRI")

    return Strict()


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not JSON")


@contextmanager
def _lexical_forms() -> Iterator[None]:
    """Makes rdflib keep literals as they are written (else "01" becomes 1), and log nothing about them."""
    import rdflib

    logger = logging.getLogger("rdflib")
    with _settings, warnings.catch_warnings():
        kept, level = rdflib.NORMALIZE_LITERALS, logger.level
        warnings.simplefilter("ignore")
        rdflib.NORMALIZE_LITERALS = False
        logger.setLevel(logging.CRITICAL + 1)
        try:
            yield
        finally:
            rdflib.NORMALIZE_LITERALS = kept
            logger.setLevel(level)


def _dataset(add: Add) -> Dataset:
    """An empty data set whose store hands on what is added to it."""
    from rdflib import Dataset
    from rdflib.graph import DATASET_DEFAULT_GRAPH_ID
    from rdflib.store import Store

    convert = _converter()

    class Sink(Store):
        context_aware = True
        graph_aware = True

        def add(self, triple: Any, context: Any = None, quoted: bool = False) -> None:
            subject, predicate, value = triple
            name = getattr(context, "identifier", None)
            graph = None if name is None or name == DATASET_DEFAULT_GRAPH_ID else convert(name)
            if str(predicate) in _NEW_ATTRIBUTES:
                raise BadTerm(f'{predicate} belongs to RDF 1.2, but the root element has no rdf:version="1.2"')
            add(RawQuad(convert(subject), convert(predicate), convert(value), graph))

        def namespaces(self) -> Iterator[Any]:
            return iter(())

        def _ignore(self, *arguments: Any, **names: Any) -> None:
            pass

        add_graph = bind = namespace = prefix = _ignore

    return Dataset(store=Sink())


def _converter() -> Callable[[Any], Term]:
    """A function from a term of rdflib to one of ours, which refuses what is not an IRI."""
    from pyoxigraph import NamedNode
    from rdflib import BNode, Literal

    checked: set[str] = set()

    def check(iri: str) -> str:
        if iri not in checked:
            try:
                NamedNode(iri)
            except ValueError as error:
                raise BadTerm(f"{iri[:200]!r} is not an IRI: {error}", iri) from error
            if len(checked) >= 100_000:
                checked.clear()
            checked.add(iri)
        return iri

    def convert(term: Any) -> Term:
        if isinstance(term, Literal):
            return literal_term(str(term), check(str(term.datatype)) if term.datatype else "", term.language or "")
        if isinstance(term, BNode):
            return blank_term(str(term))
        return iri_term(check(str(term)))

    return convert


# Guards against hostile files


MAX_ENTITY = 1_000
"""Longest text of an entity: those of honest files are namespaces. Expat itself stops growth beyond 100 times."""

_NO_FETCH = "cgstore fetches nothing: put its contents in the file."


def check_entities(file: Opened) -> None:
    """Checks the beginning of an RDF/XML file. Its document type declaration may only define entities for namespaces.

    Raises:
        BadFile: the declaration is long, or refers to another file; an entity refers to one, holds entities or is
            long; or the first element is not of RDF (most likely a web page).
    """
    prolog = _Prolog(file.path)
    try:
        prolog.parser.Parse(file.head, False)
    except expat.ExpatError:
        return  # the reader will say what is wrong, and where
    if not prolog.is_over and len(file.head) == HEAD:
        prolog.refuse(f"no element in the first {HEAD:,} bytes.")


class _Prolog:
    """The part of an XML file before its first element, and that element's namespaces."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._is_rdf = self.is_over = False
        self.parser = expat.ParserCreate(namespace_separator=" ")
        self.parser.StartDoctypeDeclHandler = self._declaration
        self.parser.EntityDeclHandler = self._entity
        self.parser.StartNamespaceDeclHandler = self._namespace
        self.parser.StartElementHandler = self._element

    def refuse(self, problem: str, hint: str = "Write the text out, or remove it.") -> NoReturn:
        raise BadFile(f"{self._path}, line {self.parser.CurrentLineNumber}: {problem}", hint)

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
    """Raises BadFile for a context that would be fetched, at any depth, and for RDF-star, which rdflib would skip."""
    waiting = [document]
    while waiting:
        item = waiting.pop()
        if isinstance(item, list):
            waiting.extend(item)
        elif isinstance(item, dict):
            waiting.extend(item.values())
            _check_context(path, item.get("@context"))
            if "@annotation" in item or isinstance(item.get("@id"), dict | list):
                raise BadFile(f"{path} has statements about statements in JSON-LD.", "Convert it to Turtle.")


def _check_context(path: Path, context: Any) -> None:
    for part in context if isinstance(context, list) else [context]:
        if isinstance(part, dict) and "@import" in part:
            part = str(part["@import"])
        if isinstance(part, str):
            raise BadFile(f"{path} refers to the context {part[:200]}.", _NO_FETCH)
