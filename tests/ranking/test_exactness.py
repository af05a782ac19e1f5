"""Exactness: exact above stem, exact above part; the closer to what was written, the higher.

1. The word as it was written comes above another form of its stem.
2. Case is no difference between two words.
3. A word by itself comes above the same word inside an identifier.
4. In one answer it comes above another form, and that above a part of an identifier.
5. An identifier in any spelling comes above its words.
6. A file's name comes above its words in a sentence.
7. A version comes above a longer one that begins with it.
8. One error code never finds another.
9. An accent as it was written comes above the word without it, and both are found.
10. A name whose case changes and the same name in one case find each other.
"""

import pytest
from tests.ranking.asking import order, shown
from tests.store.bodies import attempt

from shadowgraph import Library

RECORDS = [
    attempt("attempt_gerund", solution="The writer was locking rows at night"),
    attempt("attempt_past", solution="The writer has locked rows at night"),
    attempt("attempt_alone", solution="Called the ledger by hand each second night"),
    attempt("attempt_inside", solution="Called get_ledger_row by hand each night"),
    attempt("attempt_paint", solution="Left the painting of walls to the morning"),
    attempt("attempt_painted", solution="Left the painted walls to the morning"),
    attempt("attempt_paint-job", solution="Left paint_walls to the morning"),
    attempt("attempt_whole", solution="Left OPENAI_API_KEY in the log of the worker"),
    attempt("attempt_words", solution="The key of openai was left in the log of its api"),
    attempt("attempt_file", solution="Cut src/query_parser.py into two files"),
    attempt("attempt_sentence", solution="Cut the query before the parser got it"),
    attempt("attempt_mixed", solution="Moved SQLite to the second disk"),
    attempt("attempt_lower", solution="Moved sqlite to the second disk"),
    attempt("attempt_3.11", solution="Ran the suite on Python 3.11 alone"),
    attempt("attempt_3.11.7", solution="Ran the suite on Python 3.11.7 alone"),
    attempt("attempt_E0382", solution="Silenced error E0382 with a clone"),
    attempt("attempt_E0383", solution="Silenced error E0383 with a clone"),
    attempt("attempt_accent", solution="Closed the café of the station"),
    attempt("attempt_plain", solution="Closed the cafe of the station"),
]


def test_1_the_word_as_written_comes_above_its_stem(corpus: Library) -> None:
    """Both are found, whichever of them is asked for."""
    assert [
        ("gerund", "The writer was locking rows at night"),
        ("past", "The writer has locked rows at night"),
    ] == shown(corpus, "locking")
    assert [
        ("past", "The writer has locked rows at night"),
        ("gerund", "The writer was locking rows at night"),
    ] == shown(corpus, "locked")


def test_2_case_is_no_difference(corpus: Library) -> None:
    """Somebody who shouts means the same word."""
    assert order(corpus, "locking") == order(corpus, "LOCKING") == ["gerund", "past"]


def test_3_the_word_itself_comes_above_a_part_of_an_identifier(corpus: Library) -> None:
    """`ledger` alone says more than `get_ledger_row`."""
    assert [
        ("alone", "Called the ledger by hand each second night"),
        ("inside", "Called get_ledger_row by hand each night"),
    ] == shown(corpus, "ledger")


def test_4_the_word_as_written_comes_above_other_form_and_part(corpus: Library) -> None:
    """The three of them in one answer, whichever form is asked for."""
    assert [
        ("paint", "Left the painting of walls to the morning"),
        ("painted", "Left the painted walls to the morning"),
        ("paint-job", "Left paint_walls to the morning"),
    ] == shown(corpus, "painting")
    assert ["painted", "paint", "paint-job"] == order(corpus, "painted")
    assert "paint-job" == order(corpus, "paints")[2]


@pytest.mark.parametrize("query", ["OPENAI_API_KEY", "openai-api-key", "openaiApiKey"])
def test_5_an_identifier_comes_above_its_words(corpus: Library, query: str) -> None:
    """The whole of it is one token, whatever joins its words."""
    assert [
        ("whole", "Left OPENAI_API_KEY in the log of the worker"),
        ("words", "The key of openai was left in the log of its api"),
    ] == shown(corpus, query)


def test_6_a_file_comes_above_its_words(corpus: Library) -> None:
    """Asked for by its name, without the directory."""
    assert [
        ("file", "Cut src/query_parser.py into two files"),
        ("sentence", "Cut the query before the parser got it"),
    ] == shown(corpus, "query_parser.py")


def test_7_a_version_comes_above_a_longer_one(corpus: Library) -> None:
    """And finds it: 3.11.7 is a 3.11."""
    assert [
        ("3.11", "Ran the suite on Python 3.11 alone"),
        ("3.11.7", "Ran the suite on Python 3.11.7 alone"),
    ] == shown(corpus, "3.11")


def test_8_one_error_code_never_finds_another(corpus: Library) -> None:
    """They differ in one digit and in everything else."""
    assert [("E0382", "Silenced error E0382 with a clone")] == shown(corpus, "E0382")
    assert [("E0383", "Silenced error E0383 with a clone")] == shown(corpus, "E0383")


def test_9_an_accent_as_written_comes_first(corpus: Library) -> None:
    """Not everybody has the key for it."""
    assert [
        ("accent", "Closed the café of the station"),
        ("plain", "Closed the cafe of the station"),
    ] == shown(corpus, "café")
    assert ["plain", "accent"] == order(corpus, "cafe")


@pytest.mark.parametrize("query", ["sqlite", "SQLite", "SQLITE", '"sqlite to the second"'])
def test_10_a_name_finds_itself_in_any_case(corpus: Library, query: str) -> None:
    """As it was written it comes first, where it was written with care."""
    found = order(corpus, query)

    assert {"mixed", "lower"} == set(found)
    assert "SQLite" not in query or found[0] == "mixed"
