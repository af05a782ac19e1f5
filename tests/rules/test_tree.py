"""Trees of conditions: three-valued, at every depth, against all possible worlds."""

from itertools import product
from typing import TypeAlias

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
    TreeRule,
    all_hold,
    any_fires,
    evaluate,
    parse_rule,
    parse_rule_lenient,
    unanswerable,
)
from shadowgraph.rules.tree import ABSENCE, named

KEYS = "abcd"
RAW: TypeAlias = str | dict[str, "list[RAW]"]
TREES: st.SearchStrategy[RAW] = st.recursive(
    st.sampled_from(KEYS),
    lambda inner: st.builds(
        lambda join, parts: {join: parts},
        st.sampled_from(["all", "any", "none"]),
        st.lists(inner, min_size=1, max_size=3),
    ),
    max_leaves=7,
)
ANSWERS = st.fixed_dictionaries(
    {key: st.sampled_from(["true", "false", "unknown"]) for key in KEYS}
)


def holds(tree: RAW, world: dict[str, bool]) -> bool:
    """Return what the tree says in a world where everything is known."""
    if isinstance(tree, str):
        return world[tree]
    ((join, parts),) = tree.items()
    answers = [holds(part, world) for part in parts]
    return {"all": all(answers), "any": any(answers), "none": not any(answers)}[join]


def written(tree: RAW) -> object:
    """Return the tree with a question about a fact for each leaf."""
    if isinstance(tree, str):
        return {"key": tree, "operator": "gte", "value": 1}
    return {join: [written(part) for part in parts] for join, parts in tree.items()}


def facts(answers: dict[str, str]) -> dict[str, Observation]:
    """Return facts under which each leaf gives its answer."""
    values: dict[str, object] = {"true": 1, "false": 0, "unknown": "red"}
    return {key: Observation(values[answer]) for key, answer in answers.items()}


@given(TREES, ANSWERS)
def test_an_answer_never_contradicts_a_possible_world(
    tree: RAW, answers: dict[str, str]
) -> None:
    """True or false is said only when it is so whatever the unknown leaves turn out to be."""
    worlds = [
        dict(zip(KEYS, choice, strict=True))
        for choice in product(
            *(
                [True, False] if answers[k] == "unknown" else [answers[k] == "true"]
                for k in KEYS
            )
        )
    ]
    outcomes = {holds(tree, world) for world in worlds}
    verdict = evaluate(parse_rule(written(tree)), facts(answers)).verdict

    if "unknown" not in answers.values():
        assert str(outcomes.pop()).lower() == verdict
    elif verdict != "unknown":
        assert {verdict == "true"} == outcomes


@given(TREES, ANSWERS)
def test_a_join_follows_the_table_of_three_values(
    tree: RAW, answers: dict[str, str]
) -> None:
    """False, unknown and true as 0, 1 and 2: all is the least, any the largest."""
    scale = ["false", "unknown", "true"]

    def level(node: RAW) -> int:
        if isinstance(node, str):
            return scale.index(answers[node])
        ((join, parts),) = node.items()
        levels = [level(part) for part in parts]
        return {"all": min(levels), "any": max(levels), "none": 2 - max(levels)}[join]

    assert scale[level(tree)] == evaluate(parse_rule(written(tree)), facts(answers)).verdict


@given(TREES)
def test_a_tree_is_read_back_from_its_wire_form(tree: RAW) -> None:
    """Reading and writing are inverse, strictly and leniently."""
    rule = parse_rule(written(tree))

    assert written(tree) == rule.to_wire()
    assert rule == parse_rule_lenient(rule.to_wire())


@given(TREES)
def test_the_store_hears_of_every_key_in_a_tree(tree: RAW) -> None:
    """A leaf that nobody watches could never fire."""
    leaves = {leaf.rule.label for leaf in evaluate(parse_rule(written(tree)), {}).leaves()}

    assert leaves == set(named(written(tree))) == set(named(tree))


CONTESTED = {
    "a": Observation(1, "fact_1", conflicting=(Observation(0, "fact_2"),)),
    "b": Observation(1, "fact_3"),
}


@pytest.mark.parametrize(
    ("raw", "reopens", "permits"),
    [
        ({"any": ["a", "b"]}, "true", "true"),
        ({"all": ["a", "b"]}, "true", "unknown"),
        ({"none": ["a"]}, "false", "unknown"),
        ({"none": [{"none": ["a"]}]}, "true", "unknown"),
        ({"all": ["b", {"any": ["b", "a"]}]}, "true", "true"),
    ],
)
def test_a_contested_leaf_permits_nothing_at_any_depth(
    raw: RAW, reopens: str, permits: str
) -> None:
    """What is certain without it stays certain."""
    rule = parse_rule(written(raw))

    assert reopens == any_fires([rule], CONTESTED).verdict
    assert permits == all_hold([rule], CONTESTED).verdict


