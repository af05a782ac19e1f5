"""What was exported and imported is what it was, and a second import changes nothing."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.store.bodies import attempt, decision, fact

from shadowgraph import Library
from shadowgraph.exchange import export_lines, import_lines

FIXTURES = Path(__file__).parents[2] / "fixtures"
RECORD_FILES = sorted(
    path
    for path in FIXTURES.glob("*/*.jsonl")
    # Recipes of credentials, counts of tokens and judged texts are no records.
    if path.parent.name not in ("outcomes", "secrets", "tokens")
    and path.name
    not in ("queries.jsonl", "bad-lines.jsonl", "judged.jsonl", "held-out.jsonl")
)

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False)
    # Infinity is not JSON.
    .filter(lambda number: abs(number) != float("inf"))
    | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3)
    ),
    max_leaves=8,
)


def lines_of(*bodies: dict[str, Any]) -> list[str]:
    """Return bodies as lines."""
    return [json.dumps(body, ensure_ascii=False) for body in bodies]


def exported(library: Library) -> list[dict[str, Any]]:
    """Return everything that an export gives."""
    return [json.loads(line) for line in export_lines(library)]


@pytest.mark.parametrize(
    "path", RECORD_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_fixture_set_survives_a_round_trip(
    tmp_path: Path, library: Library, path: Path
) -> None:
    """Export, import into another home, export: the same lines."""
    import_lines(library, path.read_text(encoding="utf-8").split("\n"))
    first = list(export_lines(library))

    with Library(tmp_path / "other") as other:
        import_lines(other, first)
        assert first == list(export_lines(other))


def test_nothing_of_an_attempt_is_changed(
    library: Library, tiny: list[dict[str, Any]]
) -> None:
    """Not an id, a time or the order of anything in it."""
    attempts = [body for body in tiny if body["kind"] == "attempt"]
    import_lines(library, lines_of(*attempts))

    assert attempts == exported(library)


def test_unknown_fields_come_back_as_they_were(library: Library) -> None:
    """From a newer version or another tool, at any depth."""
    strange = attempt(
        "attempt_1",
        schemaVersion=99,
        mood={"of": ["the", {"agent": None}], "since": 1.50},
        causalClaim={"recorded": True, "by": "☃"},
    )
    import_lines(library, lines_of(strange))

    assert [strange] == exported(library)


@pytest.mark.parametrize(
    "record_id", ["42", "urn:uuid:1-2-3", "Ünïcode", "x" * 200, "a/b?c=d#e", "attempt_1"]
)
def test_a_foreign_id_is_kept(library: Library, record_id: str) -> None:
    """It is another tool's name for the record."""
    import_lines(library, lines_of(attempt(record_id)))

    assert [record_id] == [body["id"] for body in exported(library)]


def test_times_are_kept_to_the_letter(library: Library) -> None:
    """An offset and a precision that we would not write ourselves."""
    times = {
        "createdAt": "2026-03-04T10:15:00.123456+01:00",
        "observedAt": "2026-03-04T09:15:00Z",
    }
    import_lines(library, lines_of(fact("fact_1", **times)))

    (body,) = exported(library)
    assert times == {name: body[name] for name in times}


def test_a_foreign_time_is_still_filtered_by(library: Library) -> None:
    """Kept to the letter, understood as an instant."""
    body = attempt("attempt_1", createdAt="1970-01-01T01:00:01+01:00")
    import_lines(library, lines_of(body))

    with library.store.read() as selection:
        assert body == selection.every()[0].body
    assert [] == list(export_lines(library, "project:acme/web-shop"))


@given(
    extra=st.dictionaries(
        st.text(min_size=1).map(lambda name: f"x-{name}"), JSON, max_size=4
    )
)
def test_any_json_survives(
    tmp_path_factory: pytest.TempPathFactory, extra: dict[str, Any]
) -> None:
    """Whatever a field of another tool may hold."""
    body = attempt("attempt_1", **json.loads(json.dumps(extra).replace("\\u0000", "")))
    with Library(tmp_path_factory.mktemp("any")) as library:
        import_lines(library, lines_of(body))

        assert [body] == exported(library)


def test_a_second_import_changes_nothing(
    library: Library, tiny: list[dict[str, Any]]
) -> None:
    """No record, no journal entry."""
    first = import_lines(library, lines_of(*tiny))
    before = exported(library)
    second = import_lines(library, lines_of(*tiny))

    assert (12, 0) == (first.imported, first.unchanged)
    assert (0, 12) == (second.imported, second.unchanged)
    assert before == exported(library)
    with library.store.read() as selection:
        assert 12 == selection.head().seq


