"""Words that mean the same: well-formed as data, symmetric, and never two opposites."""

import shutil
from itertools import combinations
from pathlib import Path

import pytest

from shadowgraph.errors import DefinitionError
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition, load
from shadowgraph.search.synonyms import Synonyms, synonyms

INDEX = Path(__file__).parents[2] / "index"

OPPOSITES = [
    ("add", "remove"),
    ("increase", "decrease"),
    ("raise", "lower"),
    ("enable", "disable"),
    ("start", "stop"),
    ("lock", "unlock"),
    ("maximum", "minimum"),
    ("allow", "deny"),
    ("temporary", "permanent"),
    ("parallel", "sequential"),
    ("asynchronous", "synchronous"),
    ("frontend", "backend"),
    ("upgrade", "revert"),
    ("log in", "log out"),
    ("production", "staging"),
    ("slow", "fast"),
    ("big", "small"),
    ("daily", "weekly"),
]
RIVALS = ["postgres", "sqlite", "mongodb", "elasticsearch", "kubernetes", "docker", "nfs"]


@pytest.fixture(scope="module")
def known(definition: Definition) -> Synonyms:
    """Return the packaged senses, taken apart by the packaged analyzer."""
    return synonyms(definition.synonyms, Analyzer(definition.analysis))


@pytest.fixture(scope="module")
def analyzer(definition: Definition) -> Analyzer:
    """Return the packaged analyzer."""
    return Analyzer(definition.analysis)


def means(known: Synonyms, analyzer: Analyzer, one: str, other: str) -> bool:
    """Say whether a text of one entry means what a text of another says."""
    said = analyzer.fields(one)[0].split()
    text = analyzer.fields(other)[0]
    stems = frozenset(text.split())
    return any(
        stems == meant.stems_in(f" {text} ", stems) for meant in known.of(said).values()
    )


def test_a_sense_has_entries_that_differ(
    definition: Definition, analyzer: Analyzer
) -> None:
    """Two forms of one word are one entry already; they would be there for nothing."""
    stemmed = [[analyzer.fields(e)[0] for e in sense] for sense in definition.synonyms]

    assert [] == [
        sense
        for sense, stems in zip(definition.synonyms, stemmed, strict=True)
        if len(set(stems)) != len(stems) or len(stems) < 2
    ]


def test_an_entry_has_one_sense(definition: Definition, analyzer: Analyzer) -> None:
    """Not even a form of it stands in two: that would make opposites meet."""
    stemmed = [
        {analyzer.fields(entry)[0] for entry in sense} for sense in definition.synonyms
    ]

    assert [] == [one & two for one, two in combinations(stemmed, 2) if one & two]


def test_no_entry_is_made_of_function_words(
    definition: Definition, analyzer: Analyzer
) -> None:
    """They stand in every text, so every text would mean the same."""
    small = set(analyzer.fields(" ".join(definition.function_words))[0].split())

    assert [] == [
        entry
        for sense in definition.synonyms
        for entry in sense
        if small.issuperset(analyzer.fields(entry)[0].split())
    ]


def test_meaning_the_same_goes_both_ways(
    definition: Definition, known: Synonyms, analyzer: Analyzer
) -> None:
    """Every entry finds every other of its sense."""
    one_way = [
        (one, other)
        for sense in definition.synonyms
        for one in sense
        for other in sense
        if one != other and not means(known, analyzer, one, other)
    ]

    assert [] == one_way


@pytest.mark.parametrize(("one", "other"), OPPOSITES)
def test_opposites_do_not_mean_the_same(
    known: Synonyms, analyzer: Analyzer, one: str, other: str
) -> None:
    """Raising a limit that was lowered is another thing."""
    assert not means(known, analyzer, one, other)
    assert not means(known, analyzer, other, one)


@pytest.mark.parametrize(("one", "other"), list(combinations(RIVALS, 2)))
def test_rival_products_do_not_mean_the_same(
    known: Synonyms, analyzer: Analyzer, one: str, other: str
) -> None:
    """What failed with one of them says nothing about the other."""
    assert not means(known, analyzer, one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("k8s", "Kubernetes"),
        ("PostgreSQL", "postgres"),
        ("deleted", "removing"),
        ("retries", "try again"),
        ("time limit", "timeouts"),
        ("concurrently", "parallel"),
        ("env vars", "environment variable"),
    ],
)
def test_a_word_finds_the_forms_of_another(
    known: Synonyms, analyzer: Analyzer, one: str, other: str
) -> None:
    """An entry stands for all its forms, in both directions."""
    assert means(known, analyzer, one, other)
    assert means(known, analyzer, other, one)


def test_a_phrase_counts_side_by_side_only(known: Synonyms, analyzer: Analyzer) -> None:
    """A time and a limit somewhere in a text are no time limit."""
    assert not means(known, analyzer, "timeout", "time of the limit")
    assert {} == known.of(analyzer.fields("shut the door, then lay it down")[0].split())


@pytest.mark.parametrize(
    "line", ["lonely", "twice, twice", "delete, unheard-of", "half, , empty"]
)
def test_a_malformed_sense_is_refused(tmp_path: Path, line: str) -> None:
    """The error names the file and shows the line."""
    root = Path(shutil.copytree(INDEX, tmp_path / "index"))
    with (root / "words" / "synonyms.txt").open("a", encoding="utf-8") as handle:
        handle.write(f"{line}\n")

    with pytest.raises(DefinitionError, match=f"synonyms.txt.*{line[:4]}"):
        load(root)
