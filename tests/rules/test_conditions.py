"""The grammar of conditions, the ten operators and how answers combine."""

import json
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.conditions import (
    FactRule,
    KeptRule,
    Observation,
    Rule,
    TokenRule,
    all_hold,
    any_fires,
    evaluate,
    overlay,
    parse_rule,
    parse_rule_lenient,
    unanswerable,
)
from shadowgraph.rules.grammar import OPERATORS
from shadowgraph.rules.operands import same
from shadowgraph.rules.operators import TABLE

SCALARS = (
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.sampled_from([0.5, 1.0, -0.0, 2.5])
    | st.text("ab1", max_size=2)
)
JSON = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text("ab", max_size=1), inner)
    ),
    max_leaves=4,
)


def answer(operator: str, observed: object, value: object, unit: str | None = None) -> str:
    """Return what one rule says about one observed value."""
    rule = FactRule("k", operator, value, unit)
    verdict = evaluate(rule, {"k": Observation(observed)})
    assert verdict.reason.endswith(".")
    return verdict.verdict


def canonical(value: object) -> object:
    """Restate a JSON value so that Python's own equality is JSON's."""
    if isinstance(value, dict):
        return ("object", frozenset((k, canonical(v)) for k, v in value.items()))
    if isinstance(value, list):
        return ("array", tuple(canonical(v) for v in value))
    if isinstance(value, bool) or not isinstance(value, int | float):
        return (type(value).__name__, value)
    return ("number", Fraction(value))


@given(JSON, JSON)
def test_equality_is_deep_and_follows_json(one: object, other: object) -> None:
    """Numbers compare by value, true is no number, containers by their parts."""
    expected = canonical(one) == canonical(other)

    assert expected == same(one, other)
    assert str(expected).lower() == answer("equals", one, other)
    assert str(not expected).lower() == answer("not_equals", one, other)


@given(JSON, st.lists(JSON, max_size=3))
def test_membership_uses_the_same_equality(value: object, values: list[object]) -> None:
    """`in`, `not_in` and `contains` on a list agree with `equals`."""
    expected = canonical(value) in [canonical(v) for v in values]

    assert str(expected).lower() == answer("in", value, values)
    assert str(not expected).lower() == answer("not_in", value, values)
    assert str(expected).lower() == answer("contains", values, value)


ORDERED: dict[str, Callable[[Fraction, Fraction], bool]] = {
    "greater_than": lambda a, b: a > b,
    "less_than": lambda a, b: a < b,
    "gte": lambda a, b: a >= b,
    "lte": lambda a, b: a <= b,
}
MILLISECONDS = {"ms": 1, "s": 1000, "sec": 1000, "min": 60000, "h": 3600000}
MILLISECONDS |= {"hr": 3600000, "d": 86400000}


@given(
    st.sampled_from(sorted(ORDERED)),
    st.decimals(-99, 99, places=2),
    st.sampled_from(sorted(MILLISECONDS)),
    st.decimals(-99, 99, places=2),
    st.sampled_from(sorted(MILLISECONDS)),
)
def test_durations_compare_exactly_across_units(
    operator: str, seen: object, seen_unit: str, wanted: object, unit: str
) -> None:
    """A value with a unit and a bare number in the rule's unit are both exact."""
    left = Fraction(str(seen)) * MILLISECONDS[seen_unit]
    right = Fraction(str(wanted)) * MILLISECONDS[unit]
    expected = str(ORDERED[operator](left, right)).lower()

    assert expected == answer(operator, f"{seen}{seen_unit}", float(str(wanted)), unit)


SIZES = {"b": 1, "kb": 1000, "mb": 1000**2, "kib": 1024, "mib": 1024**2}


@given(
    st.integers(0, 5000), st.sampled_from(sorted(SIZES)),
    st.integers(0, 5000), st.sampled_from(sorted(SIZES)),
)  # fmt: skip
def test_sizes_compare_by_their_bytes(
    seen: int, seen_unit: str, wanted: int, unit: str
) -> None:
    """In thousands or in 1,024, as written, whatever the case."""
    rule = FactRule("k", "gte", wanted, unit)
    expected = seen * SIZES[seen_unit] >= wanted * SIZES[unit]
    observed = Observation(f"{seen} {seen_unit.upper()}")

    assert str(expected).lower() == evaluate(rule, {"k": observed}).verdict