def test_lines_without_ids_get_the_same_ids_twice(library: Library) -> None:
    """An id made from the content lets a second import find the first."""
    bodies = [attempt("gone", solution=f"Tried {number}") for number in range(3)]
    for body in bodies:
        del body["id"]

    import_lines(library, lines_of(*bodies))
    second = import_lines(library, lines_of(*bodies))

    assert (0, 3) == (second.imported, second.unchanged)
    assert {"attempt": 3} == library.store.counts()
    assert all(body["id"].startswith("attempt_") for body in exported(library))


def test_the_same_line_twice_in_one_file_is_one_record(library: Library) -> None:
    """The file may have been put together from two exports."""
    report = import_lines(library, lines_of(attempt("a_1"), attempt("a_1")))

    assert (1, 1) == (report.imported, report.unchanged)


def test_blank_lines_and_a_byte_order_mark_are_no_records(library: Library) -> None:
    """Editors leave both."""
    (line,) = lines_of(attempt("attempt_1"))

    report = import_lines(library, ["\ufeff" + line, "", "   ", "\n"])

    assert 1 == report.imported


def test_records_without_a_project_go_where_the_caller_says(library: Library) -> None:
    """And to the fallback when nobody says anything."""
    first, second = attempt("attempt_1"), attempt("attempt_2")
    del first["project"], second["project"]
    import_lines(library, lines_of(first), project="acme/web-shop")
    import_lines(library, lines_of(second))

    assert ["acme/web-shop", "default"] == [body["project"] for body in exported(library)]


def test_a_report_counts_by_kind(library: Library, tiny: list[dict[str, Any]]) -> None:
    """What was stored of each."""
    report = import_lines(library, lines_of(*tiny))

    assert {"attempt": 7, "decision": 3, "fact": 2} == report.counts


def test_relations_and_reviews_come_along(library: Library) -> None:
    """Kinds that no search reads are kept all the same."""
    relation = {
        "kind": "relation",
        "id": "relation_1",
        "project": "p",
        "from": "a",
        "to": "b",
    }
    review = {"kind": "review", "id": "review_1", "project": "p", "decisionId": "a"}
    import_lines(library, lines_of(relation, review))

    assert [relation, review] == exported(library)


def test_an_export_of_one_project_holds_nothing_of_others(
    library: Library, tiny: list[dict[str, Any]]
) -> None:
    """Ten of one, two of the other."""
    import_lines(library, lines_of(*tiny))

    ours = [json.loads(line) for line in export_lines(library, "project:acme/web-shop")]

    assert {"attempt_carousel-preload", "decision_avif-only"} == {
        body["id"] for body in ours
    }


def test_an_export_has_one_line_a_record(library: Library) -> None:
    """Line breaks of every sort inside a text are escaped or harmless."""
    body = attempt("attempt_1", result="one\ntwo\r\nthree\x0bfour\u2028five\x85six")
    import_lines(library, lines_of(body))

    (line,) = export_lines(library)

    assert "\n" not in line
    assert [body] == exported(library)


def test_a_plain_confidence_becomes_an_auditable_one_once(library: Library) -> None:
    """An older shape is understood, marked, and not changed again."""
    import_lines(library, lines_of(decision("decision_1", confidence=0.8)))
    first = exported(library)
    second = import_lines(library, lines_of(decision("decision_1", confidence=0.8)))

    assert (0.8, True) == (
        first[0]["confidence"]["current"],
        first[0]["confidence"]["migratedFromLegacyCurrent"],
    )
    assert 1 == second.unchanged


def test_an_imported_record_is_searched_like_any_other(
    library: Library, tiny: list[dict[str, Any]]
) -> None:
    """The index follows the journal, whoever wrote it."""
    import_lines(library, lines_of(*tiny))

    assert 12 == library.search("").searched
    assert 1 == library.search("webhooks").total


def test_progress_is_told_every_thousand_records(library: Library) -> None:
    """Long work shows that it goes on."""
    seen: list[int] = []
    bodies = [attempt(f"attempt_{number}") for number in range(2500)]

    import_lines(library, lines_of(*bodies), progress=seen.append)

    assert [1000, 2000] == seen
