"""From a record's body to what is searched of it.

`texts` walks the fields that the definition names; the index, the snippets and the
explanations all read a record through it, so what is shown is what was searched.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from shadowgraph.model.kinds import LINK_KINDS
from shadowgraph.model.scope import audience_of, is_private
from shadowgraph.rules.ending import Outcome, told
from shadowgraph.rules.facets import confidence_of, created_of
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import PAD, Definition, FieldRule
from shadowgraph.search.schema import WORD_FIELDS, Document
from shadowgraph.search.signatures import signed
from shadowgraph.search.traits import pack, result_of

PRIVATE = "private"
"Term that stands for the kind of a memory with a scope."


def is_searched(body: Mapping[str, Any]) -> bool:
    """Say whether the index holds a record; relations and reviews are only kept."""
    return body.get("kind") not in LINK_KINDS


def texts(
    body: Mapping[str, Any], definition: Definition
) -> Iterator[tuple[FieldRule, str]]:
    """Yield every searched text of a record with the rule that found it."""
    for rule in definition.fields.get(str(body.get("kind")), ()):
        if len(rule.path) == 1 and isinstance(plain := body.get(rule.path[0]), str):
            if plain:
                yield rule, plain
            continue
        for text in _at(body, rule.path, definition.unsearched):
            if text:
                yield rule, text


def _at(value: Any, path: Sequence[str], skip: Collection[str]) -> Iterator[str]:
    if not path:
        yield from leaves(value, skip)
        return
    step = path[0].removesuffix("[]")
    held = value.get(step) if isinstance(value, Mapping) else None
    if path[0].endswith("[]") and isinstance(held, list):
        for item in held:
            yield from _at(item, path[1:], skip)
    elif held is not None:
        yield from _at(held, path[1:], skip)


def leaves(value: Any, skip: Collection[str] = ()) -> Iterator[str]:
    """Yield every text, number and truth value inside a JSON value, depth first.

    Values under a key in *skip* are left out.

    >>> list(leaves({"a": ["x", 2], "b": None}))
    ['x', '2']
    """
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            if key not in skip:
                yield from leaves(item, skip)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from leaves(item, skip)
    elif value is not None:
        yield str(value)


def outcome_of(body: Mapping[str, Any], definition: Definition) -> Outcome | None:
    """Return how an attempt ended and on what basis; None for another kind."""
    if body.get("kind") != "attempt":
        return None
    known = told(body)
    if known is not None:
        return known
    # Imported, and its words compiled, here: most records say how they ended.
    from shadowgraph.rules.outcome import classify  # noqa: PLC0415

    return classify(body, definition.failure_words)


def prepare(
    row: int, body: Mapping[str, Any], definition: Definition, analyzer: Analyzer
) -> Document:
    """Return the index document of a record."""
    outcome = outcome_of(body, definition)
    words: dict[str, list[str]] = {name: [] for name in WORD_FIELDS}
    for rule, found in texts(body, definition):
        stems, exacts = analyzer.fields(found)
        times = definition.title_repeat if rule.role == "title" else 1
        words["text"] += [stems] * times
        words["exact"] += [exacts] * times
        if rule.role == "title":
            words["title"].append(stems)
        elif rule.role == "scene":
            words["scene"] += [stems, exacts]
        if rule.signature:
            words["signature"] += signed(found)
    prepared = {name: " ".join(parts) for name, parts in words.items()}
    prepared["text"] = _parted([text for text in words["text"] if text], definition.padding)
    return Document(
        row=row,
        terms=_terms(body, outcome.cls if outcome else None),
        words=prepared,
        created=created_of(body),
        confidence=confidence_of(body),
        traits=pack(body, result_of(outcome)),
    )


def _parted(texts: list[str], padding: int) -> str:
    """Join texts so that no phrase runs from one into the next.

    The empty tokens between them come out of the *padding* that makes every record longer.
    """
    behind = max(0, padding - max(0, len(texts) - 1))
    return f" {PAD} ".join(texts) + f" {PAD}" * behind


def _terms(body: Mapping[str, Any], result: str | None) -> dict[str, str]:
    terms = {
        "owner": audience_of(body),
        # Found by its own audience alone, however a search is filtered.
        "kind": PRIVATE if is_private(body) else body.get("kind"),
        "status": body.get("status"),
        "result": result,
        "source": body.get("sourceClass"),
    }
    return {name: value for name, value in terms.items() if isinstance(value, str)}