@pytest.mark.parametrize(
    ("operator", "observed", "value", "unit", "expected"),
    [
        ("greater_than", 5, 4, None, "true"),
        ("greater_than", 4, 4, None, "false"),
        ("greater_than", "5", 4, None, "true"),
        ("gte", "90 s", "1.5min", "s", "true"),
        ("gte", "250ms", 0.25, "s", "true"),
        ("lte", 0.29, "290ms", "s", "true"),
        ("less_than", "49%", 50, "pct", "true"),
        ("less_than", "1h", 1, "d", "true"),
        ("less_than", "1H", 1, "d", "true"),
        ("less_than", "-5", 0, None, "true"),
        ("greater_than", "5s", 4, None, "unknown"),
        ("greater_than", 5, "4s", None, "unknown"),
        ("greater_than", "5s", 4, "%", "unknown"),
        ("greater_than", "5m", 4, "min", "true"),
        ("greater_than", "5M", 4, "min", "unknown"),
        ("lte", "2 minutes", 2, "m", "true"),
        ("gte", "1 KB", 1000, "bytes", "true"),
        ("greater_than", "1KiB", 1, "kb", "true"),
        ("equals", "1KiB", 1024, "b", "false"),
        ("greater_than", "3 Mb", 1, "mb", "unknown"),
        ("greater_than", "3 MB", 1, "s", "unknown"),
        ("less_than", "1.5gib", 2, "gb", "true"),
        ("greater_than", "5kb", 4, "ms", "unknown"),
        ("greater_than", "1e3", 4, None, "unknown"),
        ("greater_than", "1,000", 4, None, "unknown"),
        ("greater_than", "+5", 4, None, "unknown"),
        ("greater_than", "9" * 9999, 4, None, "unknown"),
        ("greater_than", True, 0, None, "unknown"),
        ("greater_than", None, 0, None, "unknown"),
        ("greater_than", [5], 4, None, "unknown"),
        ("greater_than", float("inf"), 4, None, "unknown"),
        ("greater_than", "2026-03-05", "2026-03-04", None, "true"),
        ("gte", "2026-03-04T10:00:00+01:00", "2026-03-04T09:00:00Z", None, "true"),
        ("less_than", "2026-03-04T09:00:00Z", "2026-03-04T09:00:00.1Z", None, "true"),
        ("greater_than", "2026-03-05", 4, None, "unknown"),
        ("greater_than", 4, "2026-03-05", None, "unknown"),
        ("greater_than", "2026-03-04T09:00:00", "2026-03-04", None, "unknown"),
        ("between", 5, [5, 7], None, "true"),
        ("between", 7, [5, 7], None, "true"),
        ("between", 8, [5, 7], None, "false"),
        ("between", "6 s", [5000, 7000], "ms", "true"),
        ("between", "2026-03-04", ["2026-03-01", "2026-04-01"], None, "true"),
        ("between", 5, [5], None, "unknown"),
        ("between", 5, [5, 6, 7], None, "unknown"),
        ("between", 5, 5, None, "unknown"),
        ("between", 5, "57", None, "unknown"),
        ("between", 5, [None, 7], None, "unknown"),
        ("between", 5, [1, "x"], None, "unknown"),
        ("in", "a", "abc", None, "unknown"),
        ("not_in", "a", None, None, "unknown"),
        ("in", "a", [], None, "false"),
        ("equals", "5", 5, None, "false"),
        ("equals", 1, 1.0, None, "true"),
        ("equals", True, 1, None, "false"),
        ("equals", None, None, None, "true"),
        ("equals", 0, False, None, "false"),
        ("equals", "5s", 5, "s", "false"),
        ("equals", "Node", "node", None, "false"),
        ("not_equals", {"a": [1]}, {"a": [1.0]}, None, "false"),
        ("contains", "node 22", "22", None, "true"),
        ("contains", "node 22", 22, None, "true"),
        ("contains", "Node", "node", None, "false"),
        ("contains", 1234, 23, None, "true"),
        ("contains", True, "ru", None, "true"),
        ("contains", ["eu", "us"], "e", None, "false"),
        ("contains", {"eu": 1}, "eu", None, "unknown"),
        ("contains", "eu", ["eu"], None, "unknown"),
    ],
)
def test_the_corner_cases_of_the_operators(
    operator: str, observed: object, value: object, unit: str | None, expected: str
) -> None:
    """Units, instants and ill-shaped operands are answered as specified."""
    assert expected == answer(operator, observed, value, unit)


