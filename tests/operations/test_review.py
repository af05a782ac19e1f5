"""Reviews: what is due, the signals that are stored, and their acknowledgement."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import InvalidInputError, UnknownRecordError
from shadowgraph.operations import Caller, invoke
from shadowgraph.operations.due import every_review
from shadowgraph.operations.reviewing import Circumstances
from shadowgraph.operations.signals import raise_signals

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
SMALL = {"key": "users", "operator": "gte", "value": 100}
LARGE = {"key": "users", "operator": "gte", "value": 1000}


@pytest.fixture
def decision(ask: Ask) -> str:
    """Record a decision with two rules on one key; return its id."""
    return str(
        ask(
            "record_decision",
            title="Where sessions live",
            chosen="in the process",
            alternatives=[
                {"label": "Redis", "reopenWhen": [SMALL, LARGE]},
                {"label": "a file", "reopenWhen": ["single host again"]},
            ],
        )["id"]
    )


def types(library: Library, entity: str) -> list[str]:
    """Return the journal's entries about one record, oldest first."""
    rows = library.store._connection().execute(
        "SELECT type FROM journal WHERE entity = ? ORDER BY seq", (entity,)
    )
    return [kind for (kind,) in rows]


def statuses(reply: dict[str, Any]) -> list[str]:
    """Return the status of each due decision's signal."""
    return [item["reviewSignalStatus"] for item in reply["items"]]


def test_a_fired_rule_makes_its_decision_due_and_says_why(ask: Ask, decision: str) -> None:
    """With the alternative, the question, what was seen and where it was seen."""
    fact = ask("record_fact", key="users", value=250)
    (due,) = ask("review")["items"]

    (condition,) = due["violatedConditions"]
    assert (decision, "users", ["Redis"]) == (
        due["decisionId"],
        due["reason"],
        due["alternativesToReconsider"],
    )
    assert ("Redis", "gte", 100, 250) == tuple(
        condition[name] for name in ("alternativeLabel", "operator", "expected", "observed")
    )
    assert fact["id"] == condition["evidence"]["factId"]
    assert "open" == due["reviewSignalStatus"]


def test_asking_again_raises_no_second_signal(
    ask: Ask, library: Library, decision: str
) -> None:
    """The same breach is the same signal, and nothing is written for it."""
    ask("record_fact", key="users", value=250)
    first = ask("review")["items"][0]["reviewSignalId"]
    revision = library.store.revision()
    again = ask("review")["items"][0]["reviewSignalId"]

    assert first == again
    assert revision == library.store.revision()
    assert [decision] == [s["decisionId"] for s in ask("review_signals")["items"]]


@pytest.mark.usefixtures("decision")
def test_an_acknowledged_small_breach_does_not_silence_a_larger_one(ask: Ask) -> None:
    """The larger one is another signal; the small one stays acknowledged."""
    ask("record_fact", key="users", value=250)
    small = ask("review")["items"][0]["reviewSignalId"]
    ask("ack_review", id=small)
    still = ask("review")
    ask("record_fact", key="users", value=5000)
    (larger,) = ask("review")["items"]
    ask("record_fact", key="users", value=300)
    back = ask("review")

    assert ["acknowledged"] == statuses(still) == statuses(back)
    assert ("open", True) == (
        larger["reviewSignalStatus"],
        larger["reviewSignalId"] != small,
    )


@pytest.mark.usefixtures("decision")
def test_an_acknowledgement_is_journalled_and_repeating_it_changes_nothing(
    ask: Ask, library: Library, clock: StoppedClock
) -> None:
    """The first time stays."""
    ask("record_fact", key="users", value=250)
    signal = ask("review")["items"][0]["reviewSignalId"]
    first = ask("ack_review", id=signal)
    clock.advance(hours=1)
    second = ask("ack_review", id=signal)

    assert ("acknowledged", first["acknowledgedAt"]) == (
        second["status"],
        second["acknowledgedAt"],
    )
    assert ["review.opened", "review.acknowledged"] == types(library, signal)


