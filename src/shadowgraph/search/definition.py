"""The index definition: read once, checked whole, frozen.

The only reader of `index/`. Two digests have different costs: `build` names the index
directory, so a changed field, analyzer or failure word builds a new index beside the old
one; `query` covers what is read at search time and costs nothing to change. Every
cross-reference is checked on load, and an error names the file.
"""

import hashlib
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from shadowgraph.errors import DefinitionError
from shadowgraph.rules.ending import LISTS

if TYPE_CHECKING:
    from shadowgraph.rules.wording import FailureWords

ROLES = ("title", "body", "scene")
"What a record field may be to the index."

PAD = "\u00b7"
"A token that no text can have: the analyzer takes it for a separator."


class FieldRule(NamedTuple):
    """One record field that is searched."""

    path: tuple[str, ...]
    "Steps into the body; `[]` after a step means each of a list."
    name: str
    "What hits call it."
    role: str
    "title, body or scene."
    signature: bool
    "Whether the errors it names are indexed."


class Analysis(NamedTuple):
    """Settings of the analyzer."""

    longest_token: int
    connectors: str
    language_tokens: tuple[str, ...]
    shortest_hash: int
    stemmers: Mapping[str, str]
    pairs: tuple[tuple[int, int], ...]
    "Half-open code point ranges of scripts without spaces."


@dataclass(frozen=True)
class Definition:
    """The whole definition."""

    version: int
    build_digest: str
    query_digest: str
    fields: Mapping[str, tuple[FieldRule, ...]]
    "Searched fields by record kind."
    title_repeat: int
    padding: int
    "Empty tokens between and behind texts, so that length counts less for short ones."
    unsearched: frozenset[str]
    "Keys skipped inside free objects."
    analysis: Analysis
    ranking: Mapping[str, Any]
    function_words: frozenset[str]
    synonyms: tuple[tuple[str, ...], ...]
    "Words and phrases that mean the same, by sense."
    failure_lists: Mapping[str, str]
    "Texts of the word lists that tell how an attempt ended."

    @cached_property
    def failure_words(self) -> "FailureWords":
        """The compiled word lists; 100 ms that only reading a wording costs."""
        from shadowgraph.rules.wording import parse_failure_words  # noqa: PLC0415

        return parse_failure_words(self.failure_lists)


def definition_root() -> Path:
    """Return the packaged definition, or the checkout's when running from source."""
    # By its place, as other packaged files: importlib.resources takes 6 ms to load.
    packaged = Path(__file__).parents[1] / "_index"
    return packaged if packaged.is_dir() else Path(__file__).parents[3] / "index"


@lru_cache(maxsize=1)
def packaged() -> Definition:
    """Return the definition that comes with the package, read once a process."""
    return load(definition_root())


def load(root: Path) -> Definition:
    """Read and check a definition.

    Raises:
        DefinitionError: a file is missing or malformed, or names something unknown.
    """
    manifest = _toml(root, "manifest.toml")
    with _malformed("manifest.toml"):
        version, built, build, query = (
            manifest[key] for key in ("version", "built", "build", "query")
        )
        texts = {name: _read(root, name) for name in (*build, *query)}
    fields = _parse(texts, "fields.toml")
    lists = {name: _listed(texts, f"words/{name}.txt") for name in LISTS}
    return Definition(
        version=int(version),
        build_digest=_digest(build, texts, f"version {built}"),
        query_digest=_digest(query, texts, ""),
        fields=_field_rules(fields),
        title_repeat=int(fields.get("title_repeat", 1)),
        padding=int(fields.get("padding", 0)),
        unsearched=frozenset(fields.get("unsearched", ())),
        analysis=_analysis(_parse(texts, "analyzers.toml")),
        ranking=_ranking(_parse(texts, "ranking.toml")),
        function_words=frozenset(word_list(_listed(texts, "words/function.en.txt"))),
        synonyms=_synonyms(_listed(texts, "words/synonyms.txt")),
        failure_lists=lists,
    )


