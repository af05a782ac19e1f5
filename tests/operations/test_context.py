"""Context: what comes first, what a budget keeps, what is due."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
SECTIONS = (
    "failedAttempts",
    "firedConditions",
    "activeDecisions",
    "reusableAttempts",
    "staleAssumptions",
    "belowConfidenceThreshold",
)


def _ids(items: list[dict[str, Any]]) -> list[str]:
    """Return the ids of a section, whatever it calls them."""
    return [item.get("id") or item.get("decisionId") or item["attemptId"] for item in items]


@pytest.mark.usefixtures("tiny_library")
def test_the_sections_hold_what_their_names_say(ask: Ask) -> None:
    """Of one project, with the defaults."""
    reply = ask("context")

    assert {
        "attempt_ledger-on-nfs",
        "attempt_ledger-on-smb-macos",
        "attempt_merge-returning",
        "attempt_pdf-in-one-worker",
    } == set(_ids(reply["failedAttempts"]))
    assert {"decision_ledger-in-sqlite", "decision_retry-card-twice"} == set(
        _ids(reply["activeDecisions"])
    )
    assert ["decision_retry-card-twice"] == _ids(reply["firedConditions"])
    assert ["fact_ledger-writers"] == _ids(reply["staleAssumptions"])
    assert [] == reply["reusableAttempts"]
    assert [] == reply["belowConfidenceThreshold"]


@pytest.mark.usefixtures("tiny_library")
def test_failed_attempts_are_the_first_section(ask: Ask) -> None:
    """A reader that stops early has read what to avoid."""
    reply = ask("context")

    names = [name for name in reply if name in SECTIONS]
    assert list(SECTIONS) == names


@pytest.mark.usefixtures("tiny_library")
def test_a_failed_attempt_tells_its_reason_and_environment(ask: Ask) -> None:
    """Enough to judge whether it would fail again."""
    item = ask("context", query="ledger NFS")["failedAttempts"][0]

    assert "attempt_ledger-on-nfs" == item["id"]
    assert {"solution", "result", "reason", "environment", "resultClass", "matched"} <= set(
        item
    )


@pytest.mark.usefixtures("tiny_library")
def test_the_query_ranks_every_ranked_section(ask: Ask) -> None:
    """What the task is about comes first, the newest of the rest after it."""
    reply = ask("context", query="invoice PDF rendering worker")

    assert "attempt_pdf-in-one-worker" == reply["failedAttempts"][0]["id"]
    assert "matched" not in reply["failedAttempts"][-1]
    assert (
        "decision_retry-card-twice"
        == (ask("context", query="card issuers")["activeDecisions"][0]["id"])
    )


@pytest.mark.usefixtures("tiny_library")
def test_the_environment_raises_records_from_there(ask: Ask) -> None:
    """The same failure on another system is another failure."""
    first = ask("context", query="WAL share locked", environment="macOS 14")

    assert "attempt_ledger-on-smb-macos" == first["failedAttempts"][0]["id"]


def test_without_a_query_the_newest_come_first(ask: Ask, clock: Any) -> None:
    """Never oldest first, and a cut leaves out the oldest."""
    ids = []
    for number in range(8):
        clock.advance(days=1)
        ids.append(
            ask(
                "record_attempt",
                solution=f"try {number}",
                result="crashed",
                resultClass="failed",
            )["id"]
        )

    assert ids[::-1][:5] == _ids(ask("context", limit=5)["failedAttempts"])


@pytest.mark.parametrize("budget", [300, 400, 500, 1_000, 2_000, 5_000])
@pytest.mark.parametrize("query", ["", "container keeps restarting", "why? " * 3_000])
def test_a_reply_keeps_to_its_budget(budget: int, query: str, notes: Library) -> None:
    """Four characters a token, names and counts included."""
    for project in ("acme/platform", "acme/data-pipeline", "acme/billing-api"):
        arguments = {"project": project, "budget": budget, "query": query}
        reply = invoke(notes, "shadowgraph_context", arguments, Caller())

        text = json.dumps(reply, ensure_ascii=False, separators=(",", ":"))
        assert len(text) <= budget * 4


def test_a_budget_holds_when_every_section_is_full_of_long_texts(ask: Ask) -> None:
    """Long values, many conditions, quotation marks that JSON has to escape."""
    long = 'word "quoted" \\ ' * 200
    for number in range(12):
        ask("record_fact", key=f"key{number}", value=long, validTo="2026-11-15T12:00:01Z")
        rules = [
            {"key": f"key{number}", "operator": "equals", "value": long},
            {"key": f"key{number}", "operator": "gte", "value": 3},
        ]
        ask("record_attempt", solution=long, result="crashed", reusableWhen=rules[:1])
        ask(
            "record_decision",
            title=long,
            chosen=long,
            confidence=0.1,
            alternatives=[{"label": long, "reasonRejected": long, "reopenWhen": rules}],
        )

    for budget in (300, 1_000, 2_000):
        reply = ask("context", budget=budget, query=long)
        assert len(json.dumps(reply, ensure_ascii=False)) <= budget * 4


def test_a_larger_budget_shows_at_least_as_much(notes: Library) -> None:
    """Room is used in order of worth."""
    shown = [
        sum(
            len(reply[name])
            for name in SECTIONS
            for reply in [
                invoke(
                    notes,
                    "shadowgraph_context",
                    {"project": "acme/platform", "budget": budget},
                    Caller(),
                )
            ]
        )
        for budget in (500, 1_000, 2_000, 4_000, 16_000)
    ]

    assert sorted(shown) == shown
    assert shown[0] > 0
    assert shown[-1] > shown[0]


@pytest.mark.parametrize("arguments", [{}, {"budget": 600}, {"limit": 1}, {"budget": 300}])
def test_the_totals_add_up(arguments: dict[str, int], notes: Library) -> None:
    """Returned and omitted make the total, in every section."""
    reply = invoke(
        notes, "shadowgraph_context", {"project": "acme/platform", **arguments}, Caller()
    )

    block = reply["completeness"]
    for name in SECTIONS:
        counted = block["collections"][name]
        assert len(reply[name]) == counted["returned"]
        assert counted["total"] == counted["returned"] + counted["omitted"]
        assert counted["hasMore"] == (counted["omitted"] > 0)
    assert block["complete"] == (
        not any(one["hasMore"] for one in block["collections"].values())
    )


def test_totals_count_beyond_what_a_reply_can_hold(ask: Ask) -> None:
    """Sixty stale facts are sixty, sixty doubtful decisions too."""
    for number in range(60):
        ask("record_fact", key=f"k{number}", value=1, validTo="2026-11-15T12:00:01Z")
        ask("record_fact", key=f"k{number}", value=2)
        ask("record_decision", title=f"t{number}", chosen="c", confidence=0.2)

    collections = ask("context")["completeness"]["collections"]
    assert 60 == collections["staleAssumptions"]["total"]
    assert 60 == collections["belowConfidenceThreshold"]["total"]


def test_the_limit_is_per_section(notes: Library) -> None:
    """One item each when one is asked for."""
    reply = invoke(
        notes, "shadowgraph_context", {"project": "acme/platform", "limit": 1}, Caller()
    )

    assert {0, 1} >= {len(reply[name]) for name in SECTIONS}
    assert "caller" == reply["completeness"]["limitSource"]


@pytest.fixture
def reopened(ask: Ask) -> str:
    """Return the id of a decision that four writers or a lost disk would reopen."""
    made = ask(
        "record_decision",
        title="Where the ledger is stored",
        chosen="SQLite",
        alternatives=[
            {
                "label": "PostgreSQL",
                "reopenWhen": [{"key": "ledger.writers", "operator": "gte", "value": 4}],
            },
            {"label": "NFS", "reopenWhen": ["disk.removed"]},
        ],
    )
    return str(made["id"])


def test_a_decision_is_due_when_a_stored_fact_fulfils_a_condition(
    ask: Ask, reopened: str
) -> None:
    """The condition, the expected and the observed value are shown."""
    ask("record_fact", key="ledger.writers", value=5)

    (due,) = ask("context")["firedConditions"]
    assert (reopened, ["PostgreSQL"]) == (due["decisionId"], due["affectedAlternatives"])
    (condition,) = due["violatedConditions"]
    assert ("ledger.writers", "gte", 4, 5, "true") == tuple(
        condition[name] for name in ("key", "operator", "expected", "observed", "verdict")
    )


def test_a_decision_is_due_by_a_fact_of_the_call(ask: Ask, reopened: str) -> None:
    """Facts given with the call override stored ones."""
    ask("record_fact", key="ledger.writers", value=2)

    assert [] == ask("context")["firedConditions"]
    assert [reopened] == _ids(
        ask("context", facts={"ledger.writers": 4})["firedConditions"]
    )


def test_a_decision_is_due_by_a_named_change(ask: Ask, reopened: str) -> None:
    """A plain condition fires when the call names it, and only then."""
    due = ask("context", changedFacts=["disk.removed"])["firedConditions"]

    assert [(reopened, ["NFS"])] == [
        (one["decisionId"], one["affectedAlternatives"]) for one in due
    ]
    assert [] == ask("context", changedFacts=["disk"])["firedConditions"]


def test_a_decision_is_due_when_its_review_date_has_come(ask: Ask, clock: Any) -> None:
    """On that instant, not before."""
    ask("record_decision", title="t", chosen="c", reviewAfter="2026-11-16T12:00:00Z")

    assert [] == ask("context")["firedConditions"]
    clock.advance(days=1)
    (due,) = ask("context")["firedConditions"]
    assert "review date reached" == due["reason"]


def test_a_decision_with_a_failed_outcome_is_due(ask: Ask) -> None:
    """Until it is closed."""
    made = ask("record_decision", title="t", chosen="c")["id"]
    ask("record_outcome", decisionId=made, outcome="failed")
    (due,) = ask("context")["firedConditions"]
    ask("update_status", decisionId=made, status="abandoned")

    assert "decision outcome failed" == due["reason"]
    assert [] == ask("context")["firedConditions"]


def test_a_missing_fact_is_unknown_and_never_permits(ask: Ask, reopened: str) -> None:
    """Nothing fires, and nothing is said to be fine."""
    del reopened
    reply = ask("context", facts={"ledger.writers": "several"})

    assert [] == reply["firedConditions"]
    (told,) = reply["conditionDiagnostics"]
    assert "unknown" in {one["verdict"] for one in told["conditions"]}
    assert 1 == reply["completeness"]["undecidedConditions"]


@pytest.mark.usefixtures("tiny_library")
@pytest.mark.parametrize(
    ("facts", "reusable"),
    [
        ({}, False),
        ({"postgres.version": 17}, False),
        ({"postgres.version": 17, "rollup.window": "5 min"}, False),
        ({"postgres.version": 17, "rollup.window": "15min"}, True),
        ({"postgres.version": 17, "rollup.window": "900s"}, True),
        ({"postgres.version": 16, "rollup.window": "15min"}, False),
    ],
)
def test_an_attempt_is_reusable_only_when_all_its_conditions_hold(
    facts: dict[str, Any], reusable: bool, ask: Ask
) -> None:
    """One that is false or unknown is enough to leave it out."""
    found = ask("context", facts=facts)["reusableAttempts"]

    assert (["attempt_merge-returning"] if reusable else []) == _ids(found)


def test_contested_facts_permit_no_other_try(ask: Ask, library: Library) -> None:
    """Two values hold at once; neither decides."""
    ask(
        "record_attempt",
        solution="s",
        result="r",
        reusableWhen=[{"key": "k", "operator": "gte", "value": 1}],
    )
    for number, value in enumerate((1, 2)):
        body = {
            "kind": "fact",
            "id": f"fact_{number}",
            "project": "acme/billing-api",
            "key": "k",
            "value": value,
            "status": "active" if number else "superseded",
            "temporal": {"validFrom": f"2026-01-0{number + 1}T00:00:00Z", "validTo": None},
        }
        with library.write() as transaction:
            caller = Caller()
            transaction.insert(body, "fact.imported", caller.origin(None, None, None))

    assert [] == ask("context")["reusableAttempts"]


def test_a_context_changes_nothing(ask: Ask, reopened: str) -> None:
    """Due reviews are computed, not stored."""
    del reopened
    before = ask("stats")
    ask("context", changedFacts=["disk.removed"], facts={"ledger.writers": 9})
    after = ask("stats")

    assert (before["revision"], before["journal"]) == (after["revision"], after["journal"])


@pytest.mark.usefixtures("tiny_library")
def test_low_confidence_comes_least_first_with_the_threshold(ask: Ask) -> None:
    """What the makers themselves doubted."""
    ask(
        "record_decision", title="less", chosen="c", confidence=0.1, project="acme/web-shop"
    )

    items = ask("context", project="acme/web-shop")["belowConfidenceThreshold"]
    assert [0.1, 0.3] == [item["confidence"] for item in items]
    assert {0.5} == {item["threshold"] for item in items}


def test_superseded_facts_are_stale_assumptions(ask: Ask) -> None:
    """The value that was true once is shown with its state."""
    ask("record_fact", key="k", value="old")
    ask("record_fact", key="k", value="new")

    assert [("old", "superseded")] == [
        (item["value"], item["status"]) for item in ask("context")["staleAssumptions"]
    ]


def test_an_empty_store_gives_an_empty_and_complete_context(ask: Ask) -> None:
    """The first task of a project."""
    reply = ask("context", query="anything")

    assert [[]] * 6 == [reply[name] for name in SECTIONS]
    assert reply["completeness"]["complete"] is True
    assert "acme/billing-api" == reply["project"]


@pytest.mark.usefixtures("tiny_library")
def test_what_is_near_the_record_in_focus_rises(ask: Ask) -> None:
    """Above what is newer, with its distance, though no word of it was asked."""
    last = _ids(ask("context")["failedAttempts"])[-1]
    ask("link", **{"from": "decision_retry-card-twice", "to": last, "relation": "about"})
    before, near = ask("context"), ask("context", focalId="decision_retry-card-twice")

    assert last == _ids(near["failedAttempts"])[0]
    assert 1 == near["failedAttempts"][0]["distance"]
    assert sorted(_ids(before["failedAttempts"])) == sorted(_ids(near["failedAttempts"]))
    assert "distance" not in before["failedAttempts"][0]


@pytest.mark.usefixtures("tiny_library")
def test_words_and_nearness_make_one_order(ask: Ask) -> None:
    """What both speak for is above what one does."""
    query = "WAL ledger database NFS merge"
    found = ask("context", query=query)["failedAttempts"]
    second = [one["id"] for one in found if "matched" in one][1]
    ask("link", **{"from": "decision_retry-card-twice", "to": second, "relation": "about"})
    both = ask("context", query=query, focalId="decision_retry-card-twice")

    assert second == _ids(both["failedAttempts"])[0]
    assert {"distance", "matched"} <= both["failedAttempts"][0].keys()


def test_a_record_in_focus_that_is_not_there_is_refused(
    ask: Ask, refused: Callable[..., Any]
) -> None:
    """With the nearest ids, as everywhere."""
    ask("record_decision", title="t", chosen="c")

    assert "unknown-record" == refused("context", focalId="decision_nowhere").code
