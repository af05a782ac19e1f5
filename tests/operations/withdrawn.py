"""A small world whose secret words must be gone when its records are, and every way to look.

Each record of the world holds common words to be found by and secret words that no call
contains. The neighbours of these records stay: they are what could still give them away.
"""

from collections.abc import Iterator
from typing import Any

PROJECT = "acme/billing-api"
KINDS = ("attempt", "decision", "fact", "memory", "task", "evidence", "source")
LINKS = ("relation", "review")
IDS = {kind: f"{kind}_gone-{kind}" for kind in (*KINDS, *LINKS)}
"Ids of the records that go, by kind."
SECRETS = {kind: (f"{kind}quokkaq", f"{kind}zymurgyz") for kind in (*KINDS, *LINKS)}
"Words of each record that nothing else has."


def world() -> Iterator[dict[str, Any]]:
    """Yield the records that go, and the neighbours that stay."""
    for kind in (*KINDS, *LINKS):
        yield {"kind": kind, "id": IDS[kind], "project": PROJECT, **_told()[kind]}
    yield from _neighbours()
    yield from _relations()


def _text(kind: str) -> str:
    """Return the words of a record of a kind."""
    return f"shared lantern {' '.join(SECRETS[kind])}"


def _told() -> dict[str, dict[str, Any]]:
    """Return what each record that goes says."""
    rule = {"key": "shared.key", "operator": "gte", "value": 1}
    return {
        "attempt": {
            "solution": "shared lantern carried along",
            "result": f"it failed with {_text('attempt')}",
            "reason": _text("attempt"),
            "environment": "harbour",
            "resultClass": "failed",
            "reusableWhen": [rule],
        },
        "decision": {
            "title": _text("decision"),
            "chosen": _text("decision"),
            "confidence": 0.1,
            "reviewAfter": "2026-01-01T00:00:00Z",
            "alternatives": [
                {
                    "id": "alternative_gone",
                    "label": f"option {SECRETS['decision'][0]}",
                    "reasonRejected": SECRETS["decision"][1],
                    "reopenWhen": [rule],
                }
            ],
        },
        "fact": {"key": "shared.value", "value": _text("fact"), "status": "active"},
        "memory": {
            "memoryType": "note",
            "key": "shared.lantern",
            "text": _text("memory"),
            "status": "active",
        },
        **{
            kind: {"title": _text(kind), "goal": _text(kind), "detail": _text(kind)}
            for kind in ("task", "evidence", "source")
        },
        "relation": {
            "from": "attempt_stays",
            "to": "decision_stays",
            "relation": "-".join(SECRETS["relation"]),
        },
        "review": {
            "decisionId": "decision_stays",
            "title": "shared lantern, kept",
            "reason": " ".join(SECRETS["review"]),
            "coverage": ["x"],
            "status": "open",
        },
    }


def _neighbours() -> Iterator[dict[str, Any]]:
    """Yield what stays, and names what goes."""
    yield {
        "kind": "attempt",
        "id": "attempt_stays",
        "project": PROJECT,
        "solution": "shared lantern, kept",
        "result": "it failed",
        "relatedTo": [IDS["decision"]],
    }
    yield {
        "kind": "decision",
        "id": "decision_stays",
        "project": PROJECT,
        "title": "shared lantern, kept",
        "chosen": "this",
        "reviewAfter": "2026-01-01T00:00:00Z",
        "failedAttempts": [IDS["attempt"]],
        "alternatives": [{"label": "the other way", "reopenWhen": ["shared.value"]}],
    }
    # What was raised about the decision repeats its words.
    yield {
        "kind": "review",
        "id": "review_of-gone-decision",
        "project": PROJECT,
        "decisionId": IDS["decision"],
        "title": _text("decision"),
        "reason": "shared.key",
        "alternativesToReconsider": [f"option {SECRETS['decision'][0]}"],
        "coverage": ["y"],
        "status": "open",
    }


def _relations() -> Iterator[dict[str, Any]]:
    """Yield a way in and a way out of everything that goes."""
    for number, gone in enumerate([*(IDS[kind] for kind in KINDS), "alternative_gone"]):
        ways = (("attempt_stays", gone), (gone, "decision_stays"))
        for way, (source, target) in enumerate(ways):
            yield {
                "kind": "relation",
                "id": f"relation_stays-{number}-{way}",
                "project": PROJECT,
                "from": source,
                "to": target,
                "relation": "near",
            }


