"""What was retracted or purged is in no reply: every operation is asked."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import StoppedClock
from tests.operations.conftest import full_name
from tests.operations.withdrawn import (
    IDS,
    KINDS,
    LINKS,
    PROJECT,
    READS,
    SECRETS,
    WRITES,
    world,
)

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError, UnknownRecordError
from shadowgraph.exchange import export_lines, import_lines
from shadowgraph.operations import REGISTRY

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
WORDS = [word for pair in SECRETS.values() for word in pair]
ABOUT_GONE = "review_of-gone-decision"
BEFORE, AFTER = "2026-11-15T12:59:00Z", "2026-11-15T13:00:00Z"


@pytest.fixture(autouse=True)
def _world(library: Library, clock: StoppedClock) -> None:
    """Store the world, and let an hour pass."""
    import_lines(library, map(json.dumps, world()))
    clock.advance(hours=1)


def heard(ask: Ask, name: str, arguments: dict[str, Any]) -> str:
    """Return all that a call lets out, its refusal included."""
    try:
        reply: Any = ask(name, **arguments)
    except ShadowgraphError as error:
        reply = [error.text(), error.details]
    return json.dumps(reply, ensure_ascii=False)


def leaks(ask: Ask, calls: list[tuple[str, dict[str, Any]]]) -> list[str]:
    """Return the calls that let out a secret word, each with the word."""
    return [
        f"{name} {json.dumps(arguments)}: {word}"
        for name, arguments in calls
        for answer in [heard(ask, name, arguments)]
        for word in WORDS
        if word in answer
    ]


def retract_all(ask: Ask) -> None:
    """Retract one record of every kind."""
    for one in IDS.values():
        ask("retract", id=one, reason="recorded by mistake")


def test_the_words_can_be_heard_before(ask: Ask) -> None:
    """Every record by several operations: else what follows would prove nothing."""
    told = leaks(ask, READS)

    assert sorted(WORDS) == sorted({line.rsplit(": ", 1)[1] for line in told})
    speakers = {line.split()[0] for line in told}
    assert {"search", "check", "context", "recall", "review_signals"} <= speakers
    assert {"traverse", "retrieve", "expand", "get", "redact", "reconsider"} <= speakers


def test_no_operation_tells_a_word_of_what_was_retracted(ask: Ask) -> None:
    """Of any kind, as a hit, a neighbour, a signal, a suggestion or in a refusal."""
    retract_all(ask)

    assert [] == leaks(ask, [*READS, *WRITES])


@pytest.mark.parametrize("mode", ["logical", "hard"])
def test_no_operation_tells_a_word_of_what_was_purged(mode: str, ask: Ask) -> None:
    """The journal neither, nor an earlier time."""
    ask("purge", project=PROJECT, ids=[*IDS.values()], mode=mode)

    calls = [
        *READS,
        *WRITES,
        ("journal", {"detail": "full", "limit": 100}),
        *(("get", {"ids": [one], "knownAt": BEFORE}) for one in IDS.values()),
        ("traverse", {"id": "attempt_stays", "knownAt": BEFORE, "detail": "full"}),
        ("recall", {"query": "shared lantern", "knownAt": BEFORE, "detail": "full"}),
    ]
    assert [] == leaks(ask, calls)


def test_no_refusal_suggests_the_id_of_what_was_retracted(ask: Ask) -> None:
    """An id with a typing mistake is near nothing."""
    near = [{"ids": [one[:-1]]} for one in IDS.values()]
    before = [heard(ask, "get", arguments) for arguments in near]
    retract_all(ask)
    after = [heard(ask, "get", arguments) for arguments in near]

    assert all(f'"{one}"' in told for one, told in zip(IDS.values(), before, strict=True))
    assert [] == [one for one in IDS.values() if any(f'"{one}"' in a for a in after)]


def test_undoing_brings_every_word_back(ask: Ask) -> None:
    """Through the same operations as before."""
    before = leaks(ask, READS)
    retract_all(ask)
    for one in IDS.values():
        ask("retract", id=one, undo=True)

    after = leaks(ask, READS)
    assert set(before) <= set(after)


@pytest.mark.parametrize("kind", [*KINDS, *LINKS])
def test_what_was_known_before_a_retraction_is_still_what_was_known(
    kind: str, ask: Ask, refused: Refused
) -> None:
    """A read at an earlier knownAt shows the record, one at the retraction does not."""
    ask("retract", id=IDS[kind], reason="recorded by mistake")

    known = ask("get", ids=[IDS[kind]], knownAt=BEFORE)["items"][0]
    assert SECRETS[kind][0] in json.dumps(known)
    assert isinstance(refused("get", ids=[IDS[kind]], knownAt=AFTER), UnknownRecordError)


def test_the_signals_about_a_decision_go_and_come_back_with_it(ask: Ask) -> None:
    """The reply names them, and so does the one that undoes it."""
    gone = ask("retract", id=IDS["decision"], reason="recorded by mistake")
    left = ask("review_signals")["items"]
    back = ask("retract", id=IDS["decision"], undo=True)

    assert [ABOUT_GONE] == gone["signals"] == back["signals"]
    assert [IDS["review"]] == [signal["id"] for signal in left]
    assert {ABOUT_GONE, IDS["review"]} == {
        signal["id"] for signal in ask("review_signals")["items"]
    }


def test_a_signal_that_was_retracted_itself_does_not_come_back_with_its_decision(
    ask: Ask,
) -> None:
    """Only what went with the decision does."""
    ask("retract", id=ABOUT_GONE, reason="raised by mistake")
    gone = ask("retract", id=IDS["decision"], reason="recorded by mistake")
    back = ask("retract", id=IDS["decision"], undo=True)

    assert "signals" not in gone
    assert "signals" not in back
    assert [IDS["review"]] == [one["id"] for one in ask("review_signals")["items"]]


def test_a_signal_does_not_come_back_without_its_decision(
    ask: Ask, refused: Refused
) -> None:
    """The refusal names the decision."""
    ask("retract", id=IDS["decision"], reason="recorded by mistake")
    error = refused("retract", id=ABOUT_GONE, undo=True)

    assert isinstance(error, ConflictError)
    assert IDS["decision"] in error.hint


def test_a_purge_takes_signals_and_relations_of_a_record_along(
    ask: Ask, library: Library
) -> None:
    """Those of its alternatives too, and what named it; the preview counts what it takes."""
    asked = {"project": PROJECT, "ids": [IDS["decision"]]}
    preview, done = ask("purge_preview", **asked), ask("purge", **asked)

    # Two ways to the decision, two to its alternative, one signal.
    assert (1, 4, 1) == (done["records"], done["relations"], done["reviews"])
    assert preview.items() <= done.items()
    left = "\n".join(export_lines(library))
    assert "alternative_gone" not in left
    assert IDS["decision"] not in left


def test_a_relation_of_another_project_survives_a_purge_of_what_it_names(
    ask: Ask, library: Library
) -> None:
    """A purge is about one project."""
    across = {
        "kind": "relation",
        "id": "relation_across",
        "project": "other",
        "from": "attempt_there",
        "to": IDS["attempt"],
        "relation": "like",
    }
    import_lines(library, [json.dumps(across)])
    ask("purge", project=PROJECT, ids=[IDS["attempt"]])

    assert "relation_across" in "\n".join(export_lines(library))


def test_a_copy_keeps_the_signals_of_a_retracted_decision_out(
    ask: Ask, library: Library, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """What went with it goes with it through an export and an import."""
    ask("retract", id=IDS["decision"], reason="recorded by mistake")
    lines = list(export_lines(library))

    with Library(tmp_path_factory.mktemp("copy")) as copy:
        import_lines(copy, lines)
        with copy.store.read() as selection:
            signals = selection.of_kind(f"project:{PROJECT}", "review")
        assert [IDS["review"]] == [signal.id for signal in signals]


def test_every_reading_operation_is_asked() -> None:
    """A new one has to be added to the list."""
    reading = {name for name, one in REGISTRY.items() if one.read_only}
    asked = {full_name(name) for name, _ in READS}

    # Its purpose is to tell what was.
    assert reading - {"shadowgraph_journal"} <= asked
