"""Credentials are masked, what looks alike stays, and the work is linear in the text."""

from itertools import pairwise
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.credentials import Made, is_found, is_kept, made

from shadowgraph.masking import packaged

SHAPES = packaged()
MARKERS = sorted({m for shape in SHAPES.shapes for m in shape.markers})
# Pieces that patterns begin, go on and end with.
PIECES = st.sampled_from(
    [
        *MARKERS, *SHAPES.cores, "password=", "token: ", '"', "'", "\\n", "\n", " ", "=",
        "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "://", "@", ":", "--",
        "[secret:token]", "[secret:", "]", "Ab3", "a1b2c3d4e5f6", "eyJhbGciOiJI", ".", "İ",
        "AKIA", "QQ7ZQ2Z7PPLMNBVC", "(", ", ", "xx", "é", "\u2028",
    ]
)  # fmt: skip
HARD = st.lists(PIECES | st.text(max_size=6), max_size=30).map("".join)


def _corpus(file: str) -> list[Made]:
    """Return the texts of one file of the corpus, made with one seed."""
    return list(made(file, 1))


@pytest.mark.parametrize("one", _corpus("secrets.jsonl"), ids=lambda one: one.kind)
def test_a_credential_is_masked_and_nothing_else(one: Made) -> None:
    """Its kind is named in its place, and the rest of the text stays."""
    assert is_found(one)
    assert is_kept(one)


@pytest.mark.parametrize("one", _corpus("lookalikes.jsonl"))
def test_what_looks_like_a_credential_stays(one: Made) -> None:
    """Hashes, ids, images, placeholders, code and prose."""
    assert (one.text, {}) == SHAPES.mask(one.text)


def test_every_credential_of_a_text_is_counted_by_kind() -> None:
    """Two of one kind and one of another."""
    tokens = [one.secret for one in made("secrets.jsonl", 5) if one.kind == "gitlab-token"]
    text, counts = SHAPES.mask(f"{tokens[0]} {tokens[1]} PGPASSWORD=s3same9x psql")

    assert (
        "[secret:gitlab-token] [secret:gitlab-token] PGPASSWORD=[secret:password] psql"
        == (text)
    )
    assert {"gitlab-token": 2, "password": 1} == counts


@pytest.mark.parametrize(
    "name", ["DB_PASSWORD", "dbPassword", "db-password", "db.password", "password2"]
)
def test_names_are_read_whatever_their_case_and_separators(name: str) -> None:
    """One word has many spellings."""
    assert f"{name}=[secret:password]" == SHAPES.mask(f"{name}=s3same9x")[0]


@pytest.mark.parametrize("name", ["tokens", "tokenizer", "bypass", "passwords", "keyboard"])
def test_a_name_that_goes_on_is_another_name(name: str) -> None:
    """The credential's word must end it."""
    assert f"{name}=a1b2c3d4e5f6" == SHAPES.mask(f"{name}=a1b2c3d4e5f6")[0]


def test_the_specific_kind_wins_over_the_name_before_it() -> None:
    """The name only says that there is something."""
    token = next(o.secret for o in made("secrets.jsonl", 1) if o.kind == "github-token")

    assert {"github-token": 1} == SHAPES.mask(f"PASSWORD={token}")[1]


def test_a_value_longer_than_is_looked_at_is_masked_to_its_end() -> None:
    """No part of a credential is left over."""
    value = "".join(f"x{number}Q" for number in range(900))

    assert "token=[secret:token], then" == SHAPES.mask(f"token={value}, then")[0]


@given(HARD)
def test_masking_twice_is_masking_once(text: str) -> None:
    """A second import must find what the first one stored."""
    once, _ = SHAPES.mask(text)

    assert (once, {}) == SHAPES.mask(once)


@given(HARD)
def test_what_is_found_stands_in_order_and_apart(text: str) -> None:
    """Otherwise a replacement would cut another one."""
    spans = SHAPES.find(text)

    assert all(0 <= span.start < span.end <= len(text) for span in spans)
    assert all(a.end <= b.start for a, b in pairwise(spans))


@given(HARD)
def test_a_text_that_may_hold_nothing_holds_nothing(text: str) -> None:
    """The quick look beforehand may say yes in vain and never no."""
    if not SHAPES.may_hold(text):
        assert [] == SHAPES.find(text)


@pytest.mark.parametrize("piece", [*MARKERS, "password=", "token: a1", "-----BEGIN X-----"])
def test_no_repeated_marker_takes_long(piece: str) -> None:
    """64 KiB of anything: what backtracks takes minutes, what is linear far below a second."""
    for tail in ("", " ", "a", "A1-", ".x", "='"):
        text = (piece + tail) * (65_536 // len(piece + tail))
        begun = process_time()
        SHAPES.mask(text)
        assert process_time() - begun < 10


@given(st.lists(PIECES, min_size=1, max_size=4).map("".join))
def test_no_repeated_pieces_take_long(piece: str) -> None:
    """Whatever they are put together from."""
    begun = process_time()
    SHAPES.mask(piece * (16_384 // len(piece)))

    assert process_time() - begun < 10