def test_a_later_review_date_is_a_new_breach(
    ask: Ask, library: Library, clock: StoppedClock
) -> None:
    """Whoever moved the date wants to hear of it again."""
    decision = ask(
        "record_decision", title="t", chosen="c", reviewAfter="2026-11-14T00:00:00Z"
    )
    ask("ack_review", id=ask("review")["items"][0]["reviewSignalId"])
    silent = statuses(ask("review"))
    with library.write() as transaction:
        held = transaction.by_id(decision["id"])
        assert held is not None
        body = {**held.body, "reviewAfter": "2026-11-20T00:00:00Z"}
        transaction.replace(
            held, body, "decision.recorded", Caller().origin(None, None, None)
        )
    before = ask("review")["items"]
    clock.advance(days=10)

    assert (["acknowledged"], [], ["open"]) == (silent, before, statuses(ask("review")))


def test_a_failed_outcome_makes_a_decision_due_until_it_is_closed(ask: Ask) -> None:
    """Also a failed one, which is no longer current."""
    decision = ask("record_decision", title="t", chosen="c")["id"]
    ask("record_outcome", decisionId=decision, outcome="failed")
    due = ask("review")["items"]
    ask("update_status", decisionId=decision, status="archived")

    assert ["decision outcome failed"] == [item["reason"] for item in due]
    assert [] == ask("review")["items"]


def test_signals_of_a_closed_decision_are_history(ask: Ask, decision: str) -> None:
    """They stay in the list and say so."""
    ask("record_fact", key="users", value=250)
    ask("review")
    successor = ask("record_decision", title="t2", chosen="c2")["id"]
    ask("supersede", decisionId=decision, replacementId=successor)

    (signal,) = ask("review_signals")["items"]
    assert (True, "superseded", successor) == (
        signal["historical"],
        signal["decisionState"],
        signal["supersededBy"],
    )


def test_signals_are_listed_by_status_and_by_pages(ask: Ask) -> None:
    """The counts are of all."""
    for number in range(3):
        decision = ask("record_decision", title=f"t{number}", chosen="c")["id"]
        ask("record_outcome", decisionId=decision, outcome="failed")
    first, *_ = ask("review")["items"]
    ask("ack_review", id=first["reviewSignalId"])
    page = ask("review_signals", status="open", limit=1, offset=1)

    assert 1 == len(ask("review_signals", status="acknowledged")["items"])
    assert (1, 2, 1, False) == tuple(
        page["completeness"][name] for name in ("returned", "total", "omitted", "complete")
    )


@pytest.mark.usefixtures("decision")
def test_another_instant_is_answered_and_nothing_is_stored(
    ask: Ask, library: Library, clock: StoppedClock
) -> None:
    """Facts decide by their windows, and what was made later did not exist."""
    ask("record_fact", key="users", value=250, validTo="2026-11-16T00:00:00Z")
    revision = library.store.revision()
    clock.advance(days=5)

    assert [] == ask("review")["items"]
    assert ["unpersisted"] == statuses(ask("review", asOf="2026-11-15T13:00:00Z"))
    assert [] == ask("review", asOf="2026-11-01T00:00:00Z", facts={"users": 250})["items"]
    assert revision == library.store.revision()


@pytest.mark.usefixtures("decision")
def test_a_past_value_is_found_behind_a_long_history(ask: Ask, clock: StoppedClock) -> None:
    """However many observations came later."""
    ask("record_fact", key="users", value=250)
    clock.advance(hours=2)
    for number in range(60):
        ask("record_fact", key="users", value=number)
        clock.advance(minutes=1)

    assert [] == ask("review")["items"]
    assert 1 == len(ask("review", asOf="2026-11-15T13:00:00Z")["items"])


