"""What is kept of an output: within its limit, without named secrets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.outputs import bounded, headline, hidden


@given(st.text(), st.integers(200, 1_000))
def test_a_bounded_text_keeps_its_limit_and_its_ends(text: str, most: int) -> None:
    """A short one is left as it is."""
    kept, truncated = bounded(text * 20, most)

    assert truncated == (len((text * 20).encode()) > most)
    assert len(kept.encode()) <= most
    assert truncated or kept == text * 20


@pytest.mark.parametrize("name", ["API_TOKEN", "db-password", "secret", "AWS_ACCESS_KEY"])
@pytest.mark.parametrize("joined", ["{}=v4lue", "{}: v4lue", '"{}": "v4lue"'])
def test_the_value_after_the_name_of_a_secret_is_masked(name: str, joined: str) -> None:
    """The name stays, so that the output can be read."""
    told = hidden(f"before {joined.format(name)} after")

    assert "v4lue" not in told
    assert name in told
    assert told.endswith("after")


@pytest.mark.parametrize("text", ["12 tokens used", "the key: word", "tokenizer: fast"])
def test_other_words_stay(text: str) -> None:
    """The masking is narrow."""
    assert text == hidden(text)


def test_a_long_line_takes_no_longer_per_character() -> None:
    """Half a megabyte without a break once took minutes."""
    text = "x" * 500_000

    assert text == hidden(text)


def test_a_headline_names_command_or_first_line() -> None:
    """On one line."""
    assert "log: two words" == headline("log", "", None, "\n\n two  words\nmore")
    assert "test: make (exit status 0)" == headline("test", "make", 0, "ignored")
