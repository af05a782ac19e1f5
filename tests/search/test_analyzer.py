"""One analyzer for documents, queries and highlights: what text becomes.

The table gives the two index fields of each text: stems and pairs in the order of the
text, then exact and whole tokens.
"""

import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shadowgraph.search.analyzer import STEMMED, Analyzer
from shadowgraph.search.definition import packaged
from shadowgraph.search.forms import forms
from shadowgraph.search.places import Finder, hints_of

ANALYZER = Analyzer(packaged().analysis)
HASH = "9fceb02d0ae598e95dc970b74767f19372d61af8"

ANY_TEXT = st.text(st.characters())
"Lone surrogates included, which a caller can send in a JSON escape."

HARD = ["C++", "#", "don't", "\u0301", "\u200d", "数据", "ß", "İ", "e\u0301", "_", "-", "/"]
HARDER = [
    "n't",
    "n",
    "t",
    "'",
    "’",
    ".",
    " ",
    "\n",
    "\x00",
    "\ud83d",
    "🚀",
    "v1.2",
    "a" * 300,
    "ﬁ",
    "สวัสดี",
    "가",
    "\u1100",
]
NASTY = st.lists(st.sampled_from(HARD + HARDER), max_size=12).map("".join)


@pytest.mark.parametrize(
    ("text", "stems", "exact"),
    [
        pytest.param("", "", "", id="nothing"),
        pytest.param("!!! >>> ()", "", "", id="signs alone"),
        pytest.param("ـ", "", "", id="a filler alone"),
        pytest.param(
            "database is locked", "databas is lock", "database is locked", id="words"
        ),
        pytest.param("LOCKING", "lock", "locking", id="case"),
        pytest.param("getUserById", "get user by id", "getuserbyid", id="camel"),
        pytest.param(
            "XMLHttpRequest",
            "xml http request xmlhttprequest",
            "xmlhttprequest",
            id="acronym",
        ),
        pytest.param("PostgreSQL", "postgr sql postgresql", "postgresql", id="a name"),
        pytest.param("OPENAI_API_KEY", "openai api key", "openaiapikey", id="snake"),
        pytest.param("openai-api-key", "openai api key", "openaiapikey", id="kebab"),
        pytest.param(
            "openaiApiKey",
            "openai api key openaiapikey",
            "openaiapikey",
            id="the same again",
        ),
        pytest.param("__init__", "init", "init", id="dunder"),
        pytest.param("--no-cache", "no cach", "nocache", id="option"),
        pytest.param("std::vector", "std vector", "stdvector", id="qualified"),
        pytest.param("node.js", "node js", "nodejs", id="dotted"),
        pytest.param(
            "src/utils/parser.ts",
            "src util parser ts",
            "srcutilsparserts parserts",
            id="path",
        ),
        pytest.param(r"C:\app\data", "c app data", "cappdata", id="windows path"),
        pytest.param(
            "user@example.com", "user exampl com", "userexamplecom examplecom", id="address"
        ),
        pytest.param("C++", "c++", "c++", id="C++"),
        pytest.param("c#", "c#", "c#", id="C#"),
        pytest.param("F#", "f#", "f#", id="F#"),
        pytest.param("C", "c", "c", id="C"),
        pytest.param(".NET", ".net", ".net", id=".NET"),
        pytest.param("v2.49.0", "2.49.0", "2.49.0 2.49", id="version"),
        pytest.param("3.11.7", "3.11.7", "3.11.7 3.11", id="version and its series"),
        pytest.param("E0382", "e0382", "e0382", id="error code"),
        pytest.param("utf8", "utf8", "utf8", id="digits stay with letters"),
        pytest.param("100%", "100", "100", id="number"),
        pytest.param(HASH, HASH, HASH, id="a hash of forty characters"),
        pytest.param("café", "cafe", "café", id="accent"),
        pytest.param("cafe\u0301", "cafe", "café", id="decomposed accent"),
        pytest.param("Größe", "gross groess", "grösse", id="umlaut and its spelling"),
        pytest.param("groesse", "groess", "groesse", id="umlaut spelt out"),
        pytest.param("Ёлка", "елк", "ёлка", id="Cyrillic"),
        pytest.param("שָׁלוֹם", "שלום", "שָׁלוֹם", id="niqqud"),
        pytest.param("नमस्ते", "नमस्ते", "नमस्ते", id="marks that are letters"),
        pytest.param("数据库", "数据 据库", "数 据 库", id="Chinese"),
        pytest.param("안녕하", "안녕 녕하", "안 녕 하", id="Korean"),
        pytest.param("สวัสดี", "สวั วัส สดี", "ส วั ดี", id="Thai"),
        pytest.param("库", "", "库", id="one character of a script without spaces"),
        pytest.param("ＡＢＣ", "abc", "abc", id="full width"),
        pytest.param("ﬁle", "file", "file", id="ligature"),
        pytest.param("🚀", "🚀", "🚀", id="emoji"),
        pytest.param("don't", "do not", "do not", id="contraction"),
        pytest.param("n't", "not", "not", id="contraction of nothing"),
        pytest.param("can’t", "can not", "can not", id="typographic apostrophe"),
        pytest.param("it's", "it", "it", id="possessive"),
        pytest.param("l'erreur", "l erreur", "l erreur", id="elision"),
        pytest.param("lo\u00adcked", "lock", "locked", id="soft hyphen"),
        pytest.param("a˘b", "ab", "a\u0306b", id="a sign that decomposes"),
        pytest.param("zero\u200bwidth", "zerowidth", "zerowidth", id="invisible"),
    ],
)
def test_text_becomes_tokens(text: str, stems: str, exact: str) -> None:
    """The same text gives the same tokens wherever it stands."""
    found = ANALYZER.fields(text)

    assert (stems, exact) == tuple(" ".join(field.split()) for field in found)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("naïve", "NAIVE"),
        ("running", "runs"),
        ("Müller", "Mueller"),
        ("straße", "strasse"),
        ("ｶﾀｶﾅ", "カタカナ"),
        ("ΟΔΟΣ", "οδος"),
        ("مُحَمَّد", "محمد"),
        ("cafe\u0301", "café"),
    ],
)
def test_two_spellings_share_a_stem(one: str, other: str) -> None:
    """Whoever asks in one spelling finds the other."""
    first, second = (set(ANALYZER.fields(text)[0].split()) for text in (one, other))

    assert first & second


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("C++", "C"),
        ("C#", "C"),
        ("F#", "F"),
        ("C#", "C++"),
        ("E0382", "E0383"),
        ("3.11", "3.12"),
        ("v1", "v2"),
        ("नमस्ते", "नमसत"),
    ],
)
def test_two_different_things_share_no_token(one: str, other: str) -> None:
    """Signs and digits that distinguish are never folded away."""
    first, second = (
        {term.text for span in ANALYZER.spans(text) for term in span.chunk.terms}
        for text in (one, other)
    )

    assert set() == first & second


