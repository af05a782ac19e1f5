"""Nothing hidden is shown, and nothing else is changed."""

import json
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.rules.visibility import visible

HIDDEN = ["\x00", "\x1b", "\x7f", "\x9b", "\xad", "\u200b", "\u2028", "\u202e", "\ufeff"]
ANY = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from(HIDDEN))


@pytest.mark.parametrize("character", [*HIDDEN, "\u2066", "\U000e0041", "\U000e0100"])
def test_a_hidden_character_is_shown_as_its_escape(character: str) -> None:
    """JSON reads the escape as the character."""
    shown = visible(f"a{character}b")

    assert shown.isprintable()
    assert f"a{character}b" == json.loads(f'"{shown}"')


@pytest.mark.parametrize("text", ["a\tb\nc", "naïve 日本語 العربية", "e\u0301", "❤\ufe0f"])
def test_what_is_seen_stays(text: str) -> None:
    """Other scripts, accents, lines and tabs."""
    assert text == visible(text)


@given(ANY)
def test_no_control_is_left(text: str) -> None:
    """C0, C1 and delete; tab and newline are how text is laid out."""
    assert not [
        c for c in visible(text) if unicodedata.category(c) == "Cc" and c not in "\t\n"
    ]


@given(st.dictionaries(ANY, ANY))
def test_json_keeps_its_value(value: dict[str, str]) -> None:
    """A program reads what is stored."""
    assert value == json.loads(visible(json.dumps(value, ensure_ascii=False)))
