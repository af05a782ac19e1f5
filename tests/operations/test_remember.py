"""Remembering: one memory, a plan, history, retries."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.store import Origin

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
NOTE = {"memoryType": "note", "key": "k"}


def history(library: Library, key: str = "k") -> list[tuple[int, str, str]]:
    """Return number, text and status of every state of a key, newest first."""
    with library.store.read() as selection:
        states = selection.memories_of("project:acme/billing-api", key)
    return [(s.body["version"], s.body["text"], s.body["status"]) for s in states]


def types(library: Library) -> list[str]:
    """Return the types of the journal entries, in their order."""
    connection = library.store._connection()
    return [t for (t,) in connection.execute("SELECT type FROM journal ORDER BY seq")]


def test_a_first_text_is_added(ask: Ask, library: Library) -> None:
    """In the shape of a memory, in force from now on."""
    reply = ask("remember", **NOTE, text="one", tags=["t"], metadata={"a": 1})

    now = "2026-11-15T12:00:00.000Z"
    memory = reply["memory"]
    assert "ADD" == reply["operation"]
    assert "previous" not in reply
    assert ("memory", "note", "k", "one", ["t"], {"a": 1}, 1, "active") == tuple(
        memory[name]
        for name in (
            "kind", "memoryType", "key", "text", "tags", "metadata", "version", "status",
        )
    )  # fmt: skip
    assert {"userId": None, "agentId": None, "runId": None} == memory["scope"]
    assert {
        "validFrom": now,
        "validTo": None,
        "recordedAt": now,
        "invalidatedAt": None,
    } == memory["temporal"]
    assert ["memory.recorded"] == types(library)


def test_another_text_ends_the_one_before(
    ask: Ask, clock: StoppedClock, library: Library
) -> None:
    """Each says what came before and after it, and the windows meet."""
    first = ask("remember", **NOTE, text="one")["memory"]
    clock.advance(hours=1)
    reply = ask("remember", **NOTE, text="two")

    memory, previous = reply["memory"], reply["previous"]
    assert "UPDATE" == reply["operation"]
    assert (first["id"], memory["id"]) == (memory["supersedes"], previous["supersededBy"])
    assert memory["temporal"]["validFrom"] == previous["temporal"]["validTo"]
    assert [(2, "two", "active"), (1, "one", "superseded")] == history(library)
    assert ["memory.recorded", "memory.superseded", "memory.recorded"] == types(library)


def test_the_same_text_again_changes_nothing(
    ask: Ask, clock: StoppedClock, library: Library
) -> None:
    """Without tags and metadata, or with the same."""
    first = ask("remember", **NOTE, text="one")
    clock.advance(hours=1)
    again = ask("remember", **NOTE, text="one", tags=[], metadata={})

    assert ("NOOP", first["memory"]) == (again["operation"], again["memory"])
    assert [(1, "one", "active")] == history(library)


def test_other_tags_or_metadata_are_another_text(ask: Ask) -> None:
    """They are part of what it says."""
    ask("remember", **NOTE, text="one")

    assert "UPDATE" == ask("remember", **NOTE, text="one", tags=["a"])["operation"]
    assert (
        "UPDATE"
        == ask("remember", **NOTE, text="one", tags=["a"], metadata={"b": 1})["operation"]
    )


def test_type_scope_and_project_tell_memories_apart(ask: Ask) -> None:
    """The same key may be used in each."""
    others: list[dict[str, Any]] = [
        {},
        {"memoryType": "goal"},
        {"scope": {"userId": "ada"}},
        {"scope": {"userId": "ada", "runId": "7"}},
        {"project": "acme/web-shop"},
    ]

    done = [ask("remember", **{**NOTE, **o, "text": "one"})["operation"] for o in others]

    assert ["ADD"] * len(others) == done


def test_a_text_that_would_begin_earlier_is_refused(ask: Ask, refused: Refused) -> None:
    """The past is not rewritten."""
    active = ask("remember", **NOTE, text="one", validFrom="2026-03-01T00:00:00Z")
    error = refused("remember", **NOTE, text="two", validFrom="2026-02-01T00:00:00Z")

    assert isinstance(error, ConflictError)
    assert active["memory"]["id"] == error.details["id"]


def test_a_window_that_ends_before_it_begins_is_refused(refused: Refused) -> None:
    """As with facts."""
    error = refused(
        "remember",
        **NOTE,
        text="one",
        validFrom="2026-03-01T00:00:00Z",
        validTo="2026-03-01T01:00:00+01:00",
    )

    assert "not after it begins" in error.message


def test_a_text_whose_time_is_over_is_added_anew(ask: Ask, clock: StoppedClock) -> None:
    """It says the same, but it does not hold any more."""
    ask("remember", **NOTE, text="one", validTo="2026-11-16T00:00:00Z")
    clock.advance(days=2)
    reply = ask("remember", **NOTE, text="one")

    assert "UPDATE" == reply["operation"]
    assert "2026-11-16T00:00:00Z" == reply["previous"]["temporal"]["validTo"]


def test_a_new_vector_is_kept_without_a_new_state(ask: Ask, library: Library) -> None:
    """The reply gives its size in place of its numbers."""
    ask("remember", **NOTE, text="one", embedding=[0.1, 0.2])
    reply = ask(
        "remember", **NOTE, text="one", embedding={"model": "m", "values": [1, 2, 3]}
    )

    assert ("NOOP", True) == (reply["operation"], reply["indexUpdated"])
    assert (1, 3) == (reply["memory"]["version"], reply["memory"]["embeddingDimensions"])
    held = ask("get", ids=[reply["memory"]["id"]])["items"][0]["embedding"]
    assert {"model": "m", "values": [1, 2, 3]} == held
    assert ["memory.recorded", "memory.indexed"] == types(library)


@pytest.mark.parametrize(
    "vector", [[], [True], ["a"], {"model": "m"}, {"values": []}, [[1.0]], "text"]
)
def test_a_vector_is_numbers(vector: Any, refused: Refused) -> None:
    """Anything else is refused by name."""
    error = refused("remember", **NOTE, text="one", embedding=vector)

    assert "embedding" in error.message


@pytest.mark.parametrize("missing", ["memoryType", "key", "text"])
def test_a_single_memory_needs_type_key_and_text(missing: str, refused: Refused) -> None:
    """The message names what is missing, and the other form."""
    given = {**NOTE, "text": "one"}
    given.pop(missing)
    error = refused("remember", **given)

    assert isinstance(error, InvalidInputError)
    assert error.message.startswith(missing)
    assert "operations" in error.hint


def test_an_unknown_member_of_a_scope_is_refused(refused: Refused) -> None:
    """A mistyped userId would make the memory everybody's."""
    error = refused("remember", **NOTE, text="one", scope={"userID": "ada"})

    assert "userID" in error.message