def test_a_token_of_300_characters_is_cut_the_same_way_everywhere() -> None:
    """Tantivy's own analyzers would drop it from documents and queries."""
    longest = packaged().analysis.longest_token
    long = "x" * 300

    assert ("x" * longest, "x" * longest) == ANALYZER.fields(long)


def test_a_letter_under_many_combining_marks_is_still_the_letter() -> None:
    """Stacked marks fold away, and the text around them is not lost."""
    stacked = "a" + "\u0301\u0300\u0302" * 50 + " locked"

    assert ["a", "lock"] == ANALYZER.fields(stacked)[0].split()


def test_a_combining_mark_without_a_letter_does_no_harm() -> None:
    """It has nothing to decorate."""
    assert "lock" in ANALYZER.fields("\u0301 locked")[0]


def test_spans_give_the_place_of_every_chunk() -> None:
    """Half-open character offsets into the text as it was given."""
    text = "  The café’s  getUserById!"

    found = [text[span.start : span.end] for span in ANALYZER.spans(text)]

    assert ["The", "café’s", "getUserById"] == found


def test_words_inside_an_identifier_are_marked_as_parts() -> None:
    """They count less than the word alone."""
    (span,) = ANALYZER.spans("user_id")

    parts = {term.text: term.part for term in span.chunk.terms}
    assert {"user": True, "id": True, "userid": False} == parts


