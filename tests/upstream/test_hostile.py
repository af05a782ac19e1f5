"""Damaged and hostile files: refused in words, or kept; never half, never a traceback."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.upstream.conftest import Held, Take, everything
from tests.upstream.stores import (
    PROJECT,
    TABLES,
    attempt,
    data_of,
    decision,
    event,
    fact,
    memory,
    relation,
    signal,
    store,
    write_tables,
)

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ImportFileError, StoreDamagedError
from shadowgraph.model.text import FIELD_BYTES
from shadowgraph.upstream import import_file


def of(**collections: Any) -> dict[str, Any]:
    """Return a store of schema 7 with these collections."""
    return {"schemaVersion": 7, "records": [], **collections}


@pytest.mark.parametrize("share", [0.02, 0.3, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_refused_and_nothing_is_stored(
    take: Take, held: Held, share: float
) -> None:
    """The message names line and column."""
    data = data_of(store(7)).rstrip()
    with pytest.raises(ImportFileError, match=r"line [\d,]+, column [\d,]+"):
        take(data[: int(len(data) * share)])

    assert {} == held()


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999", "-1e999"])
def test_a_number_that_is_no_json_is_refused(take: Take, held: Held, number: str) -> None:
    """Stored, it would make the record unreadable for everybody else."""
    text = json.dumps(of(facts=[fact(7, value=0.125)])).replace("0.125", number)

    with pytest.raises(ImportFileError, match="not JSON"):
        take(text.encode())

    assert {} == held()


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n0000",
        '{"schemaVersion": 7, "records": []}'.encode("utf-16"),
        b'{\n"records": ["\xff\xfe"]}',
    ],
)
def test_a_file_that_is_no_text_is_refused(take: Take, data: bytes) -> None:
    """With the byte at which it stops being text."""
    with pytest.raises(ImportFileError, match="not UTF-8") as refused:
        take(data)

    assert "Accepted are" in refused.value.hint


def test_nesting_beyond_the_limit_is_refused_with_its_place(take: Take) -> None:
    """However deep: also what the parser itself cannot follow."""
    deep = "[" * 40 + "]" * 40
    with pytest.raises(ImportFileError, match=r"records\[0\].*nested deeper"):
        take(f'{{"schemaVersion": 7, "records": [{{"id": "a", "x": {deep}}}]}}'.encode())
    with pytest.raises(ImportFileError, match="nested"):
        take(b"[" * 200_000)


@pytest.mark.parametrize("collection", ["records", "facts", "journal", "events"])
@pytest.mark.parametrize("value", [{}, "text", 5, True])
def test_a_collection_that_is_no_array_is_refused(
    take: Take, collection: str, value: Any
) -> None:
    """The shape of the file is broken, not one item of it."""
    with pytest.raises(ImportFileError, match=f"{collection} must be an array"):
        take(of(**{collection: value}))


@pytest.mark.parametrize("value", [None, 5, "text", [], ["a"], {}, {"kind": "spell"}])
def test_an_item_that_is_no_record_is_kept_with_the_reason(
    take: Take, held: Held, value: Any
) -> None:
    """It cannot be used, but it is not ours to throw away."""
    report = take(of(records=[value, attempt(7)]))

    (kept,) = [body for body in held().values() if body["kind"] == "kept"]
    assert ("records", value) == (kept["collection"], kept["value"])
    assert kept["reason"]
    assert {"attempt": 1, "kept": 1} == report.counts


@pytest.mark.parametrize(
    ("collection", "body"),
    [
        ("records", decision(7, title=" ")),
        ("records", attempt(7, result=5)),
        ("records", attempt(7, project=None, originId=5)),
        ("records", memory(7, text=None)),
        ("facts", {k: v for k, v in fact(7).items() if k != "value"}),
        ("facts", fact(7, key="")),
        ("relations", relation(to=None)),
        ("reviewSignals", signal(decisionId=5)),
    ],
)
def test_a_record_without_what_it_lives_by_is_kept_aside(
    take: Take, held: Held, collection: str, body: dict[str, Any]
) -> None:
    """The report names the field."""
    report = take(of(**{collection: [body]}))

    (kept,) = held().values()
    assert ("kept", body, collection) == (kept["kind"], kept["value"], kept["collection"])
    assert [("kept", f"{collection}: {kept['reason']}")] == [
        key for key in report.notes if key[0] == "kept"
    ]


def test_five_megabytes_of_text_are_kept_and_not_searched(
    library: Library, take: Take, held: Held
) -> None:
    """More than a field may have: the record stays whole, the others are usable."""
    long = "zymurgy " * 655_360
    take(of(records=[attempt(7, id="attempt_long", reason=long), attempt(7)]))

    (kept,) = [body for body in held().values() if body["kind"] == "kept"]
    assert long == kept["value"]["reason"]
    assert f"{FIELD_BYTES:,}" in kept["reason"]
    assert (1, 0) == (library.search("").searched, library.search("zymurgy").total)


def test_characters_that_cannot_be_stored_are_taken_out_and_counted(
    take: Take, held: Held
) -> None:
    """NUL and half of a surrogate pair."""
    file = json.dumps(of(records=[attempt(7, reason="a\x00b\ud800c")])).encode()
    report = take(file)

    assert 2 == report.cleaned
    assert ["abc"] == [body["reason"] for body in held().values()]
    assert 1 == take(file).unchanged


def test_an_id_used_twice_with_other_content_is_refused_from_schema_4_on(
    take: Take, held: Held
) -> None:
    """Which of the two is meant, nobody can know; both places are named."""
    twice = [attempt(7), attempt(7, result="It held")]
    with pytest.raises(ImportFileError, match=r"records\[1\] and records\[0\]"):
        take(of(records=twice))

    assert {} == held()


def test_the_same_item_twice_is_one(take: Take, held: Held) -> None:
    """Two exports put together."""
    report = take(of(records=[attempt(7), attempt(7)]))

    assert 1 == report.imported == len(held())
    assert ("mapped", "the same item twice -> once") in report.notes


@pytest.mark.parametrize("schema", [1, 2, 3])
def test_before_schema_4_an_id_in_two_collections_becomes_two(
    take: Take, held: Held, schema: int
) -> None:
    """The second gets an id from its content, and says which it had."""
    made = {
        "schemaVersion": schema,
        "records": [attempt(schema, id="shared")],
        "facts": [fact(schema, id="shared")],
    }
    take(made)

    second = next(body for body in held().values() if body["kind"] == "fact")
    assert second["id"].startswith("fact_")
    assert 25 == len(second["id"])
    assert "shared" == second["migration"]["id"]
    assert ["shared"] == second["migration"]["ambiguousLegacyReferences"]
    assert 0 == take(made).imported


@pytest.mark.parametrize("record_id", [None, "", "two words", 7, "x" * 201, ["a"]])
def test_an_id_that_cannot_be_one_is_replaced_by_one_of_the_content(
    take: Take, held: Held, record_id: Any
) -> None:
    """Always the same one, so a second import finds it."""
    made = of(records=[attempt(7, id=record_id)])
    take(made)

    (body,) = held().values()
    assert body["id"].startswith("attempt_")
    assert record_id == body.get("migration", {}).get("id")
    assert 1 == take(made).unchanged


def test_two_facts_without_ids_and_of_one_content_stay_two(take: Take, held: Held) -> None:
    """The occurrence is part of the id."""
    old = fact(1, status="superseded")
    made = {"schemaVersion": 1, "records": [], "facts": [old, old]}
    take(made)

    assert 2 == len(held())
    assert 2 == take(made).unchanged


def test_what_names_nothing_is_kept_and_said(take: Take, held: Held) -> None:
    """A dangling relation and a signal without its decision."""
    report = take(of(relations=[relation()], reviewSignals=[signal()]))

    assert ["relation", "review"] == sorted(body["kind"] for body in held().values())
    odd = {what: n.count for (sort, what), n in report.notes.items() if sort == "odd"}
    assert {
        "relation names what is not there": 2,
        "review names what is not there": 1,
    } == odd


def test_a_relation_between_projects_belongs_where_it_begins(
    take: Take, held: Held
) -> None:
    """And is listed in one project alone."""
    there = decision(7, project="acme/yard")
    take(of(records=[attempt(7), there], relations=[relation()]))

    assert PROJECT == held()[relation()["id"]]["project"]


@pytest.mark.parametrize("project", ["", "  ", " padded ", "two\nlines", 5, "x" * 201])
def test_a_project_that_no_call_can_name_is_replaced_and_remembered(
    take: Take, held: Held, project: Any
) -> None:
    """It would be stored where nobody could ask for it."""
    take(of(records=[attempt(7, project=project)]), project="acme/found")

    (body,) = held().values()
    assert ("acme/found", project) == (body["project"], body["migration"]["project"])


@pytest.mark.parametrize("share", [0.01, 0.2, 0.5, 0.9])
def test_a_sqlite_file_that_was_cut_off_is_refused(
    library: Library, tmp_path: Path, share: float
) -> None:
    """Its pages are examined before the first row is read."""
    whole = write_tables(store(7), tmp_path / "whole.db").read_bytes()
    path = tmp_path / "cut.db"
    path.write_bytes(whole[: max(17, int(len(whole) * share))])

    with pytest.raises(StoreDamagedError) as refused:
        import_file(library, path.read_bytes(), path)

    assert "Nothing was imported" in refused.value.hint
    assert {} == everything(library)


@pytest.mark.parametrize("at", range(600, 9_000, 700))
def test_a_sqlite_file_with_spoilt_bytes_is_refused_or_read_whole(
    library: Library, tmp_path: Path, at: int
) -> None:
    """Wherever they are: an error of ours, or every item there is."""
    path = write_tables(store(7), tmp_path / "spoilt.db")
    data = bytearray(path.read_bytes())
    data[at : at + 40] = b"\xff" * 40
    path.write_bytes(data)

    try:
        report = import_file(library, bytes(data), path)
    except ShadowgraphError as error:
        assert error.message  # noqa: PT017 - either answer is right
        assert {} == everything(library)
    else:
        assert report.read == report.imported


@pytest.mark.parametrize("table", sorted(set(TABLES) - {"shadowgraph_extra"}))
def test_a_missing_table_is_said(library: Library, tmp_path: Path, table: str) -> None:
    """Older files lack some; without meta or entities it is no store."""
    path = write_tables(store(7), tmp_path / "part.db", without=[table])
    needed = table in ("shadowgraph_meta", "shadowgraph_entities")

    if needed:
        with pytest.raises(ImportFileError, match=f"lacks {table}"):
            import_file(library, path.read_bytes(), path)
        assert {} == everything(library)
    else:
        report = import_file(library, path.read_bytes(), path)
        assert ("odd", f"the table {table} is missing") in report.notes


def test_a_missing_column_is_refused_with_those_there_are(
    library: Library, tmp_path: Path
) -> None:
    """Another program's table of the same name."""
    path = write_tables(store(7), tmp_path / "odd.db", without=["shadowgraph_events"])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE shadowgraph_events (id TEXT, body TEXT)")

    with pytest.raises(ImportFileError, match=r"no column payload; it has body, id"):
        import_file(library, path.read_bytes(), path)