@pytest.mark.usefixtures("decision")
def test_an_expired_fact_no_longer_fires(ask: Ask, clock: StoppedClock) -> None:
    """Whether or not anybody ran maintenance; the boundary itself has expired."""
    ask("record_fact", key="users", value=250, expiresAt="2026-11-15T13:00:00Z")
    clock.advance(minutes=59)
    before = ask("review")["items"]
    clock.advance(minutes=1)

    assert (1, 0) == (len(before), len(ask("review")["items"]))


@pytest.mark.usefixtures("decision")
def test_a_token_fires_by_its_exact_name_and_is_counted_otherwise(ask: Ask) -> None:
    """Not having heard of a change is not knowing that there was none."""
    ask("record_fact", key="users", value=1)
    quiet = ask("review")
    (due,) = ask("review", changedFacts=["single host again"])["items"]

    assert ([], 1) == (quiet["items"], quiet["completeness"]["undecided"])
    assert ["a file"] == due["alternativesToReconsider"]


def test_a_rule_that_absence_decides_fires_without_any_fact(ask: Ask) -> None:
    """Nothing names its key yet, and that is what it asks."""
    ask(
        "record_decision",
        title="t",
        chosen="c",
        alternatives=[
            {"label": "b", "reopenWhen": [{"key": "license", "operator": "missing"}]}
        ],
    )
    before, shown = ask("review")["items"], ask("context")["firedConditions"]
    ask("record_fact", key="license", value=None)

    assert ["license"] == [item["reason"] for item in before]
    assert ["license"] == [item["reason"] for item in shown]
    assert [] == ask("review")["items"] == ask("context")["firedConditions"]


def test_a_tree_fires_as_one_condition(ask: Ask) -> None:
    """Its keys are the causes, its parts are shown."""
    both = {"all": [SMALL, {"none": [{"key": "budget", "operator": "lte", "value": 0}]}]}
    ask(
        "record_decision",
        title="t",
        chosen="c",
        alternatives=[{"label": "b", "reopenWhen": [both]}],
    )
    ask("record_fact", key="users", value=250)
    unknown = ask("review")["items"]
    ask("record_fact", key="budget", value=5)
    (due,) = ask("review")["items"]

    assert [] == unknown
    assert "users, budget" == due["reason"]
    (condition,) = due["violatedConditions"]
    assert ["true", "true"] == [part["verdict"] for part in condition["conditions"]]


def test_an_archived_decision_is_not_due(ask: Ask, library: Library, decision: str) -> None:
    """Whatever its rules say."""
    ask("record_fact", key="users", value=250)
    ask("update_status", decisionId=decision, status="archived")

    assert [] == ask("review")["items"]
    assert 0 == library.store.counts().get("review", 0)


def test_a_decision_closed_or_raised_by_another_process_meanwhile_gets_no_signal(
    ask: Ask, library: Library, caller: Caller, decision: str
) -> None:
    """What was judged is looked at again inside of the transaction."""
    scope = caller.scope(None)
    ask("record_fact", key="users", value=250)
    judged = every_review(library, scope, Circumstances(library.clock()))
    ask("review")
    raise_signals(library, scope, judged.due, {}, caller)
    once = library.store.counts()["review"]
    later = every_review(library, scope, Circumstances(library.clock(), {"users": 5000}))
    ask("update_status", decisionId=decision, status="archived")
    raise_signals(library, scope, later.due, {}, caller)

    assert (1, 1) == (len(judged.due), len(later.due))
    assert 1 == once == library.store.counts()["review"]


