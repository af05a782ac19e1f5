"""What a hook writes: a failure as an attempt, once and counted, and what worked later.

A failure that the policy keeps becomes an attempt (`tool_observed`, class failed by its exit
status). The same failure again raises `occurrences` on that record. When the same command
succeeds later, that is an attempt of its own, linked to the failed ones by a relation
`worked_after`; they carry its id as `resolvedBy`, so that nobody is warned of what works by
now. When it fails again afterwards, it counts again and is no longer resolved.

Which record a failure or a command belongs to stands beside the retry keys, so one look-up
by key tells a hook that there is nothing to do, without the index and without the write
lock. A record that somebody retracted or purged stays away: a purge takes the keys along,
and a retracted record is not counted on.

The bodies are what `operations.building` and `operations.recording` make; they are made here
without the machinery of schemas, which costs a hook half of its time, and a test compares.
"""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from shadowgraph.clock import Clock, system_clock
from shadowgraph.hosts import surroundings
from shadowgraph.hosts.event import Event
from shadowgraph.ids import new_id
from shadowgraph.model.scope import Scope
from shadowgraph.rules.capturing import Policy, Ruling
from shadowgraph.rules.recurrence import command_identity, failure_identity
from shadowgraph.rules.signature import error_lines
from shadowgraph.store import Origin, Store, StoredRecord, Transaction
from shadowgraph.store.selection import Selection

SCHEMA_VERSION: Final = 7
"The shape written; `model.records` says the same, and a test that it does."
RELATION: Final = "worked_after"
COMMAND: Final = 600
"Characters of a command that are kept."
RESULT: Final = 1_600
"Characters of an output that are kept."
_FAILURES: Final = 8
"Different failures of one command that a success resolves."
_LINES: Final = 25


class Captured(NamedTuple):
    """What came of an event."""

    what: str
    "recorded, counted, resolved, retracted or nothing."
    ground: str
    "Why: the ground of the policy."
    record: str | None = None


class Recorder:
    """Writes what events tell into one store."""

    def __init__(
        self,
        store: Store,
        scope: Scope,
        policy: Policy,
        keep_secrets: bool = False,
        clock: Clock = system_clock,
    ) -> None:
        """Write into *store* for *scope* what *policy* keeps."""
        self._store = store
        self._scope = scope
        self._policy = policy
        self._keep_secrets = keep_secrets
        self._clock = clock

    def take(self, event: Event) -> Captured:
        """Store what an event of a command tells, when it is worth keeping."""
        ruling = ruled(self._policy, event)
        if not (ruling.keep or ruling.ground == "success"):
            return Captured("nothing", ruling.ground)
        known = event if self._keep_secrets else _masked(event)
        if ruling.keep:
            return self._failure(known, ruling.ground, ruling.cue)
        return self._success(known)

    def _failure(self, event: Event, ground: str, cue: str) -> Captured:
        steps = self._policy.steps(event.command)
        program = " ".join(steps[-1].split()[:2]) if steps else ""
        identity = failure_identity(program, event.command, event.status or 0, event.output)
        with self._store.write() as transaction:
            known = transaction.remembered(self._key(identity))
            if known is None:
                body = self._failed(event, cue, transaction.at)
                record = transaction.insert(body, "attempt.recorded", _origin(event))
                transaction.remember(self._key(identity), record.id, b"")
                what = "recorded"
            else:
                held = transaction.by_id(known.record_id, self._scope.owner)
                if held is None:
                    return Captured("retracted", ground, known.record_id)
                record = transaction.replace(
                    held,
                    _again(held.body, transaction.at),
                    "attempt.repeated",
                    _origin(event),
                )
                what = "counted"
            self._bind(transaction, event.command, record)
        return Captured(what, ground, record.id)

    def _bind(self, transaction: Transaction, command: str, record: StoredRecord) -> None:
        """Let a later success of the command find its failure."""
        for key in self._command_keys(command):
            known = transaction.remembered(key)
            if known is None:
                transaction.remember(key, record.id, b"")
            if known is None or known.record_id == record.id:
                return

    def _success(self, event: Event) -> Captured:
        with self._store.read() as selection:
            if not self._open(selection, event.command):
                return Captured("nothing", "success")
        with self._store.write() as transaction:
            failures = self._open(transaction, event.command)
            if not failures:
                return Captured("nothing", "success")
            record = transaction.insert(
                self._worked(event, failures, transaction.at),
                "attempt.recorded",
                _origin(event),
            )
            for failure in failures:
                self._resolve(transaction, failure, record, event)
        return Captured("resolved", "success", record.id)

    def _open(self, selection: Selection, command: str) -> list[StoredRecord]:
        """Return the failures of a command that nothing has resolved yet."""
        found = []
        for key in self._command_keys(command):
            known = selection.remembered(key)
            if known is None:
                break
            record = selection.by_id(known.record_id, self._scope.owner)
            if record is not None and not record.body.get("resolvedBy"):
                found.append(record)
        return found

    def _resolve(
        self,
        transaction: Transaction,
        failure: StoredRecord,
        success: StoredRecord,
        event: Event,
    ) -> None:
        """Link a failed attempt with what worked."""
        at = transaction.at
        resolved = {**failure.body, "resolvedBy": success.id, "updatedAt": at}
        transaction.replace(failure, resolved, "attempt.resolved", _origin(event))
        relation = self._begun("relation", event) | {
            "from": success.id,
            "to": failure.id,
            "relation": RELATION,
            "createdAt": at,
            "temporal": {
                "validFrom": at,
                "validTo": None,
                "recordedAt": at,
                "invalidatedAt": None,
            },
        }
        transaction.insert(relation, "relation.created", _origin(event))

    def _failed(self, event: Event, cue: str, at: str) -> dict[str, Any]:
        reason = reason_of(event.output, cue)
        result = f"exit status {event.status}\n{excerpt(event.output)}".strip()
        claim = {"state": "recorded", "sourceClass": "tool_observed", "evidence": []}
        return self._attempt(event, at) | {
            "result": result,
            "resultClass": "failed",
            "reason": reason,
            "causalClaim": claim if reason else {"state": "not_recorded"},
            "occurrences": 1,
            "lastSeenAt": at,
        }

    def _worked(
        self, event: Event, failures: list[StoredRecord], at: str
    ) -> dict[str, Any]:
        times = sum(int(one.body.get("occurrences") or 1) for one in failures)
        return self._attempt(event, at) | {
            "result": f"exit status 0, after {times} that failed",
            "resultClass": "succeeded",
            "reason": "",
            "causalClaim": {"state": "not_recorded"},
            "relatedTo": [one.id for one in failures],
        }

    def _attempt(self, event: Event, at: str) -> dict[str, Any]:
        commit = surroundings.head(event.directory)
        return self._begun("attempt", event) | {
            "solution": event.command[:COMMAND],
            "environment": surroundings.environment(event.directory),
            **({"gitHead": commit} if commit else {}),
            "outcomeEvidence": {"state": "observed", "exitStatus": event.status},
            "capturedBy": "hook",
            "reusableWhen": [],
            "relatedTo": [],
            "createdAt": at,
        }

    def _begun(self, kind: str, event: Event) -> dict[str, Any]:
        """Return the fields that every new record begins with."""
        origin = self._scope.origin_id
        return {
            "id": new_id(kind),
            "kind": kind,
            "schemaVersion": SCHEMA_VERSION,
            "project": self._scope.project,
            "attribution": self._scope.attribution,
            **({"originId": origin} if origin else {}),
            "sourceClass": "tool_observed",
            **_origin(event).as_json(),
        }

    def _key(self, identity: str) -> str:
        return f"attempt:{self._scope.owner}:hook:{identity}"

    def _command_keys(self, command: str) -> list[str]:
        identity = command_identity(command)
        return [self._key(f"{identity}:{number}") for number in range(_FAILURES)]