@given(st.sampled_from(OPERATORS), JSON, JSON, st.sampled_from([None, "s", "%"]))
def test_every_question_gets_an_answer_with_a_reason(
    operator: str, observed: object, value: object, unit: str | None
) -> None:
    """No combination of values raises, and a hopeless rule is always unknown."""
    verdict = answer(operator, observed, value, unit)

    assert verdict in ("true", "false", "unknown")
    if unanswerable(FactRule("k", operator, value, unit)):
        assert "unknown" == verdict


def test_a_missing_fact_is_unknown_for_every_operator() -> None:
    """Even `not_equals` says nothing about what nobody observed."""
    asking = [name for name in OPERATORS if name not in ("exists", "missing")]
    verdicts = [evaluate(FactRule("k", name, "2026-03-04"), {}) for name in asking]

    assert {("unknown", "No fact is known for k.")} == {
        (verdict.verdict, verdict.reason) for verdict in verdicts
    }


def test_deeply_nested_values_compare_without_recursion() -> None:
    """An import cannot exhaust the stack."""
    one: object = 1
    other: object = 1.0
    for _ in range(5000):
        one, other = [one], [other]

    assert same(one, other)


def test_a_token_fires_only_on_exactly_this_change() -> None:
    """Otherwise it is unknown, never false."""
    rule = parse_rule("new runtime")

    assert "true" == evaluate(rule, {}, ["new runtime"]).verdict
    assert "unknown" == evaluate(rule, {}, ["New runtime", "new"]).verdict


def test_the_operator_defaults_to_equals_and_blank_members_are_absent() -> None:
    """Null and the empty text count as not written."""
    raw = {"key": "a", "operator": "", "value": None, "unit": None}

    assert FactRule("a", "equals", None) == parse_rule(raw)


@pytest.mark.parametrize("value", [None, 0, False, "", []])
def test_empty_values_are_operands(value: object) -> None:
    """Only a value that is not written is missing."""
    rule = parse_rule({"key": "a", "value": value})

    assert "true" == evaluate(rule, {"a": Observation(value)}).verdict


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ("  ", "empty"),
        (5, "not a condition"),
        (None, "not a condition"),
        ({"value": 1}, "needs a key"),
        ({"key": " ", "value": 1}, "needs a key"),
        ({"key": "a"}, "has no value"),
        ({"key": "a", "value": 1, "operator": "greater"}, "Did you mean greater_than"),
        ({"key": "a", "value": 1, "operator": ">="}, "Did you mean gte"),
        ({"key": "a", "value": 1, "operator": 7}, "not an operator"),
        ({"key": "a", "value": 1, "unit": "M"}, "not a unit"),
        ({"key": "a", "value": 1, "operater": "in"}, "Did you mean 'operator'"),
    ],
)
def test_what_is_no_rule_is_refused_with_what_would_be(raw: object, message: str) -> None:
    """The message names the nearest thing that exists."""
    with pytest.raises(InvalidInputError, match=message):
        parse_rule(raw)


@pytest.mark.parametrize(
    "raw",
    [
        {"key": "a", "operator": "sounds_like", "value": 1},
        {"key": "a", "operator": "equals"},
        {"key": "a", "value": 1, "unit": "parsec"},
        {"value": 1},
        7,
        "",
    ],
)
def test_an_import_keeps_what_it_cannot_evaluate(raw: object) -> None:
    """Such a rule is unknown with a reason and goes out as it came in."""
    rule = parse_rule_lenient(raw)
    verdict = evaluate(rule, {"a": Observation(1)})

    assert isinstance(rule, KeptRule)
    assert raw == rule.to_wire()
    assert "unknown" == verdict.verdict
    assert unanswerable(rule) == rule.problem
    assert json.dumps(verdict.to_wire())


def test_an_import_reads_a_rule_past_members_it_does_not_know() -> None:
    """A note beside a rule does not silence it."""
    rule = parse_rule_lenient({"key": "a", "value": 1, "note": "from ops"})

    assert FactRule("a", "equals", 1) == rule


