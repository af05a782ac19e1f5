"""Which form a file has, its content says; what is none of them is refused in words."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.store.bodies import attempt as our_attempt
from tests.upstream.conftest import Held, Take
from tests.upstream.stores import (
    SCHEMAS,
    attempt,
    data_of,
    decision,
    public,
    redacted,
    store,
    write_state,
    write_tables,
)

from shadowgraph import Library
from shadowgraph.errors import ImportFileError, ImportLineError, StoreTooNewError
from shadowgraph.upstream import import_file
from shadowgraph.upstream.envelope import is_lines


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b'{"kind": "fact", "key": "k", "value": 1}\n', True),
        (b'\xef\xbb\xbf{"kind": "fact"}', True),
        (b'\n\n {"kind": "attempt"}\n{"kind": "fact"}\n', True),
        (b'{"kind": "fact", "key": ', True),
        (b'{"schemaVersion": 7, "kind": "attempt"}', True),
        (b"", True),
        (b" \n", True),
        (b'{"schemaVersion": 7, "records": []}', False),
        (b'{"records": []}', False),
        (b'{"exportKind": "public_scoped"}', False),
        (b'{\n  "schemaVersion": 7\n', False),
        (b'{"schemaVersion":7,"records":[{"id":"a', False),
        (b"[]", False),
        (b"SQLite format 3\x00", False),
        (b"\x89PNG", False),
    ],
)
def test_json_lines_are_told_from_stores(data: bytes, lines: bool) -> None:
    """By the first object, or by how it begins when it is cut off."""
    assert lines == is_lines(data)


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize(
    ("make", "form"), [(public, "public export"), (redacted, "redacted export")]
)
def test_an_export_is_imported_like_a_store(
    take: Take, held: Held, make: Any, form: str, schema: int
) -> None:
    """Full records without a journal: they are worth as much."""
    made = make(schema)
    report = take(made)

    lists = [value for value in made.values() if isinstance(value, list)]
    assert (form, schema) == (report.form, report.schema)
    assert sum(map(len, lists)) == report.imported == len(held())
    assert 0 == take(made).imported


def test_a_redacted_export_says_that_values_stay_masked(take: Take, held: Held) -> None:
    """Nothing can bring them back, so it is said."""
    report = take(redacted(5))

    whats = {note.what for note in report.notes.values()}
    assert "values that were masked in the file stay masked" in whats
    assert ["[REDACTED]"] == [b["value"] for b in held().values() if b["kind"] == "fact"]


def test_an_export_that_left_something_out_says_so(take: Take) -> None:
    """The file itself knows that it is not everything."""
    report = take(public(7) | {"completeness": {"complete": False, "omitted": 3}})

    assert ("odd", "the export says itself that it is not complete") in report.notes


def test_a_bare_array_is_the_oldest_store(take: Take, held: Held) -> None:
    """Records alone, kinds guessed by their fields when they say none."""
    old = [decision(1), attempt(1)]
    for body in old:
        del body["kind"]
    report = take(old)

    assert ("array of records", 1, 2) == (report.form, report.schema, report.imported)
    assert ["attempt", "decision"] == sorted(body["kind"] for body in held().values())


def test_an_empty_store_is_a_store(take: Take) -> None:
    """Nothing to import is no fault."""
    assert 0 == take({"schemaVersion": 7, "records": []}).imported
    assert 0 == take([]).imported


def test_a_state_row_is_read_as_the_envelope_it_holds(
    library: Library, tmp_path: Path
) -> None:
    """The oldest SQLite files have one table with one row."""
    path = write_state(store(2), tmp_path / "anything.txt")
    report = import_file(library, path.read_bytes(), path)

    assert ("SQLite, envelope in one row", 2) == (report.form, report.schema)
    assert 7 == report.imported


def test_tables_win_over_an_older_state_beside_them(
    library: Library, tmp_path: Path
) -> None:
    """The row is what the file was before it was migrated, and the report says so."""
    path = write_state(store(1), tmp_path / "both.db")
    write_tables(store(7), path)
    report = import_file(library, path.read_bytes(), path)

    assert ("SQLite tables", 7) == (report.form, report.schema)
    assert any("shadowgraph_state" in what for _, what in report.notes)


def test_the_name_of_a_file_says_nothing(library: Library, tmp_path: Path) -> None:
    """SQLite in a .json, JSON in a .db, lines in a .sqlite."""
    tables = write_tables(store(7), tmp_path / "data.json")
    other = tmp_path / "data.db"
    other.write_bytes(data_of(store(7)))
    lines = tmp_path / "lines.sqlite"
    lines.write_text(json.dumps(our_attempt("attempt_1")), encoding="utf-8")

    forms = [import_file(library, p.read_bytes(), p).form for p in (tables, other, lines)]
    assert ["SQLite tables", "envelope", "JSON Lines"] == forms


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ({"a": 1, "b": 2}, "an object with a, b"),
        ({}, "an object with nothing"),
        ("text", "a text"),
        (7, "a number"),
        (True, "a truth value"),
        (None, "null"),
        ({"exportKind": "mystery", "schemaVersion": 7}, "'mystery' is not known"),
    ],
)
def test_json_of_no_known_form_is_refused_with_what_was_seen(
    take: Take, value: Any, said: str
) -> None:
    """And with what would be accepted."""
    data = json.dumps(value, indent=2).encode()
    if is_lines(data):
        data = b"\n" + data.replace(b"{}", b"{\n}")

    with pytest.raises(ImportFileError, match=said) as refused:
        take(data)

    assert "Accepted are" in refused.value.message


@pytest.mark.parametrize("version", [None, 0, -1, "7", 7.0, True, [7]])
def test_a_schema_version_that_is_none_is_refused(take: Take, version: Any) -> None:
    """Guessing one would apply the wrong rules."""
    with pytest.raises(ImportFileError, match="must be 1 to 7"):
        take({"schemaVersion": version, "records": []})


@pytest.mark.parametrize("make", [store, public, redacted])
def test_a_newer_schema_is_refused_with_what_to_do(
    take: Take, held: Held, make: Any
) -> None:
    """Its shapes are not known: it takes a newer version of this program."""
    with pytest.raises(StoreTooNewError, match="unsupported_schema_version") as refused:
        take(make(7) | {"schemaVersion": 8})

    assert "Upgrade shadowgraph" in refused.value.hint
    assert {} == held()


def test_a_newer_schema_in_tables_is_refused_too(library: Library, tmp_path: Path) -> None:
    """The same answer for the same store."""
    path = write_tables(store(7) | {"schemaVersion": 8}, tmp_path / "new.db")

    with pytest.raises(StoreTooNewError, match="schemaVersion 8"):
        import_file(library, path.read_bytes(), path)


def test_one_record_over_several_lines_is_refused_as_that(take: Take) -> None:
    """A person printed it prettily; the message says what the form is."""
    with pytest.raises(ImportFileError, match="one record a line"):
        take(our_attempt("attempt_1"))


def test_a_cut_line_is_still_named_by_its_number(take: Take) -> None:
    """JSON Lines keep their own way of saying what is wrong."""
    with pytest.raises(ImportLineError, match=r"^line 2: "):
        take(json.dumps(our_attempt("attempt_1")).encode() + b'\n{"kind": "fa')
