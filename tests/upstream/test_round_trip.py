"""What is exported as an envelope and imported elsewhere is what it was, of every kind."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.exchange.test_round_trip import RECORD_FILES
from tests.store.bodies import attempt, decision, fact, put
from tests.upstream.conftest import Held, Take, everything
from tests.upstream.stores import (
    SCHEMAS,
    data_of,
    entry,
    memory,
    public,
    redacted,
    relation,
    signal,
    store,
)

from shadowgraph import Library
from shadowgraph.exchange import export_lines, import_lines
from shadowgraph.model.kinds import KINDS, LINK_KINDS
from shadowgraph.operations import Caller, invoke
from shadowgraph.upstream import export_envelope, import_file
from shadowgraph.upstream.envelope import COLLECTIONS


def envelope_of(library: Library, owner: str | None = None) -> dict[str, Any]:
    """Return the envelope that an export writes."""
    made: dict[str, Any] = json.loads(export_envelope(library, owner)[0])
    return made


def elsewhere(library: Library, home: Path) -> dict[str, dict[str, Any]]:
    """Return everything after an export and an import into another home."""
    text, _ = export_envelope(library)
    with Library(home) as other:
        import_file(other, text.encode(), None, project="acme/other-fallback")
        return everything(other)


@pytest.mark.parametrize("schema", SCHEMAS)
@pytest.mark.parametrize("make", [store, public, redacted])
def test_an_imported_store_survives_export_and_import(
    library: Library, take: Take, tmp_path: Path, make: Any, schema: int
) -> None:
    """Records, links, events, journal, retry keys and what nobody knows."""
    take(make(schema))

    assert everything(library) == elsewhere(library, tmp_path / "other")


@pytest.mark.parametrize(
    "path", RECORD_FILES, ids=lambda path: f"{path.parent.name}-{path.stem}"
)
def test_a_fixture_set_survives_export_and_import(
    library: Library, tmp_path: Path, path: Path
) -> None:
    """Records that never were in an envelope."""
    import_lines(library, path.read_text(encoding="utf-8").split("\n"))

    assert everything(library) == elsewhere(library, tmp_path / "other")


TEXT = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=12
)
WORDS = TEXT.map(lambda text: f"w{text}")
JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=6,
)
OWNERS: st.SearchStrategy[dict[str, Any]] = st.sampled_from(
    [
        {"project": "acme/one"},
        {"project": "default"},
        {"project": None, "originId": "origin-1"},
        {"project": "acme/two", "originId": "origin-2"},
    ]
)


@st.composite
def record(draw: st.DrawFn, number: int) -> dict[str, Any]:
    """Return a record of any kind, as the store may hold it."""
    kind = draw(st.sampled_from([*KINDS, "relation", "review"]))
    made = {
        "attempt": lambda: attempt("x", solution=draw(WORDS), result=draw(WORDS)),
        "decision": lambda: decision("x", title=draw(WORDS), confidence={"current": 1}),
        # One active fact or memory of a key: that is a rule of its own.
        "fact": lambda: fact("x", key=f"{draw(WORDS)}{number}", value=draw(JSON)),
        "memory": lambda: memory(7, key=f"{draw(WORDS)}{number}", text=draw(WORDS)),
        "relation": lambda: relation(**{"from": draw(WORDS), "to": draw(WORDS)}),
        "review": lambda: signal(decisionId=draw(WORDS)),
    }.get(kind, lambda: {"kind": kind, "title": draw(WORDS)})()
    extra = draw(st.dictionaries(TEXT.map(lambda name: f"x-{name}"), JSON, max_size=2))
    owner: dict[str, Any] = draw(OWNERS)
    return {**made, **extra, "id": f"{kind}_{number}", **owner}


@st.composite
def records(draw: st.DrawFn) -> list[dict[str, Any]]:
    """Return some records with different ids."""
    return [draw(record(n)) for n in range(draw(st.integers(0, 6)))]


@given(bodies=records())
@settings(max_examples=60)
def test_any_records_survive_export_and_import(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[dict[str, Any]]
) -> None:
    """Of every kind, with any fields; nothing is added and nothing normalised."""
    home = tmp_path_factory.mktemp("any")
    with Library(home / "one") as library:
        put(library, *bodies)
        before = everything(library)

        assert {body["id"]: body for body in bodies} == before
        assert before == elsewhere(library, home / "other")


@st.composite
def stores(draw: st.DrawFn) -> dict[str, Any]:
    """Return a store with unknown members and unknown items anywhere."""
    made = store(draw(st.sampled_from(SCHEMAS)))
    names = TEXT.filter(lambda name: name not in (*made, *COLLECTIONS))
    made |= draw(st.dictionaries(names, JSON, max_size=3))
    for collection in draw(st.lists(st.sampled_from(COLLECTIONS), max_size=3)):
        made.setdefault(collection, []).append(draw(JSON))
    return made


@given(made=stores())
@settings(max_examples=60)
def test_any_store_survives_import_export_and_import(
    tmp_path_factory: pytest.TempPathFactory, made: dict[str, Any]
) -> None:
    """Every item is a record, every record comes back, and the second time is nothing."""
    home = tmp_path_factory.mktemp("any")
    with Library(home / "one") as library:
        report = import_file(library, data_of(made), None)
        repeated = sum(n.count for n in report.notes.values() if "twice" in n.what)

        assert report.read - repeated == report.imported == len(everything(library))
        assert 0 == import_file(library, data_of(made), None).imported
        assert everything(library) == elsewhere(library, home / "other")


def test_every_kind_goes_through_an_envelope(tmp_path: Path, library: Library) -> None:
    """A new kind must be thought of here."""
    assert {
        "attempt", "decision", "fact", "memory", "task", "evidence", "source", "relation",
        "review", "kept",
    } == {*KINDS, *LINK_KINDS}  # fmt: skip
    bodies = [
        {"kind": kind, "id": f"{kind}_1", "project": "p", "title": "x"}
        for kind in ("task", "evidence", "source")
    ]
    put(library, *bodies)

    made = envelope_of(library)
    assert bodies == made["beside"]["records"]
    assert {body["id"]: body for body in bodies} == elsewhere(library, tmp_path / "other")


def test_an_envelope_has_the_members_of_schema_7(library: Library, take: Take) -> None:
    """Each in its place, in the order in which upstream writes them."""
    take(store(7))
    made = envelope_of(library)

    assert [
        "schemaVersion", "revision", "records", "facts", "relations", "reviewSignals",
        "idempotency", "events", "journal", "journalSeq", "journalEpoch",
    ] == list(made)[:11]  # fmt: skip
    before = store(7)
    for name in ("facts", "idempotency", "events", "captureContent", "chartPlugin"):
        assert before[name] == made[name]
    ids = {body["id"] for body in before["records"]}
    assert ids == {body["id"] for body in made["records"]}


def test_an_export_of_one_project_holds_nothing_of_others(
    library: Library, take: Take
) -> None:
    """Events and journal entries included."""
    text = json.dumps(store(7)).replace("17701056000", "27701056000")
    take(store(7))
    take(json.loads(text.replace("acme/harbour", "acme/yard")))

    made = json.dumps(envelope_of(library, "project:acme/yard"))
    assert "acme/harbour" not in made
    assert "2770105600000_tides1" in made


def test_two_values_of_one_unknown_member_both_come_back(
    library: Library, take: Take, tmp_path: Path
) -> None:
    """Only one can stand in its place; the other travels beside."""
    take({"schemaVersion": 7, "records": [], "plugin": {"a": 1}})
    take({"schemaVersion": 7, "records": [], "plugin": {"b": 2}})
    take({"schemaVersion": 7, "records": [], "plugin": ["c"]})

    assert {"a": 1} == envelope_of(library)["plugin"]
    assert 3 == len(everything(library))
    assert everything(library) == elsewhere(library, tmp_path / "other")


@pytest.mark.parametrize("value", [{}, [], {"records": 5}, {"mine": []}, "text", None])
def test_a_member_named_like_ours_of_another_shape_is_just_unknown(
    library: Library, take: Take, tmp_path: Path, value: Any
) -> None:
    """It is kept and given back like any other."""
    take({"schemaVersion": 7, "records": [], "beside": value})

    assert [value] == [body["value"] for body in everything(library).values()]
    assert everything(library) == elsewhere(library, tmp_path / "other")


def test_kept_items_survive_json_lines_too(
    library: Library, take: Take, tmp_path: Path
) -> None:
    """However long they are: an export that cannot be imported is none."""
    take({"schemaVersion": 7, "records": [{"kind": "capture", "x": "y" * 300_000}]})

    with Library(tmp_path / "other") as other:
        import_lines(other, list(export_lines(library)))
        assert everything(library) == everything(other)


def test_the_kept_journal_goes_out_when_it_leads_to_the_records(
    library: Library, take: Take
) -> None:
    """Word for word, with nothing to add."""
    tried = store(7)["records"][1]
    journal = [entry(1, "attempt.recorded", tried)]
    take({"schemaVersion": 7, "records": [tried], "journal": journal})

    made = envelope_of(library)
    assert (journal, 1, 1) == (made["journal"], made["journalSeq"], made["journalEpoch"])


def test_what_has_moved_on_gets_one_more_snapshot(
    library: Library, take: Take, tmp_path: Path
) -> None:
    """The journal leads to what is exported, and the next import leaves the snapshot out."""
    take(store(5))
    target = {"decisionId": "decision_1770105600000_tides1", "status": "planned"}
    invoke(library, "shadowgraph_update_status", target, Caller("acme/harbour"))

    made = envelope_of(library)
    last = {e["entityId"]: e for e in made["journal"]}[target["decisionId"]]
    assert ("planned", "envelope-export") == (
        last["payload"]["status"],
        last["derivedFrom"],
    )
    assert list(range(1, made["journalSeq"] + 1)) == [e["seq"] for e in made["journal"]]
    assert everything(library) == elsewhere(library, tmp_path / "other")


def _entries(*numbers: Any) -> list[dict[str, Any]]:
    """Return an entry of one attempt under each number."""
    tried = store(7)["records"][1]
    return [{**entry(1, "attempt.recorded", tried), "seq": n} for n in numbers]


@pytest.mark.parametrize(
    "journal",
    [
        pytest.param(_entries(1, 3), id="a gap"),
        pytest.param(_entries(1, 1), id="a number twice"),
        pytest.param(_entries(2), id="no beginning"),
        pytest.param(_entries("1"), id="no number"),
        pytest.param(["text"], id="no entry"),
        pytest.param([{**_entries(1)[0], "payload": 5}], id="no snapshot"),
        pytest.param(
            [entry(1, "attempt.recorded", {**store(7)["records"][1], "id": "gone"})],
            id="an entity that is gone",
        ),
    ],
)
def test_a_journal_that_does_not_lead_there_travels_beside(
    library: Library, take: Take, tmp_path: Path, journal: list[Any]
) -> None:
    """The export begins a new one, whose fold is what it holds."""
    tried = store(7)["records"][1]
    take({"schemaVersion": 7, "records": [tried], "journal": journal})

    made = envelope_of(library)
    assert [tried] == [e["payload"] for e in made["journal"]]
    assert len(journal) == len(made["beside"]["items"])
    assert everything(library) == elsewhere(library, tmp_path / "other")


def test_a_gap_that_a_purge_explains_is_none(library: Library, take: Take) -> None:
    """Its marker names the numbers that went."""
    tried = store(7)["records"][1]
    marker = {
        **entry(4, "project.purged", {**tried, "project": "acme/gone"}),
        "payload": {"project": "acme/gone", "removedJournalSequences": [2, 3]},
    }
    journal = [entry(1, "attempt.recorded", tried), marker]
    take({"schemaVersion": 7, "records": [tried], "journal": journal})

    assert journal == envelope_of(library)["journal"]


def test_a_purged_and_a_removed_entity_are_not_missed(
    library: Library, take: Take, held: Held
) -> None:
    """The fold of the journal no longer has them."""
    tried = store(7)["records"][1]
    gone = {**tried, "id": "attempt_gone", "project": "acme/gone"}
    dropped = {**tried, "id": "attempt_dropped"}
    journal = [
        entry(1, "attempt.recorded", gone),
        entry(2, "attempt.recorded", dropped),
        entry(3, "attempt.recorded", tried),
        {**entry(4, "project.purged", gone), "payload": {"project": "acme/gone"}},
        {**entry(5, "attempt.recorded", dropped), "payload": None, "redacted": True},
        {**entry(6, "legacy_metadata_event", tried), "replayable": False},
        {
            **entry(7, "projection.baseline", tried),
            "payload": {"records": [tried], "facts": [], "at": "now"},
        },
    ]
    take({"schemaVersion": 7, "records": [tried], "journal": journal})

    assert 8 == len(held())
    assert journal == envelope_of(library)["journal"]