def word_list(text: str) -> list[str]:
    r"""Return the entries of a word list: one a line, `#` starts a comment.

    >>> word_list("a # first\n\nb\n")
    ['a', 'b']
    """
    lines = (line.split("#", 1)[0].strip() for line in text.splitlines())
    return [line for line in lines if line]


def _synonyms(text: str) -> tuple[tuple[str, ...], ...]:
    """Return the senses; an entry stands in one of them, once."""
    senses = []
    seen: set[str] = set()
    for line in word_list(text):
        entries = tuple(entry.strip() for entry in line.split(","))
        again = [e for at, e in enumerate(entries) if e in seen or e in entries[:at]]
        if len(entries) < 2 or not all(entries) or again:
            raise DefinitionError(
                f"index/words/synonyms.txt: {line!r} needs two entries or more that"
                " stand nowhere else."
            )
        seen.update(entries)
        senses.append(entries)
    return tuple(senses)


def _read(root: Path, name: str) -> str:
    try:
        return root.joinpath(*name.split("/")).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DefinitionError(
            f"index/{name} cannot be read: {error}.",
            hint="Reinstall shadowgraph, or restore the file.",
        ) from error


def _toml(root: Path, name: str) -> dict[str, Any]:
    return _parse({name: _read(root, name)}, name)


@contextmanager
def _malformed(name: str) -> Iterator[None]:
    """Name the file whose entries lack something or have another shape."""
    try:
        yield
    except KeyError as error:
        raise DefinitionError(f"index/{name} lacks {error}.") from error
    except (TypeError, ValueError, AttributeError) as error:
        raise DefinitionError(f"index/{name} is malformed: {error}.") from error


def _listed(texts: Mapping[str, str], name: str) -> str:
    if name not in texts:
        raise DefinitionError(f"index/manifest.toml does not list {name}.")
    return texts[name]


def _parse(texts: Mapping[str, str], name: str) -> dict[str, Any]:
    text = _listed(texts, name)
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise DefinitionError(f"index/{name} is not TOML: {error}.") from error


def _digest(names: list[str], texts: Mapping[str, str], version: str) -> str:
    digest = hashlib.sha256(version.encode())
    for name in sorted(names):
        digest.update(f"{name}\0{texts[name]}\0".encode())
    return digest.hexdigest()[:16]


def _field_rules(table: Mapping[str, Any]) -> dict[str, tuple[FieldRule, ...]]:
    rules: dict[str, tuple[FieldRule, ...]] = {}
    for kind, entries in table.items():
        if not isinstance(entries, list) or kind == "unsearched":
            continue
        for entry in entries:
            if entry.get("role") not in ROLES or not entry.get("path"):
                raise DefinitionError(
                    f"index/fields.toml: {kind} {entry.get('path')!r} needs a path and"
                    f" a role of {', '.join(ROLES)}."
                )
        with _malformed("fields.toml"):
            rules[kind] = tuple(
                FieldRule(
                    tuple(e["path"].split(".")),
                    e["name"],
                    e["role"],
                    signature=bool(e.get("signature")),
                )
                for e in entries
            )
    return rules


def _analysis(table: Mapping[str, Any]) -> Analysis:
    with _malformed("analyzers.toml"):
        return Analysis(
            longest_token=int(table["longest_token"]),
            connectors=str(table["connectors"]),
            language_tokens=tuple(table["language_tokens"]),
            shortest_hash=int(table["shortest_hash"]),
            stemmers=dict(table["stemmers"]),
            pairs=tuple(
                (low, high) for entry in table["pairs"] for low, high in entry["ranges"]
            ),
        )


def _ranking(table: dict[str, Any]) -> dict[str, Any]:
    for section in ("boost", "query", "prior", "recency", "similar", "check", "recall"):
        if section not in table:
            raise DefinitionError(f"index/ranking.toml lacks [{section}].")
    return table
