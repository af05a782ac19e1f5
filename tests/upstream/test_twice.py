"""An import is all or nothing, twice is once, and what changed is nobody's to overwrite."""

import json
from typing import Any

import pytest
from tests.store.bodies import put
from tests.upstream.conftest import Held, Take, everything
from tests.upstream.stores import LATER, PROJECT, attempt, data_of, fact, store

from shadowgraph import Library
from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.operations import Caller, invoke
from shadowgraph.upstream import Choice, import_file

KEEP, REPLACE = Choice(keep=True), Choice(replace=True)


def changed(**fields: Any) -> dict[str, Any]:
    """Return the store of schema 7 with another attempt."""
    made = store(7)
    made["records"][1] = {**made["records"][1], **fields}
    return made


def test_a_changed_record_is_a_conflict_and_nothing_is_stored(
    library: Library, take: Take, held: Held
) -> None:
    """The message names the record, the fields and what can be done."""
    take(store(7))
    before = held(), library.store.revision()
    made = changed(result="It held after all", reason="A new kernel")
    made["records"].append(attempt(7, id="attempt_new"))

    with pytest.raises(ConflictError, match=r"mirror \(reason, result\)") as refused:
        take(made)

    assert "--keep" in refused.value.hint
    assert "--replace" in refused.value.hint
    assert before == (held(), library.store.revision())


def test_with_keep_the_stored_state_is_left_and_the_rest_is_imported(
    take: Take, held: Held
) -> None:
    """The report counts what was left."""
    take(store(7))
    made = changed(result="It held after all")
    made["records"].append(attempt(7, id="attempt_new"))

    report = take(made, choice=KEEP)

    assert (1, 1) == (report.imported, report.left)
    assert store(7)["records"][1] == held()["attempt_1770105600001_mirror"]
    assert "attempt_new" in held()


def test_with_replace_the_file_wins_and_the_journal_keeps_what_was(
    library: Library, take: Take, held: Held
) -> None:
    """A replacement is a change like any other."""
    take(store(7))
    with library.store.read() as selection:
        before = selection.head().seq

    report = take(changed(result="It held after all"), choice=REPLACE)

    assert (0, 1) == (report.imported, report.replaced)
    assert "It held after all" == held()["attempt_1770105600001_mirror"]["result"]
    with library.store.read() as selection:
        assert before + 1 == selection.head().seq
    assert library.store.first_fault() is None
    assert 1 == library.search("held after all").total


def test_keep_and_replace_together_are_refused(take: Take) -> None:
    """They contradict each other."""
    with pytest.raises(InvalidInputError, match="keep and replace"):
        take(store(7), choice=Choice(keep=True, replace=True))


def test_a_dry_run_reports_and_leaves_no_trace(
    library: Library, take: Take, held: Held
) -> None:
    """The same report as the import itself."""
    dry = take(store(6), dry_run=True)
    before = held(), library.store.revision()
    real = take(store(6))

    assert ({}, 0) == before
    assert {**real.as_json(), "dryRun": True} == dry.as_json()


def test_a_dry_run_names_conflicts_instead_of_failing(take: Take) -> None:
    """It is there to find them."""
    take(store(7))
    report = take(changed(result="It held"), dry_run=True)

    assert ["attempt_1770105600001_mirror (result)"] == report.conflicts


def test_a_store_that_has_grown_brings_what_is_new(take: Take) -> None:
    """The other tool may still be in use while one moves over."""
    made = store(7)
    take(made)
    made["records"].append(attempt(7, id="attempt_next"))
    made["events"].append({"id": "event_next", "type": "attempt.recorded", "at": LATER})

    report = take(made)

    assert {"attempt": 1, "kept": 1} == report.counts
    assert 20 == report.unchanged


def test_a_failure_in_the_middle_takes_everything_back(
    library: Library, held: Held
) -> None:
    """The whole import is one transaction."""

    def stop(done: int) -> None:
        raise KeyboardInterrupt(done)

    many = [attempt(7, id=f"attempt_{n}") for n in range(1500)]
    with pytest.raises(KeyboardInterrupt):
        import_file(
            library,
            data_of({"schemaVersion": 7, "records": many}),
            None,
            progress=stop,
        )

    assert ({}, 0) == (held(), library.store.revision())


def test_an_active_fact_of_the_store_gives_way_to_a_newer_one(
    library: Library, take: Take, held: Held
) -> None:
    """One active fact per key, whoever brought it; both stay readable."""
    put(library, fact(7, id="fact_here"))
    made = {"schemaVersion": 7, "records": [], "facts": [fact(7, observedAt=LATER)]}
    report = take(made)

    kept = held()
    assert "superseded" == kept["fact_here"]["status"]
    assert "active" == kept[fact(7)["id"]]["status"]
    assert any("two active facts" in what for _, what in report.notes)
    assert 1 == take(made).unchanged