def test_a_plan_is_applied_in_its_order(ask: Ask, library: Library) -> None:
    """Each operation sees what those before it did."""
    ask("remember", **NOTE, text="one")
    reply = ask(
        "remember",
        operations=[
            {"action": "UPDATE", **NOTE, "text": "two"},
            {"action": "noop", **NOTE},
            {"action": "DELETE", **NOTE},
            {"action": "NOOP", **NOTE},
            {"action": "ADD", **NOTE, "text": "three"},
            {"action": "DELETE", "memoryType": "note", "key": "never"},
        ],
    )

    assert ["UPDATE", "NOOP", "DELETE", "NOOP", "ADD", "NOOP"] == [
        one["operation"] for one in reply["results"]
    ]
    texts = [one["memory"] and one["memory"]["text"] for one in reply["results"]]
    assert ["two", "two", "two", None, "three", None] == texts
    assert {"complete": True, "requested": 6, "applied": 3} == reply["completeness"]
    assert [
        (3, "three", "active"),
        (2, "two", "invalidated"),
        (1, "one", "superseded"),
    ] == history(library)


@pytest.mark.parametrize(
    "bad",
    [
        {"action": "ADD", **NOTE},
        {"action": "FORGET", **NOTE, "text": "x"},
        {"action": "ADD", "memoryType": "dream", "key": "k", "text": "x"},
        {"action": "ADD", **NOTE, "text": "x", "validFrom": "yesterday"},
        {"action": "ADD", **NOTE, "text": "x", "unknown": 1},
    ],
)
def test_a_plan_with_one_bad_operation_writes_nothing(
    bad: dict[str, Any], refused: Refused, library: Library
) -> None:
    """The message names the place in the plan."""
    good = {"action": "ADD", "memoryType": "note", "key": "good", "text": "x"}
    error = refused("remember", operations=[good, bad])

    assert "operations[1]" in error.message
    assert (0, 0) == (library.store.revision(), len(types(library)))


def test_a_plan_that_fails_on_the_way_writes_nothing(
    ask: Ask, refused: Refused, library: Library
) -> None:
    """It is one transaction."""
    ask("remember", **NOTE, text="one")
    error = refused(
        "remember",
        operations=[
            {"action": "ADD", "memoryType": "note", "key": "good", "text": "x"},
            {"action": "ADD", **NOTE, "text": "two", "validFrom": "2020-01-01T00:00:00Z"},
        ],
    )

    assert isinstance(error, ConflictError)
    assert [] == history(library, "good")