def ruled(policy: Policy, event: Event) -> Ruling:
    """Return what the policy says of an event; a success that only looked is an answer."""
    if event.interrupted:
        return Ruling(False, "stopped")
    ruling = policy.rule(event.command, event.status, event.output)
    looked = ruling.ground == "success" and policy.only_answers(event.command)
    return Ruling(False, "answer") if looked else ruling


def failures_of(selection: Selection, owner: str, session: str) -> list[Mapping[str, Any]]:
    """Return the failures captured in one session, of the newest records of its owner."""
    newest = selection.latest(owner, "attempt", 200)
    return [
        one.body
        for one in newest
        if one.body.get("capturedBy") == "hook"
        and one.body.get("sessionId") == session
        and one.body.get("resultClass") == "failed"
    ]


def reason_of(output: str, cue: str) -> str:
    r"""Return the line of an output that says why: the one with the cue, else the last error.

    >>> reason_of("building\nE: Unable to locate package libx", "unable to locate package")
    'E: Unable to locate package libx'
    """
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    beginning = cue.split("…", maxsplit=1)[0]
    if beginning:
        for line in lines:
            if beginning in line.lower():
                return line[:300]
    errors = error_lines(output)
    if errors and errors[-1].words:
        word = errors[-1].words[0]
        named = [line for line in lines if word in line.lower()]
        return named[-1][:300] if named else ""
    return ""


def excerpt(output: str) -> str:
    """Return beginning and end of an output, as much as a record needs."""
    lines = output.strip().splitlines()
    if len(lines) > 2 * _LINES:
        lines = [*lines[:_LINES], "…", *lines[-_LINES:]]
    text = "\n".join(line[:300] for line in lines)
    half = RESULT // 2
    return text if len(text) <= RESULT else f"{text[:half]}\n…\n{text[-half:]}"


def _again(body: Mapping[str, Any], at: str) -> dict[str, Any]:
    """Return a failed attempt that happened once more."""
    kept = {name: value for name, value in body.items() if name != "resolvedBy"}
    count = body.get("occurrences")
    seen = count if isinstance(count, int) and not isinstance(count, bool) else 1
    return {**kept, "occurrences": seen + 1, "lastSeenAt": at, "updatedAt": at}


def _masked(event: Event) -> Event:
    """Return an event without credentials, before anything is made of it."""
    # Imported here, as the shapes of secrets are: only what is stored is masked.
    from shadowgraph.masking import mask_json  # noqa: PLC0415

    told, _ = mask_json({"command": event.command, "output": event.output})
    return event._replace(command=told["command"], output=told["output"])


def _origin(event: Event) -> Origin:
    return Origin(actor=event.host, client="shadowgraph-hook", session_id=event.session)
