"""Import and export as JSON Lines: one record a line, in wire shape, with its kind.

Foreign ids, times and unknown fields survive a round trip unchanged. An import is all or
nothing: every line is checked before the first is written, and the whole of it is one
transaction. Importing the same file twice changes nothing; a known id with other content is
refused, because overwriting would lose what is stored and skipping would lose the line.
One thing is not taken at its word: that a fact is verified (`rules.proof`).
"""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from pydantic import ValidationError

from shadowgraph.errors import (
    CallerError,
    ConflictError,
    ImportLineError,
    InvalidInputError,
)
from shadowgraph.ids import content_id, is_id
from shadowgraph.library import Library
from shadowgraph.masking import mask_json
from shadowgraph.model.findings import sentence
from shadowgraph.model.kinds import KEPT, KINDS, LINK_KINDS
from shadowgraph.model.records import RECORD_MODELS
from shadowgraph.model.scope import FALLBACK_PROJECT, is_name, owner_of
from shadowgraph.model.text import (
    FIELD_BYTES,
    KEY_CHARACTERS,
    clean_json,
    load_json,
    oversized,
)
from shadowgraph.rules.confidence import initial
from shadowgraph.rules.facets import text_of
from shadowgraph.rules.lifecycle import INITIAL
from shadowgraph.rules.proof import believed
from shadowgraph.store import Origin, StoredRecord, Transaction


@dataclass
class Report:
    """What an import did."""

    imported: int = 0
    unchanged: int = 0
    "Lines whose record was stored already, with the same content."
    left: int = 0
    "Lines whose record is stored with other content and was left."
    replaced: int = 0
    "Lines whose record took the place of what was stored."
    cleaned: int = 0
    "Characters (NUL, lone surrogates) that were taken out."
    masked: Counter[str] = field(default_factory=Counter)
    "Credentials that were masked, by kind."
    counts: dict[str, int] = field(default_factory=dict)
    "Imported records by kind."
    owners: dict[str, int] = field(default_factory=dict)
    "Imported records by project, or by origin."
    unproven: list[str] = field(default_factory=list)
    "Facts that call themselves verified and count as unverified here."