@pytest.mark.parametrize("payload", ["{", "NaN", b"\xff\xfe", None, ""])
def test_a_payload_that_is_no_json_is_refused_with_its_row(
    library: Library, tmp_path: Path, payload: Any
) -> None:
    """One row that cannot be read is a damaged store."""
    path = write_tables(store(7), tmp_path / "payload.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE shadowgraph_events SET payload = ?", (payload,))
        connection.commit()

    with pytest.raises(ImportFileError, match="shadowgraph_events row 1 is not JSON"):
        import_file(library, path.read_bytes(), path)


def test_tables_of_nobody_are_named(library: Library, tmp_path: Path) -> None:
    """They are not read, and that is not passed over."""
    path = write_tables(store(7), tmp_path / "more.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE plugin_notes (a TEXT)")

    report = import_file(library, path.read_bytes(), path)

    assert ("odd", "the table plugin_notes is not known and was not read") in report.notes


def test_the_store_of_a_home_is_refused_with_the_command_that_works(
    library: Library,
) -> None:
    """It is SQLite and ours, but no file to import."""
    path = library.store.path

    with pytest.raises(ImportFileError, match="store of a home") as refused:
        import_file(library, path.read_bytes(), path)

    assert "export" in refused.value.hint


def test_another_sqlite_file_is_refused_with_its_tables(
    library: Library, tmp_path: Path
) -> None:
    """What was seen, what is accepted."""
    path = tmp_path / "photos.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE albums (a TEXT)")

    with pytest.raises(ImportFileError, match=r"holds albums.*Accepted are"):
        import_file(library, path.read_bytes(), path)