@given(
    st.text(min_size=1).filter(str.strip).map(TokenRule)
    | st.builds(
        FactRule,
        st.text(min_size=1).filter(str.strip),
        st.sampled_from(sorted(TABLE.keys() - {"matches"})),
        JSON,
        st.sampled_from([None, "ms", "%"]),
    )
)
def test_a_rule_is_read_back_from_its_wire_form(rule: Rule) -> None:
    """Reading and writing are inverse, strictly and leniently."""
    assert rule == parse_rule(rule.to_wire()) == parse_rule_lenient(rule.to_wire())


YES, NO, MAYBE = (
    FactRule("k", "equals", 1),
    FactRule("k", "equals", 2),
    TokenRule("t"),
)
FACTS = {"k": Observation(1, "fact_1")}
CONTESTED = {"k": Observation(1, "fact_1", conflicting=(Observation(2, "fact_2"),))}


@given(st.lists(st.sampled_from([YES, NO, MAYBE])))
def test_any_rule_is_enough_to_reopen(rules: list[Rule]) -> None:
    """One true rule fires; otherwise one unknown rule leaves it open."""
    expected = "true" if YES in rules else "unknown" if MAYBE in rules else "false"
    findings = any_fires(rules, FACTS)

    assert expected == findings.verdict
    assert rules == [condition.rule for condition in findings.conditions]
    assert rules.count(YES) == len(findings.fired)
    assert rules.count(MAYBE) == len(findings.undecided)


@given(st.lists(st.sampled_from([YES, NO, MAYBE])))
def test_every_rule_is_needed_to_repeat(rules: list[Rule]) -> None:
    """One false rule forbids, one unknown never permits, no rules permit nothing."""
    certain = "false" if NO in rules else "unknown"
    expected = "true" if rules and set(rules) == {YES} else certain

    assert expected == all_hold(rules, FACTS).verdict


def test_a_contested_fact_still_reopens_but_never_permits() -> None:
    """A false alarm is cheap, a false permission is not."""
    reopen, repeat = any_fires([YES], CONTESTED), all_hold([YES], CONTESTED)

    assert ("true", "unknown") == (reopen.verdict, repeat.verdict)
    assert reopen.conditions == reopen.undecided
    assert "unknown" == all_hold([NO], CONTESTED).verdict


def test_a_condition_shows_its_evidence_on_the_wire() -> None:
    """The stored fact, its rivals and the question stand side by side."""
    rule = FactRule("k", "gte", 1, "s")
    wire = evaluate(rule, CONTESTED).to_wire()

    assert {
        "key": "k",
        "operator": "gte",
        "expected": 1,
        "unit": "s",
        "observed": 1,
        "verdict": "true",
        "reason": "k is 1, which reaches 1 s.",
        "evidence": {"source": "stored_fact", "factId": "fact_1", "value": 1},
        "conflictingEvidence": [{"source": "stored_fact", "factId": "fact_2", "value": 2}],
    } == wire


def test_what_the_caller_supplies_outranks_the_store_and_is_not_contested() -> None:
    """The caller sees the world now; the store remembers it."""
    facts = overlay(CONTESTED, {"k": 2})
    verdict = evaluate(YES, facts)

    assert ("false", False) == (verdict.verdict, verdict.contested)
    assert {"source": "caller_supplied"} == verdict.to_wire()["evidence"]


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (YES, None),
        (MAYBE, None),
        (FactRule("k", "in", [1]), None),
        (FactRule("k", "gte", "5s", "s"), None),
        (FactRule("k", "between", [1, 2]), None),
        (FactRule("k", "in", 1), "needs a list"),
        (FactRule("k", "between", [1]), "needs [low, high]"),
        (FactRule("k", "between", [1, "x"]), "neither a number"),
        (FactRule("k", "gte", "5s"), "declares none"),
        (FactRule("k", "gte", None), "neither a number"),
    ],
)
def test_a_rule_that_nothing_can_answer_is_pointed_out(
    rule: Rule, expected: str | None
) -> None:
    """Whoever records it can be told at once."""
    doubt = unanswerable(rule)

    assert (expected is None) == (doubt is None)
    assert (expected or "") in (doubt or "")