_HALF_PAST = "2026-11-15T12:30:00Z"
_FACTS = {"facts": {"shared.key": 5}, "changedFacts": ["shared.key", "shared.value"]}
_EVERY = [*IDS.values(), "alternative_gone"]
_DECISION = {"decisionId": IDS["decision"]}
READS: list[tuple[str, dict[str, Any]]] = [
    ("search", {}),
    ("search", {"query": "shared lantern", "detail": "full", "limit": 50}),
    ("search", {"query": "shared lantern", "allProjects": True, "limit": 50}),
    ("search", {"query": "shared lantern", "explain": True, "limit": 50}),
    ("search", {"query": "shared lantern", "environment": "harbour"}),
    *(("search", {"kind": kind, "detail": "full"}) for kind in KINDS),
    # Secret words without their last letter: repairs and suggestions would complete them.
    *(("search", {"query": SECRETS[kind][0][:-1]}) for kind in KINDS),
    *(("retrieve", {"query": SECRETS[kind][1][:-1]}) for kind in KINDS),
    *(("recall", {"query": SECRETS[kind][1][:-1]}) for kind in KINDS),
    ("check", {"action": "shared lantern carried along", "environment": "harbour"}),
    ("context", {"query": "shared lantern", "budget": 50_000}),
    ("context", {**_FACTS, "budget": 50_000}),
    ("reconsider", _FACTS),
    ("reconsider", {**_FACTS, "asOf": _HALF_PAST}),
    ("reconsider", {**_FACTS, "decisionId": "decision_stays"}),
    ("review_signals", {"limit": 1000}),
    ("review_signals", {"status": "open", "limit": 1000}),
    ("traverse", {"id": "attempt_stays", "depth": 10, "detail": "full"}),
    ("traverse", {"id": "decision_stays", "depth": 10}),
    ("traverse", {"id": "attempt_stays", "asOf": _HALF_PAST}),
    *(("traverse", {"id": one, "depth": 3, "detail": "full"}) for one in _EVERY),
    ("recall", {"query": "shared lantern", "limit": 50, "detail": "full"}),
    ("recall", {"query": "shared lantern", "focalId": "attempt_stays", "limit": 50}),
    ("recall", {"focalId": "decision_stays", "graphDepth": 10, "limit": 50}),
    ("recall", {"query": "shared lantern", "asOf": _HALF_PAST}),
    *(("recall", {"focalId": one}) for one in _EVERY),
    ("retrieve", {"query": "shared lantern", "limit": 50}),
    ("retrieve", {}),
    *(("expand", {"recordId": one, "digest": "x"}) for one in _EVERY),
    *(("get", {"ids": [one]}) for one in _EVERY),
    *(("get", {"ids": [one], "asOf": _HALF_PAST}) for one in _EVERY),
    # Ids without their last letter: the refusal names what is near.
    *(("get", {"ids": [one[:-1]]}) for one in _EVERY),
    ("projects", {}),
    ("stats", {}),
    ("doctor", {}),
    ("rebuild", {}),
    ("validate", {}),
    ("validate", {"allProjects": True}),
    ("repair_plan", {}),
    ("redact", {}),
    ("redact", {"offset": 5}),
    ("purge_preview", {"project": PROJECT}),
    ("task_list", {"all": True}),
    ("task_status", {}),
    *(("task_status", {"id": one, "full": True}) for one in _EVERY),
    *(("task_handoff", {"id": one}) for one in _EVERY),
    *(("task_audit", {"id": one}) for one in _EVERY),
    ("load_context", {"query": "shared lantern", "preset": "deep"}),
    *(("load_context", {"taskId": one, "preset": "deep"}) for one in _EVERY),
    ("resume", {"query": "shared lantern"}),
    ("replay", {"limit": 1000}),
    ("diff", {}),
    ("source_status", {}),
    ("bundle_inspect", {"path": "x"}),
    ("bundle_import_plan", {"path": "x"}),
]
"Every operation that only reads, but the journal, which is there to tell what was."

WRITES: list[tuple[str, dict[str, Any]]] = [
    ("review", _FACTS),
    ("review_context", _FACTS),
    ("maintain", _FACTS),
    ("record_attempt", {"solution": "shared lantern carried along", "result": "x"}),
    ("amend", {"id": "decision_gone-decisio", "changes": {"goal": "x"}}),
    ("amend", {"id": IDS["attempt"], "changes": {"environment": "x"}}),
    ("link", {"from": "attempt_stays", "to": IDS["attempt"], "relation": "near"}),
    ("link", {"from": "attempt_stays", "to": "alternative_gone", "relation": "near"}),
    ("unlink", {"from": "attempt_stays", "to": "attempt_x", "relation": "near"}),
    ("unlink", {"relationId": IDS["relation"]}),
    ("confidence_evidence", {**_DECISION, "key": "k", "reason": "r"}),
    ("change_rules", {"recordId": IDS["decision"], "rules": ["t"]}),
    ("ack_review", {"id": IDS["review"]}),
    ("ack_review", {"id": "review_of-gone-decision"}),
    ("update_status", {**_DECISION, "status": "planned"}),
    ("record_outcome", {**_DECISION, "outcome": "mixed"}),
    ("reclassify", {"id": IDS["attempt"], "resultClass": "succeeded", "reason": "r"}),
    ("supersede", {**_DECISION, "replacementId": "decision_stays"}),
    ("supersede", {"decisionId": "decision_stays", "replacementId": IDS["decision"]}),
    ("remember", {"memoryType": "note", "key": "shared.lantern", "text": "another"}),
    ("record_fact", {"key": "shared.value", "value": "another"}),
    ("verify_fact", {"factId": IDS["fact"], "evidencePath": "e.json"}),
    ("task_switch", {"id": IDS["task"]}),
    ("task_update", {"id": IDS["task"], "risk": "high"}),
    ("task_update_verification", {"id": IDS["task"], "evidence": [IDS["evidence"]]}),
    ("task_finalize", {"id": IDS["task"], "status": "passed"}),
    ("task_abandon", {"id": IDS["task"], "reason": "x"}),
    ("record_dead_end", {"text": "shared lantern", "taskId": IDS["task"]}),
    ("record_dead_end", {"text": "shared lantern", "evidence": [IDS["evidence"]]}),
    ("attach_evidence", {"content": "x", "taskId": IDS["task"]}),
    ("checkpoint", {"summary": "x", "taskId": IDS["task"]}),
    ("bundle_export", {"outputPath": "x.json", "taskId": IDS["task"]}),
]
"Operations that write, where their answer or refusal could show a record."
