"""User text is data: a parser that cannot fail, and four forms that it knows."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.search.syntax import PASTE_CHARACTERS, Asked, parse

FORMS = ['"', "-", ":", "kind:", "status:", "kind:attempt", "-vacuum", '"a b"', " ", "word"]
OTHERS = [
    "AND",
    "OR",
    "NOT",
    "*",
    "~2",
    "^3",
    "[a TO b]",
    "{",
    "(",
    "\\",
    "\t",
    "--",
    "-1",
    "é",
]
FRAGMENTS = st.sampled_from(FORMS + OTHERS)
QUERIES = st.text() | st.lists(FRAGMENTS, max_size=10).map("".join)


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", Asked("")),
        ("database is locked", Asked("database is locked")),
        ('"database is locked"', Asked(" database is locked ", ("database is locked",))),
        ('wal "is locked" nfs', Asked("wal  is locked  nfs", ("is locked",))),
        ("wal -vacuum", Asked("wal  ", excluded=("vacuum",))),
        ("wal -vacuum -nfs", Asked("wal    ", excluded=("vacuum", "nfs"))),
        ("wal -vacuum kind:fact", Asked("wal    ", (), ("vacuum",), ("fact",))),
        ("kind:attempt wal", Asked("  wal", kinds=("attempt",))),
        ("Kind:attempt", Asked("Kind:attempt")),
        ("kind:ATTEMPT", Asked(" ", kinds=("attempt",))),
        ("kind:fact kind:task", Asked("   ", kinds=("fact", "task"))),
        ("status:failed", Asked(" ", statuses=("failed",))),
        ("wal status:superseded", Asked("wal  ", statuses=("superseded",))),
    ],
)
def test_a_known_form_is_taken_out_of_the_text(query: str, expected: Asked) -> None:
    """A phrase stays in the text too, because its words are searched as well."""
    assert expected == parse(query)


@pytest.mark.parametrize(
    "query",
    [
        "-foo",
        "-rf is an option",
        "--no-cache",
        "grep -fruit basket.txt",
        "the -wal file was not copied",
        "find . -name core",
        "a -1",
        "wal -x",
        "wal -vacuum=true",
        "wal-vacuum",
        "kind:guess",
        "kind:",
        "status:broken",
        "status: failed",
        "memory:safe",
        "content:'()'",
        'one " quote',
        '""',
        '"!!!"',
        'x"y z"',
        '"y z"x',
        "a AND b OR NOT c",
        "title:foo~2^3 [a TO b] {c}",
        "C:\\Users\\x",
        "std::vector",
        "error[E0382]",
        "https://example.org/a?b=c&d",
        "*",
        "a*",
    ],
)
def test_whatever_is_no_form_is_text(query: str) -> None:
    """Including what other query languages would obey."""
    assert Asked(query) == parse(query)


@pytest.mark.parametrize(
    "query",
    [
        'Traceback:\n  raise "x y" -foo kind:fact',
        "x" * PASTE_CHARACTERS + ' -vacuum kind:fact "a b"',
    ],
)
def test_a_paste_has_no_syntax(query: str) -> None:
    """More than one line, or long: a log, in which a sign means nothing."""
    assert Asked(query) == parse(query)


def test_a_trailing_line_break_does_not_make_a_paste() -> None:
    """Copying a line often takes it along."""
    assert ("vacuum",) == parse("wal -vacuum\n").excluded


@given(QUERIES)
def test_parsing_never_raises_and_only_takes_known_forms(query: str) -> None:
    """Values of forms come from their lists, phrases and exclusions from the query."""
    asked = parse(query)

    assert set(asked.kinds) <= {"attempt"}
    assert () == asked.statuses
    assert all(f'"{phrase}"' in query for phrase in asked.phrases)
    assert all(f"-{word}" in query for word in asked.excluded)


@given(QUERIES)
def test_no_word_of_a_query_is_lost(query: str) -> None:
    """Each is searched, excluded, or names a kind or a state."""
    asked = parse(query)

    kept = [asked.text, *asked.excluded, *asked.kinds, "kind"]
    letters = {c.lower() for c in query if c.isalnum()}
    assert letters <= {c for part in kept for c in part.lower()}


@given(st.text(st.characters(exclude_characters='":-')))
def test_text_without_signs_of_a_form_is_left_alone(query: str) -> None:
    """Nothing is taken, nothing is added; only the ends are trimmed."""
    asked = parse(query)

    assert Asked(asked.text) == asked
    assert query.strip() == asked.text.strip()