@given(texts=st.lists(st.text(alphabet="abcdeLock -_.\né", max_size=60), max_size=4))
@example(texts=["b_ad"])
@example(texts=["the L-ock of c.a.b", "lock_bad b_a_d"])
def test_hints_find_what_a_look_at_every_chunk_finds(texts: list[str]) -> None:
    """A search for beginnings of the wanted words misses none of them."""
    wanted = frozenset({"lock", "bad", "cab"})

    finder = Finder(ANALYZER, wanted)

    assert finder.everywhere(texts) == finder.places(texts)


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("9fceb02", True),
        ("1234567", True),
        ("deadbeef", False),
        ("abc", False),
        ("9fceb0", False),
        ("9fceb02x", False),
    ],
)
def test_a_hash_is_told_from_a_word(word: str, expected: bool) -> None:
    """Seven hexadecimal digits or more, with a digit among them."""
    assert expected == ANALYZER.is_hash(word)


@given(ANY_TEXT | NASTY)
def test_analysing_never_raises_and_offsets_lie_inside_the_text(text: str) -> None:
    """Spans come in order, do not overlap, and hold no white space at their ends."""
    before = 0
    for span in ANALYZER.spans(text):
        assert before <= span.start < span.end <= len(text)
        assert not text[span.start].isspace()
        before = span.end


@given(ANY_TEXT | NASTY)
def test_fields_are_the_tokens_of_the_spans(text: str) -> None:
    """What is written into the index is what a query looks up."""
    stems, exact = ANALYZER.fields(text)

    terms = [term for span in ANALYZER.spans(text) for term in span.chunk.terms]
    in_text = [term.text for term in terms if term.form in STEMMED]
    in_exact = [term.text for term in terms if term.form in ("exact", "whole")]
    assert (in_text, in_exact) == (stems.split(), exact.split())


@given(ANY_TEXT | NASTY)
def test_no_token_is_empty_too_long_or_has_a_space(text: str) -> None:
    """Tokens are joined by spaces, so one with a space in it would be two."""
    longest = packaged().analysis.longest_token
    for span in ANALYZER.spans(text):
        for term in span.chunk.terms:
            assert term.text
            assert term.text.split() == [term.text]
            assert len(term.text) <= 2 * longest


@given(ANY_TEXT)
def test_every_letter_and_digit_lies_in_a_chunk(text: str) -> None:
    """Nothing that somebody could search for is dropped."""
    covered = {
        place for span in ANALYZER.spans(text) for place in range(span.start, span.end)
    }

    missing = [c for place, c in enumerate(text) if c.isalpha() and place not in covered]
    assert [] == [c for c in missing if not 0x2000 <= ord(c) < 0x3040]


@given(st.lists(ANY_TEXT, max_size=4))
def test_lines_are_analysed_independently(lines: list[str]) -> None:
    """A line break always parts two chunks."""
    joined = ANALYZER.fields("\n".join(lines))

    each = [ANALYZER.fields(line) for line in lines]
    for side in (0, 1):
        tokens = [token for fields in each for token in fields[side].split()]
        assert tokens == joined[side].split()


TRICKY = ["hoping", "skies", "capability", "readabilities", "happily", "dying", "timings"]


def test_every_word_begins_with_a_hint_for_its_stem(fixtures: Path) -> None:
    """Where it does not, an explanation would overlook that the word was found."""
    texts = [path.read_text(encoding="utf-8") for path in fixtures.rglob("*.jsonl")]
    words = {word.lower() for text in texts for word in re.findall("[A-Za-z]{2,40}", text)}
    made = {form for word in words for form in forms(ANALYZER.stem(word), ANALYZER)}

    overlooked = [
        word
        for word in (*words, *made, *TRICKY)
        if not word.startswith(hints_of([ANALYZER.stem(word)]) or ("?",))
    ]

    assert 5_000 < len(words | made)
    assert [] == overlooked