def test_many_keys_and_decisions_are_all_evaluated(ask: Ask, library: Library) -> None:
    """More than fit into one statement, and more than a context looks at."""
    origin = Caller().origin(None, None, None)
    with library.write() as transaction:
        for number in range(620):
            transaction.insert(
                {
                    "id": f"decision_{number}",
                    "kind": "decision",
                    "project": "acme/billing-api",
                    "title": f"t{number}",
                    "chosen": "c",
                    "status": "proposed",
                    "alternatives": [
                        {
                            "id": f"alternative_{number}",
                            "label": "b",
                            "reopenWhen": [f"change {number}"],
                        }
                    ],
                    "createdAt": "2026-11-01T00:00:00Z",
                },
                "decision.recorded",
                origin,
            )
    changes = [f"change {number}" for number in range(620)]
    reply = ask("review", changedFacts=changes, limit=1000)
    page = ask("review", changedFacts=changes, offset=600, limit=50)

    assert 620 == len(reply["items"]) == library.store.counts()["review"]
    assert {"open"} == set(statuses(reply))
    assert (20, 620) == (len(page["items"]), page["completeness"]["total"])


def test_the_context_shows_the_signal_and_stores_none(
    ask: Ask, library: Library, decision: str
) -> None:
    """What somebody has seen comes after what nobody has."""
    ask("record_fact", key="users", value=250)
    before = ask("context")["firedConditions"]
    signal = ask("review")["items"][0]["reviewSignalId"]
    ask("ack_review", id=signal)
    other = ask("record_decision", title="t", chosen="c", reviewAfter="2026-11-01")["id"]
    after = ask("context")["firedConditions"]

    assert ["unpersisted"] == [item["reviewSignalStatus"] for item in before]
    assert [other, decision] == [item["decisionId"] for item in after]
    assert ("acknowledged", signal) == (
        after[1]["reviewSignalStatus"],
        after[1]["reviewSignalId"],
    )
    assert 1 == library.store.counts()["review"]


def test_the_review_context_stores_signals_and_has_the_older_names(
    ask: Ask, decision: str
) -> None:
    """One call to begin a review session with."""
    ask("record_fact", key="users", value=250)
    ask("record_attempt", solution="Redis", result="it failed", resultClass="failed")
    ask("record_decision", title="A guess", chosen="c", confidence=0.2)
    reply = ask("review_context")

    (due,) = reply["openReviews"]
    assert (decision, "open", ["Redis"]) == (
        due["decisionId"],
        due["reviewSignalStatus"],
        due["alternativesToReconsider"],
    )
    assert ["Redis"] == [item["solution"] for item in reply["failedAttemptsToAvoid"]]
    assert ["What evidence could change A guess? (confidence 0.2)"] == (
        reply["suggestedQuestions"]
    )
    assert not {"failedAttempts", "firedConditions"} & reply.keys()


@pytest.mark.parametrize("given", ["soon", "2026-11-15T12:00:00"])
def test_what_is_no_instant_is_refused(given: str, refused: Refused) -> None:
    """Nothing is stored then."""
    assert isinstance(refused("review", asOf=given), InvalidInputError)


def test_only_a_signal_can_be_acknowledged(
    ask: Ask, refused: Refused, decision: str
) -> None:
    """Another kind says what it is, a foreign signal reads like an unknown one."""
    ask("record_fact", key="users", value=250)
    signal = ask("review")["items"][0]["reviewSignalId"]
    foreign = refused("ack_review", id=signal, project="acme/other")
    unknown = refused("ack_review", id=signal[:-3] + "zzz", project="acme/other")

    assert isinstance(refused("ack_review", id=decision), InvalidInputError)
    assert isinstance(foreign, UnknownRecordError)
    assert foreign.message.replace(signal, "") == unknown.message.replace(
        signal[:-3] + "zzz", ""
    )


def test_facts_and_signals_of_another_project_decide_nothing(
    ask: Ask, library: Library, decision: str
) -> None:
    """Each project reviews its own."""
    elsewhere = Caller("acme/other", "server")
    arguments = {"key": "users", "value": 5000}
    invoke(library, "shadowgraph_record_fact", arguments, elsewhere)
    invoke(library, "shadowgraph_review", {"facts": arguments}, elsewhere)

    assert decision.startswith("decision_")
    assert [] == ask("review")["items"]