def test_a_tree_may_stand_beside_plain_rules_and_hold_tokens() -> None:
    """The list stays a list: any of it reopens, all of it permits."""
    rules = [parse_rule(raw) for raw in ("t", {"all": ["u", {"key": "a", "value": 1}]})]

    findings = any_fires(rules, {"a": Observation(1)}, ["u"])
    assert ["unknown", "true"] == [one.verdict for one in findings.conditions]
    assert "unknown" == all_hold(rules, {"a": Observation(1)}, ["u"]).verdict


def test_a_tree_shows_its_parts_on_the_wire() -> None:
    """Each with its own verdict and evidence."""
    rule = parse_rule({"all": [{"key": "a", "value": 1}, "t"]})
    wire = evaluate(rule, {"a": Observation(1, "fact_1")}).to_wire()

    parts = wire["conditions"]
    assert isinstance(parts, list)
    assert ("a, t", "all", "unknown") == (wire["key"], wire["operator"], wire["verdict"])
    assert ["true", "unknown"] == [part["verdict"] for part in parts]
    assert "fact_1" == parts[0]["evidence"]["factId"]


def _nested(depth: int) -> object:
    """Return a rule in *depth* joins."""
    rule: object = "t"
    for _ in range(depth):
        rule = {"all": [rule]}
    return rule


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        ({"all": []}, "at least one condition"),
        ({"any": "t"}, "needs a list"),
        ({"none": None}, "needs a list"),
        ({"all": ["t"], "any": ["u"]}, "has one member, not 2"),
        ({"all": ["t"], "key": "k"}, "has one member, not 2"),
        ({"all": [5]}, "not a condition"),
        ({"all": [{"key": "k"}]}, "has no value"),
        ({"all": ["t"] * 101}, "may join 100"),
        (_nested(9), "8 deep"),
        (_nested(5000), "8 deep"),
    ],
)
def test_what_is_no_tree_is_refused(raw: object, message: str) -> None:
    """Its size is checked before anything in it is read."""
    with pytest.raises(InvalidInputError, match=message):
        parse_rule(raw)

    kept = parse_rule_lenient(raw)
    assert "unknown" == evaluate(kept, {}).verdict
    assert set(named(raw)) <= {"t", "u", "k"}


def test_a_tree_may_be_eight_deep() -> None:
    """The limit itself is legal."""
    rule = parse_rule(_nested(8))

    assert "true" == evaluate(rule, {}, ["t"]).verdict


def test_an_import_keeps_a_tree_with_a_part_it_cannot_evaluate() -> None:
    """The part is unknown; the other parts still count."""
    hopeless = {"key": "a", "operator": "sounds_like", "value": 1}
    rule = parse_rule_lenient({"any": [hopeless, "t"], "note": "from ops"})

    assert isinstance(rule, TreeRule)
    assert isinstance(rule.parts[0], KeptRule)
    assert "true" == evaluate(rule, {}, ["t"]).verdict
    assert "sounds_like" in (unanswerable(rule) or "")


@pytest.mark.parametrize(
    ("operator", "observed", "expected"),
    [
        ("exists", Observation(None), "true"),
        ("exists", None, "false"),
        ("missing", Observation(0), "false"),
        ("missing", None, "true"),
    ],
)
def test_whether_there_is_a_fact_is_always_known(
    operator: str, observed: Observation | None, expected: str
) -> None:
    """Null is a value like any other."""
    known = {} if observed is None else {"k": observed}

    assert expected == evaluate(FactRule("k", operator), known).verdict


def test_a_rule_decided_by_absence_is_watched_as_such() -> None:
    """The store must look at it although no fact of its key is there."""
    assert {"k", ABSENCE} == set(named({"none": [{"key": "k", "operator": "EXISTS "}]}))
    assert {"k"} == set(named({"key": "k", "operator": "gte", "value": 1}))
    assert "" not in {rule.label for rule in _named_by("t", {"key": "k", "value": 1})}


def _named_by(*raw: object) -> list[Rule]:
    """Return rules as they are read."""
    return [parse_rule(one) for one in raw]


@pytest.mark.parametrize("value", [None, True, ""])
def test_a_value_that_says_nothing_is_let_pass_beside_exists(value: object) -> None:
    """Some callers cannot leave it out."""
    rule = parse_rule({"key": "k", "operator": "exists", "value": value})

    assert {"key": "k", "operator": "exists"} == rule.to_wire()


def test_a_value_beside_exists_that_says_the_opposite_is_refused() -> None:
    """The refusal names what would say it."""
    with pytest.raises(InvalidInputError, match="write missing"):
        parse_rule({"key": "k", "operator": "exists", "value": False})


def test_a_token_is_no_tree() -> None:
    """The names of the joins are ordinary words elsewhere."""
    assert TokenRule("all") == parse_rule("all")
    assert FactRule("any", "equals", 1) == parse_rule({"key": "any", "value": 1})
