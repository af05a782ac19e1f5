"""How a retracted record stands in the store: kept, and in no answer."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.bodies import PROJECT, attempt, decision, fact, first_schema, put

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.store.rows import COLUMNS, dump, values_of, watched_keys

OWNER = f"project:{PROJECT}"
OUT = {"retractedAt": "2026-11-15T12:00:00.000Z", "retractedReason": "x"}
FILTERS = (
    "status", "result_class", "confidence", "fact_key", "outcome", "review_after", "expires"
)  # fmt: skip
BODIES = st.one_of(
    st.builds(
        attempt,
        st.just("a"),
        resultClass=st.sampled_from([None, "failed"]),
        reusableWhen=st.lists(st.sampled_from(["k", {"key": "l"}]), max_size=2),
    ),
    st.builds(
        decision,
        st.just("d"),
        confidence=st.sampled_from([0.2, {"current": 0.4}]),
        outcome=st.sampled_from([None, {"status": "failed"}]),
        reviewAfter=st.sampled_from([None, "2026-01-01T00:00:00Z"]),
    ),
    st.builds(
        fact,
        st.just("f"),
        status=st.sampled_from(["active", "superseded"]),
        expiresAt=st.sampled_from([None, "2026-01-01T00:00:00Z"]),
    ),
)


@given(BODIES)
def test_a_retracted_row_answers_no_filter_and_watches_nothing(
    body: dict[str, Any],
) -> None:
    """Identity, owner and times stay, so it can be found by who asks for it."""
    held = dict(zip(COLUMNS, values_of(body | OUT), strict=True))
    plain = dict(zip(COLUMNS, values_of(body), strict=True))

    assert {None} == {held[name] for name in FILTERS}
    assert set() == watched_keys(body | OUT)
    kept = ("id", "kind", "owner", "created")
    assert {n: plain[n] for n in kept} == {n: held[n] for n in kept}
    assert (None, 1794744000000) == (plain["retracted"], held["retracted"])


def test_no_question_of_the_store_gives_a_retracted_record(library: Library) -> None:
    """Each of them, on a store where every record is retracted."""
    due = {"reviewAfter": "2026-01-01T00:00:00Z", "outcome": {"status": "failed"}}
    bodies = [
        attempt("a", reusableWhen=["k"], **OUT),
        decision("d", confidence={"current": 0.1}, **due, **OUT),
        fact("f", expiresAt="2026-01-01T00:00:00Z", **OUT),
        fact("g", key="other", status="superseded", **OUT),
    ]
    rows = [record.row for record in put(library, *bodies)]

    now = 2_000_000_000_000
    with library.store.read() as selection:
        answers: list[Any] = [
            selection.by_id("a"),
            selection.by_ids(["a", "d", "f"]),
            selection.by_rows(rows),
            selection.ids_like("a", None),
            selection.active_fact(OWNER, "postgres.version"),
            selection.facts_of(OWNER, ["postgres.version", "other"]),
            selection.watched(OWNER, 10),
            selection.watching(OWNER, ["k"], 10),
            selection.review_due(OWNER, now, 10),
            selection.stale_facts(OWNER, now, 10),
            selection.count_stale_facts(OWNER, now),
            selection.low_confidence(OWNER, 0.5, 10),
            selection.count_low_confidence(OWNER, 0.5),
            selection.every(),
            selection.rows(),
            selection.newest(),
            [change for change in selection.changes(0, 10) if change.body is not None],
        ]
    assert [] == [answer for answer in answers if answer]
    assert ({}, {}) == (library.store.counts(), library.store.counts(OWNER))


def test_a_retracted_record_is_given_to_who_asks_for_it(library: Library) -> None:
    """By id and in pages."""
    put(library, attempt("a", **OUT), attempt("b"))

    with library.store.read() as selection:
        assert ["a"] == [r.id for r in selection.by_ids(["a"], OWNER, retracted=True)]
    pages = library.store.pages(retracted=True)
    assert ["a", "b"] == [record.id for page in pages for record in page]


@pytest.mark.parametrize("at", ["2026-11-15T12:00:00Z", "some day", 17, True])
def test_whatever_an_import_says_in_retracted_at_takes_the_record_out(
    at: object, library: Library
) -> None:
    """An instant that cannot be read is no reason to show it."""
    line = dump(attempt("a", retractedAt=at))
    import_lines(library, [line])

    assert {} == library.store.counts()
    assert 1 == import_lines(library, [line]).unchanged


def test_a_store_of_the_first_schema_can_retract(tmp_path: Path) -> None:
    """It gets the column, and its records are what they were."""
    body = attempt("a", reason="oldword")
    first_schema(tmp_path, [body])

    with Library(tmp_path) as library:
        with library.store.read() as selection:
            held = selection.by_id("a")
        assert held is not None
        assert body == held.body
        assert {"attempt": 1} == library.store.counts(OWNER)
        assert 0 == library.store.epoch()
