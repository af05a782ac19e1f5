"""Hostile calls of every operation on one store: answered or refused, and the store verifies.

`test_any_input` varies arguments of their own types; here they are what an attacker or a
broken client sends: wrong types, deep nesting, huge texts, numbers at the ends of their
range, characters that hide or cannot be written, texts that look like paths, patterns,
queries or JSON, and ids that exist. Each operation is drawn alike.

`make fuzz` runs 50,000 cases.
"""

import json
import os
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shadowgraph import Library, ShadowgraphError
from shadowgraph.doctor import examine
from shadowgraph.exchange import import_lines
from shadowgraph.operations import REGISTRY, Caller, invoke
from shadowgraph.operations.schemas import input_schema

CASES = int(os.environ.get("SHADOWGRAPH_FUZZ", "150"))
HOSTILE = [
    "", " ", "\x00", "\ud800", "\udfff\ud800", "\u202e\u2066", "\ufeff", "\U000e0041",
    "a" * 70_000, "e\u0301" * 2_000, "\u0e33" * 300, "\n" * 500, "ﷺ" * 50, "𝔘𝔫𝔦",
    "../../etc/passwd", "/dev/null", "C:\\x", "file:///etc/passwd", "~", ".", "x\x00y",
    "(a+)+$", "[", "(?P<", "\\", "^(a|a)*$", "a{99999}", ".*" * 50,
    '"', "'; DROP TABLE record; --", "%s%n{0}", "${HOME}", "kind:", "-", "NOT", '-"', "*",
    "null", "true", "[]", '{"a":', "[" * 500, '{"a":' * 200, "1e999", "-0", "NaN", "0x10",
    "9" * 400, "2026-02-30", "0000-00-00T00:00:00Z", "9999-12-31T23:59:59.999999999+23:59",
    "-271821-04-20", "P1Y", "12:00", "2026-01-01T00:00:00Z",
    "attempt_ledger-on-nfs", "decision_ledger-in-sqlite", "fact_postgres-version",
    "acme/billing-api", "acme/web-shop", "project:acme/web-shop", "default",
]  # fmt: skip
NUMBERS = [0, -1, 1, 2**31, 2**63, -(2**63) - 1, 10**400, 0.1, -0.0, 1e308, 5e-324]


def nested(depth: int, name: str | None = None) -> Any:
    """Return a text in so many lists, or in so many objects with a member of a name."""
    value: Any = "x"
    for _ in range(depth):
        value = [value] if name is None else {name: [value]}
    return value


NESTED = [nested(20), nested(100), nested(900), nested(100, "all")]
SCALARS = st.one_of(
    st.sampled_from(HOSTILE),
    st.sampled_from(NUMBERS),
    st.none(),
    st.booleans(),
    st.text(max_size=20),
    st.floats(allow_nan=True),
)
MEMBERS = st.sampled_from(
    [
        *("key", "operator", "value", "unit", "label", "reopenWhen", "status", "id", "all"),
        *("any", "none", "text", "memoryType", "userId", "from", "to", "type", "__proto__"),
        *("source", "confidence", "detail", "\ud800", ""),
    ]
)
VALUES = st.recursive(
    SCALARS | st.sampled_from(NESTED),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(MEMBERS, inner, max_size=3),
    max_leaves=6,
)


@st.composite
def calls(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    """Return an operation, and its example with some arguments made hostile."""
    name = draw(st.sampled_from(sorted(REGISTRY)))
    known = list(input_schema(REGISTRY[name])["properties"])
    # A name that is none is refused at the door, so it is rare.
    stray = not known or draw(st.integers(0, 19)) == 0
    names = MEMBERS if stray else st.sampled_from(known)
    values = SCALARS if draw(st.booleans()) else VALUES
    changed = draw(st.dictionaries(names, values, max_size=2))
    example = {} if draw(st.integers(0, 5)) == 0 else REGISTRY[name].example
    return name, {**example, **changed}


@pytest.fixture
def hostile(library: Library, fixtures: Any) -> Iterator[Library]:
    """Yield a library with the twelve records; it must be sound when all calls are over."""
    file = fixtures / "tiny" / "records.jsonl"
    import_lines(library, file.read_text(encoding="utf-8").splitlines())
    yield library
    assert library.store.first_fault() is None
    assert [] == [one for one in examine(library) if not one.ok]
    assert invoke(library, "shadowgraph_rebuild", {"allProjects": True}, Caller())["ok"]


@settings(
    max_examples=CASES,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(calls())
def test_no_call_breaks_a_store(hostile: Library, call: tuple[str, dict[str, Any]]) -> None:
    """An answer or an error of ours, both of them JSON that can be sent."""
    name, arguments = call
    told: dict[str, Any]
    try:
        told = invoke(hostile, name, arguments, Caller("acme/billing-api", "server"))
    except ShadowgraphError as error:
        told = {"text": error.text(), "details": error.details}

    json.dumps(told, ensure_ascii=False, allow_nan=False).encode()
