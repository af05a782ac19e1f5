"""Confidence in a decision: the policy `evidence_weighted_bounded_v1`.

`current` is the initial value plus 0.2 x weight x direction for every contribution,
summed exactly, clamped once, rounded to six places. Because the sum comes first, the
number depends on which contributions there are and never on their order.

Evidence counts once per key: the first wins, and a repetition changes nothing. The
outcome of a decision has a single slot that a later outcome replaces; an unknown
outcome weighs nothing, so it empties the slot. What evidence was declared when the
decision was recorded is counted in the basis and does not move the number.
The object keeps the members it does not know, since imports bring them.

The weights are a declared policy, not a calibration, and nothing decays with time.
"""

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, Literal, NamedTuple, TypeAlias

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.rules.operands import is_number

POLICY: Final = "evidence_weighted_bounded_v1"
"The identifier of this formula on the wire."

STEP: Final = 0.2
"How far a contribution of weight 1 moves the number."

WEIGHTS: Final[Mapping[str, float]] = MappingProxyType(
    {
        "agent_claimed": 0.5,
        "tool_observed": 0.7,
        "human_confirmed": 0.85,
        "production_verified": 1.0,
    }
)
"The source classes with what they weigh."

DEFAULT_CLASS: Final = "agent_claimed"
"The class of a source that names none, or none that is known."

OUTCOME_DIRECTION: Final[Mapping[str, float]] = MappingProxyType(
    {"successful": 1.0, "mixed": -0.5, "failed": -1.0, "unknown": 0.0}
)
"The outcome statuses with the direction in which they move the number."

SUPPORTING: Final = 1.0
"The direction of evidence for the decision."

CONTRADICTING: Final = -1.0
"The direction of evidence against it."

LOW: Final = 0.5
"Below this a decision is listed as one of low confidence."

Kind: TypeAlias = Literal["outcome", "evidence"]
"What a contribution comes from."

_OUTCOME_COUNTS: Final = {
    "successful": "successfulOutcomes",
    "failed": "failedOutcomes",
    "mixed": "mixedOutcomes",
}


def normalize_source_class(raw: str | None) -> tuple[str, str | None]:
    """Return the class *raw* resolves to, and *raw* itself when it reads differently.

    >>> normalize_source_class("Tool-Observed"), normalize_source_class("tool_observed")
    (('tool_observed', 'Tool-Observed'), ('tool_observed', None))
    """
    if raw is None or raw == "":
        return DEFAULT_CLASS, None
    folded = raw.strip().lower().replace("-", "_")
    resolved = folded if folded in WEIGHTS else DEFAULT_CLASS
    return resolved, None if raw == resolved else raw


def initial(value: object, declared_evidence: int = 0) -> dict[str, object]:
    """Return the confidence of a new decision, in the shape of the wire.

    >>> initial(0.7, 2)["current"]
    0.7

    Raises:
        InvalidInputError: The value is not a number from 0 to 1.
    """
    if not (isinstance(value, int | float) and is_number(value) and 0 <= value <= 1):
        raise InvalidInputError(f"confidence must be a number from 0 to 1, not {value!r}.")
    return {
        "initial": value,
        "current": _round6(value),
        "basis": _basis((), declared=declared_evidence, unknown=0),
        "history": [],
        "policy": POLICY,
    }


class _State(NamedTuple):
    """What the formula needs of a confidence object."""

    start: float
    contributions: tuple[Mapping[str, object], ...]
    declared: int
    unknown: int

    @property
    def current(self) -> float:
        steps = (
            STEP * _weight(c.get("sourceClass")) * _number(c.get("direction"))
            for c in self.contributions
        )
        # fsum rounds once, so the order of the contributions cannot show.
        return _round6(min(1.0, max(0.0, math.fsum((self.start, *steps)))))


def with_contribution(
    confidence: Mapping[str, object],
    *,
    key: str,
    kind: Kind,
    direction: float,
    source_class: str,
    reason: str,
    provenance: object,
    at: str,
    outcome_status: str | None = None,
) -> tuple[dict[str, object], bool]:
    """Return *confidence* with one contribution more, and whether it differs.

    It can differ while `current` stays, as at the upper end: compare the two numbers
    to learn whether the confidence moved.

    >>> after, changed = with_contribution(
    ...     initial(0.5), key="load-test", kind="evidence", direction=SUPPORTING,
    ...     source_class="tool_observed", reason="held 2k rps", provenance=None,
    ...     at="2026-03-04T09:15:00.000Z")
    >>> after["current"], changed
    (0.64, True)

    Raises:
        ConflictError: The object was computed under another policy.
    """
    before = _read(confidence)
    entry: dict[str, object] = {
        "key": key,
        "kind": kind,
        "direction": direction,
        "sourceClass": source_class,
        "reason": reason,
        "provenance": provenance,
        "at": at,
    }
    if outcome_status is not None:
        entry["outcomeStatus"] = outcome_status
    after = (_with_outcome if kind == "outcome" else _with_evidence)(before, entry)
    if after == before:
        return dict(confidence), False
    return _write(confidence, before, after, entry), True


