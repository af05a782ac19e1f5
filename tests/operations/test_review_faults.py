"""What went wrong for users of systems like this one, and must not here.

One test for each: an answer that looked healthy and was not, an acknowledgement that was lost
or covered too much, and a record from elsewhere that stopped everything.
"""

import json
from collections.abc import Callable
from itertools import permutations
from typing import Any

import pytest
from tests.conftest import StoppedClock

from shadowgraph import Library
from shadowgraph.exchange import export_lines, import_lines
from shadowgraph.operations import Caller, invoke

Ask = Callable[..., dict[str, Any]]
HERE = "acme/billing-api"
EVALUATING = ["context", "review", "review_context", "reconsider", "maintain"]


def decide(ask: Ask, *rules: Any) -> str:
    """Record a decision that these rules reopen; return its id."""
    alternative = {"label": "b", "reopenWhen": list(rules)}
    return str(
        ask("record_decision", title="t", chosen="c", alternatives=[alternative])["id"]
    )


def bring(library: Library, *bodies: dict[str, Any]) -> None:
    """Import records."""
    import_lines(library, [json.dumps({"project": HERE, **body}) for body in bodies])


def put(library: Library, *bodies: dict[str, Any]) -> None:
    """Store records past every check, as a store of another making may hold them."""
    with library.write() as transaction:
        for body in bodies:
            origin = Caller().origin(None, None, None)
            transaction.insert({"project": HERE, **body}, "imported", origin)


@pytest.mark.parametrize("name", EVALUATING)
def test_one_bad_imported_rule_stops_nothing(name: str, ask: Ask, library: Library) -> None:
    """It is kept, it is unknown, and the good rule beside it still fires."""
    bad: list[Any] = [
        None, 5, [], {}, {"key": 7}, {"key": "a", "operator": "matches", "value": "("},
        {"all": {"any": []}}, {"any": [None]}, {"key": "a", "value": 1, "unit": "parsec"},
    ]  # fmt: skip
    put(
        library,
        {
            "kind": "decision",
            "id": "decision_bad",
            "status": "proposed",
            "title": "t",
            "chosen": "c",
            "alternatives": [
                {"label": "a", "reopenWhen": 5},
                "no alternative",
                {"label": "b", "reopenWhen": [*bad, {"key": "k", "value": 1}]},
            ],
        },
        {
            "kind": "attempt",
            "id": "attempt_bad",
            "solution": "s",
            "result": "it failed",
            "reusableWhen": [*bad, {"key": "k", "value": 1}],
        },
    )
    reply = ask(name, facts={"k": 1})

    text = json.dumps(reply)
    assert "decision_bad" in text
    assert [] == reply.get("reusableAttempts", [])
    exported = {json.loads(line)["id"] for line in export_lines(library, None)}
    assert {"decision_bad", "attempt_bad"} <= exported


def test_an_attempt_is_not_permitted_while_a_written_condition_is_open(ask: Ask) -> None:
    """Free text counts like any other condition."""
    rules = [{"key": "k", "value": 1}, "approval given"]
    ask("record_attempt", solution="s", result="failed", reusableWhen=rules)

    assert [] == ask("context", facts={"k": 1})["reusableAttempts"]
    changed = ["approval given"]
    assert 1 == len(
        ask("context", facts={"k": 1}, changedFacts=changed)["reusableAttempts"]
    )


def test_alternatives_in_another_order_keep_an_acknowledgement(
    ask: Ask, library: Library
) -> None:
    """With ids of their own and without."""
    options: list[dict[str, Any]] = [
        {"label": "a", "reopenWhen": [{"key": "k", "value": 1}]},
        {"label": "b", "reopenWhen": ["t", {"value": 1, "key": "k"}]},
    ]
    bring(
        library,
        {"kind": "decision", "id": "decision_1", "title": "t", "chosen": "c",
         "alternatives": options},
    )  # fmt: skip
    ask("record_fact", key="k", value=1)
    ask("ack_review", id=ask("review")["items"][0]["reviewSignalId"])
    with library.write() as transaction:
        held = transaction.by_id("decision_1")
        assert held is not None
        turned = [{**o, "reopenWhen": o["reopenWhen"][::-1]} for o in options[::-1]]
        origin = Caller().origin(None, None, None)
        transaction.replace(held, {**held.body, "alternatives": turned}, "x", origin)

    assert ["acknowledged"] == [i["reviewSignalStatus"] for i in ask("review")["items"]]


def test_an_acknowledgement_comes_along_with_an_import(ask: Ask, library: Library) -> None:
    """In the form that the other tool writes, and it covers nothing more."""
    rule = {"key": "k", "operator": "equals", "value": 1}
    bring(
        library,
        {"kind": "decision", "id": "decision_1", "title": "t", "chosen": "c",
         "reviewAfter": "2026-11-01T00:00:00Z",
         "alternatives": [{"id": "alternative_1", "label": "a", "reopenWhen": [rule]}]},
        {"kind": "review", "id": "review_theirs", "decisionId": "decision_1", "title": "t",
         "status": "acknowledged", "reason": "k, review date reached",
         "coverage": [
             '["match","review date reached"]',
             '["rule","alternative_1",{"key":"k","operator":"equals","value":1}]',
         ]},
    )  # fmt: skip
    (known,) = ask("review", facts={"k": 1})["items"]
    (less,) = ask("review")["items"]

    assert ("review_theirs", "acknowledged") == (
        known["reviewSignalId"],
        known["reviewSignalStatus"],
    )
    assert "open" == less["reviewSignalStatus"]