def test_rows_that_wait_in_a_log_are_read(library: Library, tmp_path: Path) -> None:
    """A store in use has its newest rows beside the file."""
    path = tmp_path / "live.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA journal_mode = wal")
        connection.commit()
    write_tables(store(7), path)
    with closing(sqlite3.connect(path)) as connection:
        late = json.dumps(event(9, "x", "decision.status"))
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("INSERT INTO shadowgraph_events VALUES ('e', NULL, ?)", (late,))
        connection.commit()

        report = import_file(library, path.read_bytes(), path)

    assert report.read == report.imported
    assert any(
        body.get("value") == json.loads(late) for body in everything(library).values()
    )


def test_a_report_stays_readable_whatever_a_file_makes_up(take: Take) -> None:
    """Each record another status, each longer than a screen."""
    made = [decision(7, id=f"d_{n}", status=f"{n}" * 5_000) for n in range(1, 300)]
    report = take(of(records=made))

    assert 299 == sum(note.count for note in report.notes.values())
    assert len(report.notes) <= 201
    assert max(len(note.what) for note in report.notes.values()) < 200


def test_a_store_in_one_long_line_is_still_a_store(take: Take) -> None:
    """Nobody broke the lines; its first member says what it is."""
    long = attempt(7, **{"x-log": ["zymurgy " * 20_000] * 40})
    data = json.dumps(of(records=[long])).encode()

    assert b"\n" not in data
    assert 1 == take(data).imported
