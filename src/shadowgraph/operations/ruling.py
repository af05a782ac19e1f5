"""Rules added or changed after a record was made.

What would reopen an option, or make an attempt worth another try, is often learned later.
The new rules are checked like those of a new record; the state before stays in the journal.
Only the rules change: an alternative keeps its id, so a signal raised for a rule that is
still there stays the signal of that breach.
"""

from collections.abc import Mapping
from typing import Any, Literal

from shadowgraph.errors import InvalidInputError, nearest
from shadowgraph.library import Library
from shadowgraph.model.records import NonBlank
from shadowgraph.model.wire import OrNull, StoredWire
from shadowgraph.operations.building import check_rules
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import RuleIn, Writing
from shadowgraph.operations.judging import objects
from shadowgraph.operations.progress import unknown
from shadowgraph.operations.registry import Reply, operation
from shadowgraph.rules.grammar import parse_rule_lenient
from shadowgraph.store import StoredRecord
from shadowgraph.store.journal import canonical


class ChangeRules(Writing):
    """Change rules."""

    record_id: NonBlank
    """Id of a decision or an attempt."""
    rules: list[RuleIn]
    """The conditions: all that hold from now on, or those to add or remove."""
    alternative: str | None = None
    """Id or label of the decision's alternative; may be left out when there is one."""
    mode: Literal["replace", "add", "remove"] = "replace"
    """replace (default): rules is the whole list; add, remove: it is a part."""


class RulesReply(StoredWire):
    """The rules before and after."""

    id: str
    """Id of the record."""
    kind: str
    """decision or attempt."""
    project: OrNull[str]
    """Project it belongs to."""
    alternative: OrNull[str]
    """Id of the alternative; null for an attempt."""
    before: list[Any]
    """The rules before the call."""
    rules: list[Any]
    """The rules that hold now."""
    changed: bool
    """Whether they differ."""
    warnings: list[str] | None = None
    """Rules that nothing can ever decide."""


@operation(
    "shadowgraph_change_rules",
    title="Change conditions",
    toolset="graph",
    description="""Change the conditions that reopen a rejected option of a decision, or that
        permit another try of an attempt, after it was recorded. Call it when it turns out
        what the answer depends on. What they say now is told by shadowgraph_reconsider and
        shadowgraph_check. The rules before stay in the journal and in the reply.""",
    request=ChangeRules,
    reply=RulesReply,
    destructive=True,
    idempotent=True,
    example={
        "recordId": "attempt_ledger-on-nfs",
        "rules": [{"key": "storage.shared-memory", "operator": "equals", "value": "yes"}],
        "mode": "add",
        "project": "acme/billing-api",
    },
)
def change_rules(library: Library, request: ChangeRules, caller: Caller) -> Reply:
    """Store other conditions for a record."""
    scope = caller.scope_by_id(request.project, request.origin_id)
    with library.write() as transaction:
        record = transaction.by_id(request.record_id, scope.owner)
        if record is None:
            raise unknown(transaction, request.record_id, scope)
        place = _place(record, request.alternative)
        name = "reusableWhen" if place is None else "reopenWhen"
        before = _rules_at(record, place)
        warnings = [] if request.mode == "remove" else check_rules(request.rules, name)
        rules = _combined(before, request)
        changed = list(map(_key, before)) != list(map(_key, rules))
        if changed:
            body = {**_with_rules(record, place, rules), "updatedAt": transaction.at}
            origin = caller.origin(None, None, None)
            transaction.replace(record, body, "rules.changed", origin)
    return {
        "id": record.id,
        "kind": record.kind,
        "project": scope.project,
        "alternative": None if place is None else _alternatives(record)[place].get("id"),
        "before": before,
        "rules": rules,
        "changed": changed,
        **({"warnings": warnings} if warnings else {}),
    }


def _place(record: StoredRecord, wanted: str | None) -> int | None:
    """Return the position of the alternative that is meant; None for an attempt.

    Raises:
        InvalidInputError: the record has no rules, or no such alternative.
    """
    if record.kind == "attempt" and wanted is None:
        return None
    if record.kind != "decision":
        raise InvalidInputError(
            f"{record.id} is a {record.kind}; rules stand in the alternatives of a"
            " decision and, without naming one, in an attempt."
        )
    alternatives = _alternatives(record)
    names = [(str(a.get("id")), str(a.get("label"))) for a in alternatives]
    found = [i for i, name in enumerate(names) if wanted is None or wanted in name]
    if len(found) == 1:
        return found[0]
    raise _unplaced(record, [label for _, label in names], len(found), wanted)


def _unplaced(
    record: StoredRecord, labels: list[str], found: int, wanted: str | None
) -> InvalidInputError:
    """Return the error for an alternative that is none or not one alone."""
    close = nearest(wanted, labels) if wanted else []
    which = f", and {found} of them are {wanted!r}" if wanted else ""
    return InvalidInputError(
        f"{record.id} has {len(labels)} alternatives{which}.",
        hint=f"Name one in alternative: {'; '.join(close or labels)}."
        if labels
        else "A decision without alternatives has nothing to reopen.",
        details={"alternatives": labels},
    )


def _alternatives(record: StoredRecord) -> list[Mapping[str, Any]]:
    return objects(record.body.get("alternatives"))


def _rules_at(record: StoredRecord, place: int | None) -> list[Any]:
    at = record.body if place is None else _alternatives(record)[place]
    held = at.get("reusableWhen" if place is None else "reopenWhen")
    return list(held) if isinstance(held, list) else []


def _with_rules(
    record: StoredRecord, place: int | None, rules: list[Any]
) -> dict[str, Any]:
    if place is None:
        return {**record.body, "reusableWhen": rules}
    meant = _alternatives(record)[place]
    alternatives = [
        {**one, "reopenWhen": rules} if one is meant else one
        for one in record.body["alternatives"]
    ]
    return {**record.body, "alternatives": alternatives}


def _combined(before: list[Any], request: ChangeRules) -> list[Any]:
    """Return the rules after the change; the same rule counts once."""
    given = {_key(rule): rule for rule in request.rules}
    held = {_key(rule): rule for rule in before}
    if request.mode == "replace":
        return list(given.values())
    if request.mode == "add":
        return list({**held, **{k: v for k, v in given.items() if k not in held}}.values())
    absent = [key for key in given if key not in held]
    if absent:
        raise InvalidInputError(
            f"There is no rule {absent[0]} to remove.",
            hint=f"The rules are: {'; '.join(held)}." if held else "It has no rules.",
        )
    return [rule for key, rule in held.items() if key not in given]


def _key(rule: Any) -> str:
    """Return a rule in one form: the same question, the same text."""
    return canonical(parse_rule_lenient(rule).to_wire())