def test_the_order_of_records_in_a_file_decides_nothing(ask: Ask, library: Library) -> None:
    """Two facts of a key, in any order, give the same answer."""
    window = {"validTo": None}
    facts: list[dict[str, Any]] = [
        {"kind": "fact", "id": f"fact_{n}", "key": "k", "value": n, "status": "superseded",
         "temporal": {**window, "validFrom": f"2026-11-0{day}T00:00:00Z"}}
        for n, day in [(1, 3), (2, 3), (3, 1)]
    ]  # fmt: skip
    answers = set()
    for number, order in enumerate(permutations(facts)):
        project = f"acme/order-{number}"
        renamed = [{**f, "id": f"{f['id']}_{number}", "project": project} for f in order]
        bring(library, *renamed)
        rule = {"key": "k", "operator": "gte", "value": 2}
        alternative = {"label": "b", "reopenWhen": [rule]}
        arguments = {"title": "t", "chosen": "c", "alternatives": [alternative]}
        ask("record_decision", project=project, **arguments)
        (one,) = ask("reconsider", project=project)["decisions"]
        answers.add((one["verdict"], one["triggeredRules"][0]["observed"]))

    assert {("review_recommended", 2)} == answers


def test_a_replacement_that_begins_later_does_not_hide_the_present_value(
    ask: Ask, clock: StoppedClock
) -> None:
    """Until it begins, the old one decides, although it is superseded."""
    decide(ask, {"key": "k", "value": "old"})
    ask("record_fact", key="k", value="old")
    ask("record_fact", key="k", value="new", validFrom="2026-11-16T00:00:00Z")
    now = ask("reconsider")["verdict"]
    clock.advance(days=1)

    assert ("review_recommended", "unchanged") == (now, ask("reconsider")["verdict"])


@pytest.mark.parametrize("name", EVALUATING)
def test_reading_twice_gives_the_same_answer(name: str, ask: Ask) -> None:
    """What a reply returns is no part of what is stored."""
    decide(ask, {"key": "k", "value": [1]})
    ask("record_fact", key="k", value=[1])
    ask(name)
    first = ask(name)
    told = json.dumps(first)
    first.clear()

    assert told == json.dumps(ask(name))


@pytest.mark.parametrize("operator", ["equals", "not_equals", "greater_than", "contains"])
def test_a_rule_without_an_operand_is_neither_a_breach_nor_a_pass(
    operator: str, ask: Ask, library: Library
) -> None:
    """It can only come with an import."""
    rule = {"key": "k", "operator": operator}
    bring(
        library,
        {"kind": "decision", "id": "decision_1", "title": "t", "chosen": "c",
         "alternatives": [{"label": "a", "reopenWhen": [rule]}]},
    )  # fmt: skip
    reply = ask("reconsider", facts={"k": 1})

    (one,) = reply["decisions"]
    assert ("manual_review", "partial") == (reply["verdict"], one["evaluationCompleteness"])
    assert "has no value" in one["rulesNotEvaluated"][0]["reason"]


WRITES: list[tuple[str, dict[str, Any]]] = [
    ("review", {"facts": {"k": 1}}),
    ("review_context", {"facts": {"k": 1}}),
    ("reconsider", {"facts": {"k": 1}}),
    ("maintain", {"facts": {"k": 1}, "now": "2027-01-01"}),
    ("ack_review", {"id": "{signal}"}),
    ("supersede", {"decisionId": "{one}", "replacementId": "{two}"}),
    ("confidence_evidence", {"decisionId": "{one}", "key": "x", "reason": "r"}),
    ("change_rules", {"recordId": "{one}", "rules": ["other"]}),
    ("review_signals", {}),
]


@pytest.mark.parametrize(("name", "arguments"), WRITES)
def test_hints_tell_the_truth(
    name: str, arguments: dict[str, Any], ask: Ask, library: Library
) -> None:
    """Found by calling twice: all of these change nothing the second time."""
    one, two = decide(ask, {"key": "k", "value": 1}), decide(ask)
    ids = {"one": one, "two": two}
    if name in ("ack_review", "review_signals"):
        ids["signal"] = ask("review", facts={"k": 1})["items"][0]["reviewSignalId"]
    given = {k: v.format(**ids) if isinstance(v, str) else v for k, v in arguments.items()}
    heads = []
    for _ in range(2):
        with library.store.read() as selection:
            heads.append(selection.head().seq)
        ask(name, **given)
    with library.store.read() as selection:
        heads.append(selection.head().seq)

    before, after, again = heads
    assert (name == "review_signals") == (before == after)
    assert after == again


def test_the_canary_of_the_doctor_sings_although_the_newest_record_is_a_signal(
    ask: Ask,
) -> None:
    """Signals and relations have no words; it looks for the newest record with some."""
    decide(ask, {"key": "k", "value": 1})
    ask("review", facts={"k": 1})

    canary = ask("doctor")["checks"][-1]
    assert (True, "canary query") == (canary["ok"], canary["name"])
    assert "finds the newest record" in canary["detail"]


def test_an_error_names_what_was_wrong_and_what_would_be_right(library: Library) -> None:
    """Masked errors left agents guessing that a project was missing."""
    with pytest.raises(Exception, match="names no project") as caught:
        invoke(library, "shadowgraph_ack_review", {"id": "review_1"}, Caller())

    assert "Pass project" in str(getattr(caught.value, "hint", ""))
