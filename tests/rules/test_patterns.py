"""Patterns mean what they mean in Python, and none of them can take long."""

import re
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.conditions import FactRule, Observation, evaluate, parse_rule
from shadowgraph.rules.patterns import PATTERN_CHARACTERS, TEXT_CHARACTERS, compiled

ATOMS = st.sampled_from(
    [
        "a", "b", "1", "_", " ", ".", r"\d", r"\w", r"\s", r"\D", r"\W", r"\S", r"\.",
        "[ab]", "[^a]", "[a-c1]", r"[\d_]", r"[^\W_]", "[]a]", "[a-]", "^", "$", r"\b",
        r"\B", "é",
    ]
)  # fmt: skip
COUNTS = st.sampled_from(["*", "+", "?", "{2}", "{1,}", "{0,2}", "*?", "+?", "??", "{2}?"])
PATTERNS = st.recursive(
    ATOMS,
    lambda inner: (
        st.tuples(inner, inner).map("".join)
        | st.tuples(inner, inner).map(lambda pair: f"(?:{pair[0]}|{pair[1]})")
        | st.tuples(inner, COUNTS).map(lambda pair: f"({pair[0]}){pair[1]}")
    ),
    max_leaves=8,
)
TEXTS = st.text("ab1_ .éC\n", min_size=1, max_size=8)


@given(PATTERNS, TEXTS)
def test_a_pattern_is_found_where_python_finds_it(pattern: str, text: str) -> None:
    """The engine is another one; the language is the same, `$` being the very end."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = re.search(pattern.replace("$", r"\Z"), text) is not None

    assert expected == compiled(pattern).found_in(text)


@given(st.text(max_size=12) | PATTERNS, st.text(max_size=8))
def test_any_text_is_a_pattern_or_refused_with_the_place(pattern: str, text: str) -> None:
    """What is accepted, Python accepts as well."""
    refusal, found = "", None
    try:
        found = compiled(pattern).found_in(text)
    except InvalidInputError as error:
        refusal = error.message

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        understood = found is not None and re.compile(pattern) is not None
    assert understood or re.search("at character [0-9]+|repeats too much", refusal)


@pytest.mark.parametrize(
    ("pattern", "text", "expected"),
    [
        ("^v?1[68]\\.", "v18.2", True),
        ("^v?1[68]\\.", "2v18.2", False),
        ("(?i)POSTGRES(QL)?", "PostgreSQL 17", True),
        ("POSTGRES", "postgres", False),
        ("a{3}", "aaa", True),
        ("^a{2,3}$", "aaaa", False),
        ("", "", True),
        ("a|", "b", True),
        ("x$", "x\n", False),
        ("[^\\d.]", "1.2", False),
        ("[a\\]]", "]", True),
        ("\\tend", "\tend", True),
        ("日本", "在日本", True),
    ],
)
def test_the_corner_cases_of_patterns(pattern: str, text: str, expected: bool) -> None:
    """Edges, classes, cases and the empty pattern."""
    assert expected is compiled(pattern).found_in(text)


@pytest.mark.parametrize(
    ("pattern", "problem"),
    [
        (r"(a)\1", "not known here"),
        ("(?=a)b", "begins with"),
        ("(?P<name>a)", "begins with"),
        ("a**", "cannot be repeated"),
        ("*a", "nothing that"),
        ("^*", "an edge"),
        ("a{1,2000}", "{m}, {m,} or {m,n}"),
        ("a{2,1}", "goes up to"),
        ("a{101}", "goes up to"),
        ("a{x}", "{m}, {m,} or {m,n}"),
        ("(a", "not closed"),
        ("a)", "not opened"),
        ("[a", "not closed"),
        ("[z-a]", "from a lower"),
        ("a\\", "not known here"),
        ("(" * 30 + "a" + ")" * 30, "nested"),
        ("((a{9}){9}){9}", "repeats too much"),
        ("(((){100}){100}){100}", "repeats too much"),
        ("a" * (PATTERN_CHARACTERS + 1), "characters"),
    ],
)
def test_what_is_not_understood_is_refused(pattern: str, problem: str) -> None:
    """At the time of writing, where somebody can still do something about it."""
    with pytest.raises(InvalidInputError, match=re.escape(problem)):
        parse_rule({"key": "k", "operator": "matches", "value": pattern})


@pytest.mark.parametrize(
    "pattern", ["(a+)+$", "(a|a)*b", "(a*)*b", "(a|aa)+$", "(.*a){20}b", "(a?){90}a{90}b"]
)
def test_the_work_grows_with_the_text_and_not_with_its_ways(pattern: str) -> None:
    """Each of these would keep a backtracking engine busy for longer than anybody lives."""
    text = "a" * (TEXT_CHARACTERS - 1) + "!"

    assert not compiled(pattern).found_in(text)


@pytest.mark.parametrize(
    ("observed", "expected"),
    [
        ("16.2", "true"),
        (16, "true"),
        ("17", "false"),
        ({"v": 16}, "unknown"),
        ("16" * TEXT_CHARACTERS, "unknown"),
    ],
)
def test_a_condition_matches_the_text_of_a_value(observed: object, expected: str) -> None:
    """Objects have none, and a very long one is not asked."""
    rule = FactRule("k", "matches", "^16")

    assert expected == evaluate(rule, {"k": Observation(observed)}).verdict


def test_an_imported_pattern_that_is_none_is_unknown() -> None:
    """It was not written here and cannot be refused any more."""
    verdict = evaluate(FactRule("k", "matches", "("), {"k": Observation("a")})

    assert "unknown" == verdict.verdict
    assert "not closed" in verdict.reason
