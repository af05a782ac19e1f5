"""What is kept of an output: within its limit."""

from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.outputs import bounded, headline


@given(st.text(), st.integers(200, 1_000))
def test_a_bounded_text_keeps_its_limit_and_its_ends(text: str, most: int) -> None:
    """A short one is left as it is."""
    kept, truncated = bounded(text * 20, most)

    assert truncated == (len((text * 20).encode()) > most)
    assert len(kept.encode()) <= most
    assert truncated or kept == text * 20


def test_a_headline_names_command_or_first_line() -> None:
    """On one line."""
    assert "log: two words" == headline("log", "", None, "\n\n two  words\nmore")
    assert "test: make (exit status 0)" == headline("test", "make", 0, "ignored")
