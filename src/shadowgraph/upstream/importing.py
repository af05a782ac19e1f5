"""Storing what was planned: all of it or nothing, and twice the same as once.

The whole import is one transaction, planning included, so nobody writes between what was
compared and what is stored. A known id with the same content is left, with other content it
is a conflict: refused with the fields that differ, left with *keep*, overwritten with
*replace* (the state before stays in the journal). A run that writes nothing, a dry run or a
second import, leaves no trace, not even in the revision.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.library import Library
from shadowgraph.model.kinds import KEPT
from shadowgraph.model.scope import FALLBACK_PROJECT, is_name, owner_of
from shadowgraph.rules.facets import text_of
from shadowgraph.rules.proof import is_proven
from shadowgraph.store import Origin, StoredRecord, Transaction
from shadowgraph.upstream.envelope import Envelope
from shadowgraph.upstream.normalise import Body, Trusted, nobody
from shadowgraph.upstream.planning import Planned, Planner
from shadowgraph.upstream.report import Report
from shadowgraph.upstream.retries import bind
from shadowgraph.upstream.settle import rank, superseded_by

Progress = Callable[[int], None]


class _NothingToKeep(Exception):  # noqa: N818 - no error: it takes a transaction back
    """Ends a transaction that must leave no trace."""


class Choice(NamedTuple):
    """What is done with a known id of other content."""

    keep: bool = False
    replace: bool = False


@dataclass
class _Difference:
    """What the file holds that the store does not."""

    fresh: list[Planned] = field(default_factory=list)
    changed: list[tuple[StoredRecord, Planned]] = field(default_factory=list)


def import_store(
    library: Library,
    envelope: Envelope,
    *,
    project: str | None = None,
    choice: Choice | None = None,
    dry_run: bool = False,
    progress: Progress | None = None,
    trusted: Trusted = nobody,
) -> Report:
    """Store everything in *envelope* and return what became of it.

    *project* is where items without one go; `default` when it is None. *trusted* checks the
    signature of a fact that claims to be verified; one that is stored as verified already
    is trusted, too.

    Raises:
        ConflictError: an id is stored with other content and *choice* does not say what
            to do; nothing was stored.
        ImportFileError: an item cannot be stored; nothing was.
    """
    chosen = choice or Choice()
    if chosen.keep and chosen.replace:
        raise InvalidInputError("keep and replace were both given; give one of them.")
    fallback = FALLBACK_PROJECT if project is None else project
    if not is_name(fallback):
        raise InvalidInputError("project must be one line of at most 200 characters.")
    report = Report(envelope.form, envelope.schema, fallback, dry_run)
    for oddity in envelope.oddities:
        report.note("odd", oddity, "file")
    with suppress(_NothingToKeep), library.write() as transaction:
        lookup = _lookup(transaction)

        def believed(fact: Mapping[str, Any]) -> bool:
            return trusted(fact) or is_proven(fact, lookup(str(fact.get("id"))))

        mask = not library.keep_secrets
        planned = Planner(envelope, fallback, lookup, report, believed, mask).plan()
        _Import(transaction, chosen, report, progress).run(planned)
        _end(report)
    return report


def _lookup(transaction: Transaction) -> Callable[[str], Mapping[str, Any] | None]:
    def lookup(record_id: str) -> Mapping[str, Any] | None:
        found = transaction.by_id(record_id, retracted=True)
        return None if found is None else found.body

    return lookup


def _end(report: Report) -> None:
    """Take the transaction back when nothing of it is to stay."""
    wrote = report.imported or report.replaced or report.retry_keys
    if report.dry_run or not wrote:
        raise _NothingToKeep


@dataclass
class _Import:
    """One import within its transaction."""

    transaction: Transaction
    choice: Choice
    report: Report
    progress: Progress | None

    def run(self, planned: Sequence[Planned]) -> None:
        """Write what differs."""
        difference = self._difference(planned)
        if self.report.conflicts and not self.report.dry_run:
            raise _conflict(self.report.conflicts)
        for held, one in sorted(difference.changed, key=lambda pair: _active(pair[1])):
            self._replace(held, one.body)
        for one in difference.fresh:
            self._insert(one.body)
        self.report.retry_keys += bind(self.transaction, [one.body for one in planned])

    def _difference(self, planned: Sequence[Planned]) -> _Difference:
        known = self._known(planned)
        found = _Difference()
        for one in planned:
            held = known.get(str(one.body["id"]))
            if held is None:
                found.fresh.append(one)
            elif self._same(one.body, held.body):
                self.report.unchanged += 1
            elif self.choice.keep:
                self.report.left += 1
            elif self.choice.replace:
                found.changed.append((held, one))
            else:
                self.report.conflicts.append(_differing(one, held.body))
        return found

    def _known(self, planned: Sequence[Planned]) -> dict[str, StoredRecord]:
        ids = [str(one.body["id"]) for one in planned]
        return {
            record.id: record for record in self.transaction.by_ids(ids, retracted=True)
        }

    def _same(self, body: Body, held: Mapping[str, Any]) -> bool:
        if body == held:
            return True
        if body["kind"] == KEPT == held.get("kind"):
            # Whose it is may have been decided otherwise; what it is counts.
            return all(body.get(n) == held.get(n) for n in ("collection", "value"))
        winner = held.get("supersededBy")
        if body["kind"] != "fact" or not isinstance(winner, str):
            return False
        # It lost against a fact of another file, and would again.
        found = self.transaction.by_id(winner)
        return found is not None and superseded_by(body, found.body) == held

    def _replace(self, held: StoredRecord, body: Body) -> None:
        settled = self._settled(body)
        kind = str(settled["kind"])
        self.transaction.replace(held, settled, f"{kind}.imported", _origin(settled))
        self.report.replaced += 1
        self._count(settled)

    def _insert(self, body: Body) -> None:
        settled = self._settled(body)
        kind = str(settled["kind"])
        self.transaction.insert(settled, f"{kind}.imported", _origin(settled))
        self.report.imported += 1
        self._count(settled)

    def _count(self, body: Body) -> None:
        self.report.stored(str(body["kind"]), owner_of(body))
        done = self.report.imported + self.report.replaced
        if self.progress and done % 1000 == 0:
            self.progress(done)

    def _settled(self, body: Body) -> Body:
        """Return a fact as it stands beside the active fact of its key in the store."""
        if not _active_fact(body):
            return body
        rival = self.transaction.active_fact(owner_of(body), str(body.get("key")))
        if rival is None or rival.id == body["id"]:
            return body
        if self.choice.keep or rank(rival.body) > rank(body):
            self._tell_settled(str(body["id"]), rival.id)
            return superseded_by(body, rival.body)
        ended = superseded_by(rival.body, body)
        self.transaction.replace(rival, ended, "fact.superseded", _origin(ended))
        self._tell_settled(rival.id, str(body["id"]))
        return body

    def _tell_settled(self, loser: str, winner: str) -> None:
        what = "two active facts of one key, one stored and one of the file -> the newer"
        self.report.note("odd", what, f"{loser} < {winner}")


def _active_fact(body: Body) -> bool:
    return body["kind"] == "fact" and body.get("status") == "active"


def _active(one: Planned) -> bool:
    """Sort key: what ends before what begins, so a key is free when it is taken."""
    return _active_fact(one.body)


def _origin(body: Mapping[str, Any]) -> Origin:
    return Origin(
        actor=text_of(body.get("actor")),
        client=text_of(body.get("client")),
        session_id=text_of(body.get("sessionId")),
    )


def _differing(one: Planned, held: Mapping[str, Any]) -> str:
    names = sorted(
        name for name in {*one.body, *held} if one.body.get(name) != held.get(name)
    )
    return f"{one.body['id']} ({', '.join(names[:5])})"


def _conflict(conflicts: Sequence[str]) -> ConflictError:
    shown = "; ".join(_some(conflicts, 5))
    count = len(conflicts)
    what = "1 item is" if count == 1 else f"{count:,} items are"
    return ConflictError(
        f"{what} stored already with other content: {shown}.",
        hint="Nothing was imported. Keep what is stored (--keep), or store what the file"
        " holds (--replace).",
        details={"conflicts": list(conflicts[:50]), "count": count},
    )


def _some(conflicts: Sequence[str], most: int) -> Iterator[str]:
    yield from conflicts[:most]
    if len(conflicts) > most:
        yield f"and {len(conflicts) - most:,} more"
