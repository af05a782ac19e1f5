"""Masking: nothing secret is left, nothing else is touched, and patterns are bounded."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.redaction import ALWAYS, DEFAULT_PATTERNS, compiled, masked

SECRET = "s3cr3tvalu3"
PLAIN = st.sampled_from(["note", "size", "title", "value", "text", "a"])
NAMES = st.sampled_from(
    ["password", "DB_PASSWORD", "clientSecret", "api-key", "apiKey", "privateKey", *ALWAYS]
)
LEAVES = st.one_of(st.none(), st.booleans(), st.integers(), st.sampled_from(["x", "y z"]))


def values(leaves: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """Return JSON values with plain keys around some leaves."""
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.lists(inner, max_size=3), st.dictionaries(PLAIN, inner, max_size=3)
        ),
        max_leaves=8,
    )


@given(values(LEAVES))
def test_a_value_without_secrets_is_unchanged(value: Any) -> None:
    """At any depth."""
    assert value == masked(value, compiled(DEFAULT_PATTERNS))


@given(NAMES, values(st.just(SECRET)), values(LEAVES))
def test_no_secret_member_is_left_at_any_depth(name: str, secret: Any, rest: Any) -> None:
    """All that is below a secret key goes with it."""
    value = {"a": [{"note": rest, name: secret}]}
    copy = masked(value, compiled(DEFAULT_PATTERNS))

    assert SECRET not in json.dumps(copy)
    assert rest == copy["a"][0]["note"]
    assert name in copy["a"][0]


@pytest.mark.parametrize(
    "text",
    [
        f"Authorization: Bearer {SECRET}",
        f"bearer {SECRET}, and more",
        f"curl https://host.example/a?api_key={SECRET}",
        f"(https://host.example/token/{SECRET})",
    ],
)
def test_a_secret_inside_a_text_is_masked(text: str) -> None:
    """The words around it stay."""
    copy = masked(text, compiled(DEFAULT_PATTERNS))

    assert SECRET not in copy
    assert "[REDACTED]" in copy


@pytest.mark.parametrize("text", ["the bearer of news", "https://host.example/a", "token"])
def test_an_ordinary_text_stays(text: str) -> None:
    """A word alone is no secret."""
    assert text == masked(text, compiled(DEFAULT_PATTERNS))


def test_a_long_key_takes_no_long_time() -> None:
    """Only its beginning is matched."""
    patterns = compiled(["a*a*a*b"])

    assert {"a" * 100_000: 1} == masked({"a" * 100_000: 1}, patterns)


def test_there_is_a_most_of_patterns() -> None:
    """Fifty."""
    with pytest.raises(InvalidInputError):
        compiled(["a"] * 51)