def test_what_a_call_says_for_all_holds_for_each_operation(ask: Ask) -> None:
    """Unless an operation says otherwise itself."""
    reply = ask(
        "remember",
        scope={"userId": "ada"},
        sourceClass="tool_observed",
        operations=[
            {"action": "ADD", **NOTE, "text": "one"},
            {"action": "ADD", **NOTE, "text": "one", "scope": {"userId": "bob"}},
        ],
    )

    memories = [one["memory"] for one in reply["results"]]
    assert ["ada", "bob"] == [memory["scope"]["userId"] for memory in memories]
    assert {"tool_observed"} == {memory["sourceClass"] for memory in memories}


@pytest.mark.parametrize("alone", [{"text": "x"}, {"tags": ["a"]}, {"key": "k"}])
def test_a_plan_and_a_single_memory_are_not_mixed(
    alone: dict[str, Any], refused: Refused
) -> None:
    """What belongs to one memory would be lost."""
    error = refused("remember", operations=[{"action": "NOOP", **NOTE}], **alone)

    assert f"{next(iter(alone))} and operations" in error.message


def test_a_deletion_ends_at_the_instant_it_names(ask: Ask) -> None:
    """At the beginning of the memory when it names an earlier one."""
    ends = []
    for key, at in (("a", "2026-05-01T00:00:00Z"), ("b", "2026-01-01T00:00:00Z")):
        ask(
            "remember",
            memoryType="note",
            key=key,
            text="x",
            validFrom="2026-03-01T00:00:00Z",
        )
        plan = [{"action": "DELETE", "memoryType": "note", "key": key, "validAt": at}]
        memory = ask("remember", operations=plan)["results"][0]["memory"]
        ends.append((memory["status"], memory["temporal"]["validTo"]))

    assert [
        ("invalidated", "2026-05-01T00:00:00.000Z"),
        ("invalidated", "2026-03-01T00:00:00.000Z"),
    ] == ends


def test_a_retry_with_the_same_key_remembers_nothing_again(
    ask: Ask, library: Library
) -> None:
    """It answers with what the first call made, however it went on."""
    first = ask("remember", **NOTE, text="one", idempotencyKey="r")
    ask("remember", **NOTE, text="two")
    again = ask("remember", **NOTE, text="one", idempotencyKey="r")

    assert ("NOOP", True) == (again["operation"], again["replayed"])
    assert (first["memory"]["id"], "superseded") == (
        again["memory"]["id"],
        again["memory"]["status"],
    )
    assert 2 == len(history(library))


def test_a_retry_of_a_plan_is_a_retry_of_each_operation(ask: Ask) -> None:
    """A deletion and an addition are not done twice."""
    ask("remember", **NOTE, text="one")
    plan = [{"action": "DELETE", **NOTE}, {"action": "ADD", **NOTE, "text": "two"}]
    first = ask("remember", operations=plan, idempotencyKey="p")
    again = ask("remember", operations=plan, idempotencyKey="p")

    assert [True, True] == [one["replayed"] for one in again["results"]]
    assert [one["memory"]["id"] for one in first["results"]] == [
        one["memory"]["id"] for one in again["results"]
    ]


def test_a_retry_key_with_another_text_is_refused(ask: Ask, refused: Refused) -> None:
    """The new text would be lost in silence."""
    ask("remember", **NOTE, text="one", idempotencyKey="r")

    assert isinstance(
        refused("remember", **NOTE, text="two", idempotencyKey="r"), ConflictError
    )


def test_two_active_memories_from_an_import_become_one(ask: Ask, library: Library) -> None:
    """The one with the higher number is the one that is followed."""
    with library.write() as transaction:
        for number in (2, 1):
            body = {
                "id": f"memory_{number}",
                "kind": "memory",
                "project": "acme/billing-api",
                **NOTE,
                "text": f"text {number}",
                "version": number,
                "status": "active",
            }
            transaction.insert(body, "memory.imported", Origin())

    reply = ask("remember", **NOTE, text="three")

    assert ("memory_2", 3) == (reply["memory"]["supersedes"], reply["memory"]["version"])
    assert ["active", "superseded", "superseded"] == [
        status for _, _, status in history(library)
    ]


@pytest.mark.parametrize("temporal", [True, [], "soon", {"validFrom": 1, "validTo": []}])
@pytest.mark.parametrize("action", ["ADD", "DELETE"])
def test_an_odd_memory_from_an_import_is_followed_all_the_same(
    temporal: Any, action: str, ask: Ask, library: Library
) -> None:
    """Times that are none count as absent."""
    body = {
        "id": "memory_odd",
        "kind": "memory",
        "project": "acme/billing-api",
        **NOTE,
        "text": "odd",
        "temporal": temporal,
    }
    with library.write() as transaction:
        transaction.insert(body, "memory.imported", Origin())

    plan = [{"action": action, **NOTE, "text": "two"}]
    done = ask("remember", operations=plan)["results"][0]

    ended = done["previous"] if action == "ADD" else done["memory"]
    assert "memory_odd" == ended["id"]
    assert "2026-11-15T12:00:00.000Z" == ended["temporal"]["validTo"]
