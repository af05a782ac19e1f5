"""No reply is larger than an agent can take in, however much there is to tell."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library
from shadowgraph.exchange import import_lines

Ask = Callable[..., dict[str, Any]]
MOST_BYTES = 30_000
TEXT = "the job fails when two workers write the same ledger row within one second " * 3
CALLS: list[tuple[str, dict[str, Any]]] = [
    ("search", {}),
    ("search", {"query": "ledger row"}),
    ("retrieve", {"query": "ledger"}),
    ("recall", {"query": "ledger"}),
    ("context", {}),
    ("context", {"query": "ledger"}),
    ("check", {"action": TEXT}),
    ("review", {}),
    ("review_context", {}),
    ("reconsider", {}),
    ("maintain", {}),
    ("review_signals", {}),
    ("traverse", {"id": "attempt_000"}),
    ("journal", {}),
    ("rebuild", {}),
    ("validate", {}),
    ("repair_plan", {}),
    ("redact", {}),
    ("projects", {}),
    ("stats", {}),
    ("doctor", {}),
    ("record_attempt", {"solution": TEXT, "result": TEXT}),
]


@pytest.fixture
def crowded(library: Library) -> Library:
    """Return a library in which everything is due and wordy."""
    lines: list[dict[str, Any]] = [{"kind": "fact", "id": "fact_k", "key": "k", "value": 5}]
    for number in range(120):
        name = f"{number:03}"
        rule = {"key": "k", "operator": "gte", "value": 1}
        options = [
            {"label": f"{TEXT[:80]} {n}", "reopenWhen": [rule, {**rule, "key": f"u{name}"}]}
            for n in range(3)
        ]
        end = {"from": "attempt_000", "relation": "led_to"}
        lines += [
            {
                "kind": "decision",
                "id": f"decision_{name}",
                "title": TEXT,
                "chosen": TEXT,
                "goal": TEXT,
                "confidence": 0.2,
                "alternatives": options,
            },
            {
                "kind": "attempt",
                "id": f"attempt_{name}",
                "solution": TEXT,
                "result": f"failed: {TEXT}",
                "reusableWhen": [rule],
            },
            {"kind": "relation", "id": f"r_{name}", **end, "to": f"decision_{name}"},
            {"kind": "relation", "id": f"s_{name}", **end, "to": f"gone_{name}"},
        ]
    import_lines(library, map(json.dumps, lines), project="acme/billing-api")
    return library


@pytest.mark.usefixtures("crowded")
def test_no_operation_answers_with_more_than_30_kb_by_itself(ask: Ask) -> None:
    """What did not fit is counted, so that nobody takes it for the whole."""
    sizes = {}
    for name, arguments in CALLS:
        sizes[name] = len(json.dumps(ask(name, **arguments), ensure_ascii=False).encode())

    assert {} == {name: size for name, size in sizes.items() if size > MOST_BYTES}


@pytest.mark.usefixtures("crowded")
@pytest.mark.parametrize(
    ("name", "items"),
    [("review", "items"), ("reconsider", "decisions"), ("maintain", "due")],
)
def test_what_did_not_fit_is_counted(name: str, items: str, ask: Ask) -> None:
    """All 120 decisions are due, whatever the reply has room for."""
    reply = ask(name)
    block, shown = reply["completeness"], len(reply[items])

    assert 0 < shown < 120
    assert (shown, 120, 120 - shown, False) == tuple(
        block[one] for one in ("returned", "total", "omitted", "complete")
    )


@pytest.mark.usefixtures("crowded")
def test_every_signal_is_read_page_by_page(ask: Ask) -> None:
    """The offset goes on where the room ended."""
    ask("review")
    seen: list[str] = []
    while True:
        page = [one["id"] for one in ask("review_signals", offset=len(seen))["items"]]
        if not page:
            break
        seen += page

    assert 120 == len(seen) == len(set(seen))