def test_an_older_fact_of_a_file_is_superseded_on_arrival(
    library: Library, take: Take, held: Held
) -> None:
    """And a second import finds it as it lies."""
    put(library, fact(7, id="fact_here", observedAt=LATER))
    made = {"schemaVersion": 7, "records": [], "facts": [fact(7)]}
    take(made)

    assert "fact_here" == held()[fact(7)["id"]]["supersededBy"]
    assert 1 == take(made).unchanged


def test_with_keep_the_active_fact_of_the_store_stays(
    library: Library, take: Take, held: Held
) -> None:
    """Nothing that is stored is touched."""
    put(library, fact(7, id="fact_here"))
    made = {"schemaVersion": 7, "records": [], "facts": [fact(7, observedAt=LATER)]}
    take(made, choice=KEEP)

    assert "active" == held()["fact_here"]["status"]


def test_replacing_frees_a_key_before_it_is_taken(take: Take, held: Held) -> None:
    """The file ends one fact and begins another of the same key."""
    take({"schemaVersion": 7, "records": [], "facts": [fact(7)]})
    after = [
        fact(7, id="fact_next", value=3, observedAt=LATER),
        fact(7, status="superseded", supersededBy="fact_next"),
    ]
    take({"schemaVersion": 7, "records": [], "facts": after}, choice=REPLACE)

    assert {"fact_next": "active", fact(7)["id"]: "superseded"} == {
        key: body["status"] for key, body in held().items()
    }


def test_two_stores_side_by_side_do_not_disturb_each_other(
    library: Library, take: Take
) -> None:
    """Every project had its own file; here they share a home."""
    text = json.dumps(store(7)).replace("17701056000", "27701056000")
    take(store(7))
    report = take(json.loads(text.replace(PROJECT, "acme/yard")))

    assert report.imported >= 14
    assert {PROJECT, "acme/yard"} <= {one.project for one in library.store.projects()}


@pytest.mark.parametrize("project", ["", " x", "a\nb", "x" * 201])
def test_a_fallback_that_is_no_name_is_refused(take: Take, project: str) -> None:
    """Nothing could be found there again."""
    with pytest.raises(InvalidInputError, match="project must be"):
        take(store(7), project=project)


def _again(library: Library, key: str, **fields: Any) -> dict[str, Any]:
    """Record an attempt with a retry key, as a client of the project does."""
    arguments = {"solution": "Again", "result": "Again", "idempotencyKey": key, **fields}
    return invoke(library, "shadowgraph_record_attempt", arguments, Caller(PROJECT))


def test_a_retry_after_the_move_returns_the_first_record(
    library: Library, take: Take
) -> None:
    """Its key came along; the content of the first call is not known."""
    report = take(store(7))

    reply = _again(library, "mirror-once")
    assert 1 == report.retry_keys
    assert ("attempt_1770105600001_mirror", True) == (reply["id"], reply["replayed"])


def test_a_key_counts_within_its_own_project(library: Library, take: Take) -> None:
    """As it did before."""
    take(store(7))

    assert "replayed" not in _again(library, "mirror-once", project="acme/yard")
    assert "replayed" not in _again(library, "another")


def test_a_key_that_does_not_fit_its_record_binds_nothing(
    library: Library, take: Take, held: Held
) -> None:
    """It is kept and given back, and hides nothing."""
    tried = store(7)["records"][1]
    keys = [
        {"key": "nonsense", "value": tried},
        {"key": f"attempt:{PROJECT}:", "value": tried},
        {"key": f"decision:{PROJECT}:k", "value": {**tried, "kind": "decision"}},
        {"key": f"attempt:{PROJECT}:gone", "value": {**tried, "id": "attempt_gone"}},
        {"key": 5, "value": tried},
        {"key": "k", "value": None},
    ]
    report = take({"schemaVersion": 7, "records": [tried], "idempotency": keys})

    assert 0 == report.retry_keys
    assert 7 == len(held())
    assert "replayed" not in _again(library, "k")


def test_everything_is_in_the_journal_and_its_chain_verifies(
    library: Library, take: Take
) -> None:
    """One entry a record, with its full state."""
    take(store(7))

    with library.store.read() as selection:
        assert len(everything(library)) == selection.head().seq
    assert library.store.first_fault() is None


def test_what_is_kept_is_in_no_search_and_no_fault_of_the_doctor(
    library: Library, take: Take
) -> None:
    """It has no document, before and after the index is built again."""
    take(store(7))

    for _ in range(2):
        assert 0 == library.search("bow thruster").total
        assert 5 == library.search("").searched
        reply = invoke(library, "shadowgraph_doctor", {}, Caller())
        assert reply["ok"], reply
        library.reindex()