def import_lines(
    library: Library,
    lines: Iterable[str],
    *,
    project: str | None = None,
    keep: bool = False,
    replace: bool = False,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Store every record of *lines*; blank lines are skipped.

    *project* is where records without one go; `default` when it is None. With *keep* a
    known id is left as it is stored instead of being refused when the content differs,
    with *replace* the line takes its place, and the state before stays in the journal.
    With *dry_run* the report is of what would be stored, and nothing is.
    *progress* is called with the number of records stored so far.

    Raises:
        ImportLineError: a line cannot be stored; nothing of the file was.
    """
    report = Report()
    bodies = list(
        _read(lines, project or FALLBACK_PROJECT, report, mask=not library.keep_secrets)
    )
    choice = _Choice(keep, replace)
    with suppress(_DryRun), library.write() as transaction:
        known = _known(transaction, [body["id"] for _, body in bodies])
        for number, read in bodies:
            _store(transaction, number, read, known, choice, report)
            stored = report.imported + report.replaced
            if progress and stored % 1000 == 0 < stored:
                progress(stored)
        if dry_run:
            raise _DryRun
    return report


class _Choice(NamedTuple):
    """What becomes of a known id with other content; by default it is refused."""

    keep: bool
    replace: bool


def _known(transaction: Transaction, ids: Sequence[str]) -> dict[str, StoredRecord]:
    return {
        record.id: record
        for start in range(0, len(ids), 500)
        for record in transaction.by_ids(ids[start : start + 500], retracted=True)
    }


def _store(
    transaction: Transaction,
    number: int,
    read: dict[str, Any],
    known: dict[str, StoredRecord],
    choice: _Choice,
    report: Report,
) -> None:
    """Store one line, or count that it is stored."""
    held = known.get(read["id"])
    body = _believed(report, read, None if held is None else held.body)
    if held is None:
        known[body["id"]] = _write(transaction, number, body, None)
        report.imported += 1
        _count(report, body)
    elif body == dict(held.body):
        report.unchanged += 1
    elif choice.keep:
        report.left += 1
    elif choice.replace:
        known[body["id"]] = _write(transaction, number, body, held)
        report.replaced += 1
        _count(report, body)
    else:
        raise _refusal(number, body, held.body)


def _believed(
    report: Report, body: dict[str, Any], held: Mapping[str, Any] | None
) -> dict[str, Any]:
    made = believed(body, held)
    if made != body:
        report.unproven.append(body["id"])
    return made


class _DryRun(Exception):  # noqa: N818 - no error: it takes a transaction back
    """Ends the transaction of a dry run."""


def _count(report: Report, body: dict[str, Any]) -> None:
    kind, owner = body["kind"], owner_of(body).removeprefix("project:")
    report.counts[kind] = report.counts.get(kind, 0) + 1
    report.owners[owner] = report.owners.get(owner, 0) + 1


def _write(
    transaction: Transaction, number: int, body: dict[str, Any], held: StoredRecord | None
) -> StoredRecord:
    origin = Origin(
        actor=text_of(body.get("actor")),
        client=text_of(body.get("client")),
        session_id=text_of(body.get("sessionId")),
    )
    type_ = f"{body['kind']}.imported"
    try:
        if held is None:
            return transaction.insert(body, type_, origin)
        return transaction.replace(held, body, type_, origin)
    except ConflictError as error:
        raise ImportLineError(error.message, line=number) from error


def _refusal(
    number: int, body: Mapping[str, Any], held: Mapping[str, Any]
) -> ImportLineError:
    changed = sorted(key for key in {*body, *held} if body.get(key) != held.get(key))
    return ImportLineError(
        f"{body['id']} is stored already with other content ({', '.join(changed[:5])}).",
        line=number,
        hint="Nothing was imported. Give it another id, or pass --keep to leave what is"
        " stored as it is.",
    )


def _read(
    lines: Iterable[str], project: str, report: Report, *, mask: bool
) -> Iterator[tuple[int, dict[str, Any]]]:
    for number, line in enumerate(lines, start=1):
        text = line.lstrip("\ufeff").strip()
        if not text:
            continue
        try:
            body, removed = clean_json(_object(text))
            report.cleaned += sum(removed.values())
            if mask:
                body, masked = mask_json(_fitting(body))
                report.masked.update(masked)
            yield number, checked(body, project)
        except (CallerError, ValueError) as error:
            message = error.message if isinstance(error, CallerError) else str(error)
            raise ImportLineError(message, line=number) from error


def _object(text: str) -> dict[str, Any]:
    try:
        value = load_json(text)
    except json.JSONDecodeError as error:
        raise InvalidInputError(
            f"not JSON: {error.msg} at character {error.pos + 1}."
        ) from error
    if not isinstance(value, dict):
        raise InvalidInputError("a line must hold one JSON object, a record.")
    return value


def checked(body: dict[str, Any], project: str) -> dict[str, Any]:
    """Return the record as it will be stored.

    Only what the store cannot do without is filled in; nothing that came is changed.

    Raises:
        InvalidInputError: the record has no usable kind, id or content.
    """
    kind = body.get("kind")
    if kind not in (*KINDS, *LINK_KINDS):
        raise InvalidInputError(
            f"kind must be one of {', '.join((*KINDS, *LINK_KINDS))}, not {kind!r}."
        )
    if "id" in body and not (isinstance(body["id"], str) and is_id(body["id"])):
        raise InvalidInputError("id must be a text of 1 to 200 characters without spaces.")
    _fitting(body)
    # An id from the content makes a second import of the same line find the first.
    stored = {"id": content_id(str(kind), body), **body}
    named = stored.get("project")
    if named is not None and not is_name(named):
        raise InvalidInputError(
            f"project must be one line of 1 to {KEY_CHARACTERS} characters without spaces"
            f" around it, not {named!r}; no call could name it."
        )
    if named is None and stored.get("originId") is None:
        stored["project"] = project
    _check_shape(stored)
    return stored


def _fitting(body: dict[str, Any]) -> dict[str, Any]:
    """Return *body* when no text in it is longer than a field may be."""
    found = oversized(body)
    if found and body.get("kind") != KEPT:
        raise InvalidInputError(
            f"{found[0]} has {found[1]:,} bytes; a field may have {FIELD_BYTES:,}."
        )
    return body


def _check_shape(stored: dict[str, Any]) -> None:
    if stored["kind"] == "decision":
        stored.setdefault("status", INITIAL)
        held = stored.get("confidence", 0.5)
        if isinstance(held, int | float) and not isinstance(held, bool):
            stored["confidence"] = {
                **initial(held),
                "migratedFromLegacyCurrent": True,
            }
    if stored["kind"] == "fact":
        stored.setdefault("status", "active")
    model = RECORD_MODELS.get(stored["kind"])
    if model is None:
        return
    try:
        model.model_validate(stored)
    except ValidationError as error:
        found = error.errors(include_url=False)[:2]
        raise InvalidInputError(" ".join(map(sentence, found))) from error


def export_lines(library: Library, owner: str | None = None) -> Iterator[str]:
    """Yield every record of *owner* (all when None) as one line without its newline.

    Retracted records are among them: an export is a copy, not a read.
    """
    for page in library.store.pages(retracted=True):
        for record in page:
            if owner is None or record.owner == owner:
                yield json.dumps(record.body, ensure_ascii=False)