def recomputed(confidence: Mapping[str, object]) -> float:
    """Return the number that the contributions of a confidence object add up to.

    >>> recomputed(initial(0.5))
    0.5

    Raises:
        ConflictError: The object was computed under another policy.
    """
    return _read(confidence).current


def _read(confidence: Mapping[str, object]) -> _State:
    policy = confidence.get("policy", POLICY)
    if policy != POLICY:
        raise ConflictError(
            f"this confidence follows the policy {policy!r}; only {POLICY} can be "
            "continued, so it is left as it is."
        )
    basis = confidence.get("basis")
    basis = basis if isinstance(basis, Mapping) else {}
    start = confidence.get("initial", confidence.get("current", 0.0))
    return _State(
        _number(start),
        tuple(_items(basis.get("contributions"))),
        int(_number(basis.get("declaredEvidence"))),
        int(_number(basis.get("unknownOutcomes"))),
    )


def _with_evidence(state: _State, entry: Mapping[str, object]) -> _State:
    taken = any(
        c.get("kind") != "outcome" and c.get("key") == entry["key"]
        for c in state.contributions
    )
    if taken:
        return state
    contributions = (*state.contributions, entry)
    return _State(state.start, contributions, state.declared, state.unknown)


def _with_outcome(state: _State, entry: Mapping[str, object]) -> _State:
    known = bool(entry["direction"])
    old = _outcome(state)
    if known and old is not None and _weighs_alike(old, entry):
        return state
    rest = tuple(c for c in state.contributions if c.get("kind") != "outcome")
    contributions = (*rest, entry) if known else rest
    return _State(state.start, contributions, state.declared, 0 if known else 1)


def _outcome(state: _State) -> Mapping[str, object] | None:
    found = (c for c in state.contributions if c.get("kind") == "outcome")
    return next(found, None)


def _weighs_alike(one: Mapping[str, object], other: Mapping[str, object]) -> bool:
    return all(one.get(name) == other[name] for name in ("direction", "sourceClass"))


def _write(
    confidence: Mapping[str, object],
    before: _State,
    after: _State,
    entry: Mapping[str, object],
) -> dict[str, object]:
    history = list(_items(confidence.get("history")))
    if after.contributions != before.contributions:
        history.append(_event(confidence, before, after, entry))
    return {
        **confidence,
        "current": after.current,
        "basis": _basis(
            after.contributions, declared=after.declared, unknown=after.unknown
        ),
        "history": history,
        "policy": POLICY,
    }


def _event(
    confidence: Mapping[str, object],
    before: _State,
    after: _State,
    entry: Mapping[str, object],
) -> dict[str, object]:
    old = _outcome(before) if entry["kind"] == "outcome" else None
    note = "" if old is None else f" (replaces the outcome {_outcome_name(old)})"
    # The number last shown, which an import may have computed otherwise.
    start = _number(confidence.get("current", before.current))
    return {
        "key": entry["key"],
        "kind": entry["kind"],
        "delta": _round6(after.current - start),
        "from": start,
        "to": after.current,
        "reason": f"{entry['reason']}{note}",
        "sourceClass": entry["sourceClass"],
        "provenance": entry["provenance"],
        "at": entry["at"],
    }


def _outcome_name(contribution: Mapping[str, object]) -> object:
    return contribution.get("outcomeStatus", "recorded before")


def _basis(
    contributions: Sequence[Mapping[str, object]], *, declared: int, unknown: int
) -> dict[str, object]:
    evidence = [c for c in contributions if c.get("kind") != "outcome"]
    ways = [_number(c.get("direction")) for c in evidence]
    classes = [c.get("sourceClass") for c in contributions]
    outcomes = [c.get("outcomeStatus") for c in contributions]
    return {
        "supportingEvidence": sum(way > 0 for way in ways),
        "contradictingEvidence": sum(way < 0 for way in ways),
        **{name: outcomes.count(s) for s, name in _OUTCOME_COUNTS.items()},
        "unknownOutcomes": unknown,
        "humanConfirmations": classes.count("human_confirmed"),
        "productionVerifications": classes.count("production_verified"),
        "declaredEvidence": declared,
        "policy": POLICY,
        "contributions": list(contributions),
    }


def _weight(source_class: object) -> float:
    return WEIGHTS.get(str(source_class), WEIGHTS[DEFAULT_CLASS])


def _items(value: object) -> list[Mapping[str, object]]:
    found = value if isinstance(value, list | tuple) else []
    return [item for item in found if isinstance(item, Mapping)]


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) else 0.0


def _round6(value: float) -> float:
    # Adding zero turns -0.0 into 0.0.
    return round(value, 6) + 0.0
