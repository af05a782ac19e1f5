"""Whatever is named to be imported: a file of ours, of the upstream tool, or of another.

A form is read from the content unless it is given. Files of other tools go through the
readers of `foreign` and are stored as JSON Lines are: every record is checked before the
first is written, in one transaction, and the same texts again change nothing. A directory is
read as a whole, so that what its files say of each other is found. Our own lines and stores
of the upstream tool go to `upstream.loading`.
"""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Final, Literal

from shadowgraph import checkout
from shadowgraph.errors import ImportFileError, ImportLineError, InvalidInputError
from shadowgraph.exchange import import_lines
from shadowgraph.foreign import decisions, graphs, notes, reverts
from shadowgraph.foreign.reading import Reading, Text
from shadowgraph.library import Library
from shadowgraph.model.scope import FALLBACK_PROJECT
from shadowgraph.model.text import FIELD_BYTES
from shadowgraph.store.foreign import MAGIC
from shadowgraph.upstream.importing import Choice
from shadowgraph.upstream.loading import import_file
from shadowgraph.upstream.report import Report

Form = Literal["adr", "basic-memory", "memory-json", "git-reverts"]
FORMS: Final[Mapping[str, str]] = MappingProxyType(
    {
        decisions.FORM: "Markdown decision records",
        notes.FORM: "Notes of basic-memory",
        graphs.FORM: "A memory.json of the MCP reference server",
        reverts.FORM: "Reverts of a Git history",
    }
)
"Forms of other tools, with what a report calls them."
ENDINGS = (".md", ".markdown")
"Files of a directory that are read."

Progress = Callable[[int], None]


@dataclass(frozen=True, slots=True)
class Wanted:
    """How something is to be imported."""

    form: str | None = None
    "One of `FORMS`; None to read it from the content."
    project: str | None = None
    "Where records go that name no project, when somebody said so."
    session_project: str | None = None
    "Where texts of other tools go otherwise: they name no project at all."
    choice: Choice = field(default_factory=Choice)
    dry_run: bool = False
    progress: Progress | None = None


def import_path(library: Library, path: Path, wanted: Wanted) -> Report:
    """Import a file, a directory, or the history of a repository, all or nothing.

    Raises:
        CallerError: it is of no known form, damaged, or contradicts what is stored.
        OperatorError: it cannot be read.
    """
    if wanted.form == reverts.FORM:
        return _stored(library, [_history(path, _project(wanted))], wanted)
    if path.is_dir():
        texts = [_text(one, path) for one in _files(path)]
        return _stored(library, _by_form(texts, path, wanted), wanted)
    return import_data(library, _bytes(path), path, wanted)


def import_data(library: Library, data: bytes, path: Path | None, wanted: Wanted) -> Report:
    """Import the content of a file; *path* is None for standard input.

    Raises:
        CallerError: as `import_path`.
    """
    text = None if data.startswith(MAGIC) else _decoded(data)
    name = path.name if path else "standard input"
    form = wanted.form or (text is not None and form_of(text)) or None
    if form is None:
        return import_file(
            library,
            data,
            path,
            project=wanted.project,
            choice=wanted.choice,
            dry_run=wanted.dry_run,
            progress=wanted.progress,
        )
    if text is None:
        raise ImportFileError(f"{name} is not UTF-8 text, so it cannot be read as {form}.")
    readings = _readings(form, [Text(name, text)], _project(wanted))
    return _stored(library, readings, wanted)


def form_of(text: str) -> Form | None:
    """Return the form of another tool that a text has; None when it has none of them.

    >>> form_of('{"kind": "fact"}')
    """
    bare = text.lstrip("\ufeff \t\r\n")
    if bare.startswith(("{", "[")):
        return "memory-json" if graphs.is_graph(bare) else None
    if decisions.is_decision(text):
        return "adr"
    return "basic-memory" if notes.is_note(text) else None


def _project(wanted: Wanted) -> str:
    return wanted.project or wanted.session_project or FALLBACK_PROJECT


def _readings(form: str, texts: Sequence[Text], project: str) -> list[Reading]:
    for text in texts:
        size = len(text.content.encode())
        if form != graphs.FORM and size > FIELD_BYTES:
            raise ImportFileError(
                f"{text.name} has {size:,} bytes; one text may have {FIELD_BYTES:,}."
            )
    if form == graphs.FORM:
        return [graphs.read_graph(text, project) for text in texts]
    if form == decisions.FORM:
        return [decisions.read_decisions(texts, project)]
    if form == notes.FORM:
        return [notes.read_notes(texts, project)]
    raise InvalidInputError(
        f"{form!r} cannot be read from a file.",
        hint=f"Forms are {', '.join(FORMS)}; git-reverts takes the directory of a repository.",
    )


def _by_form(texts: Sequence[Text], path: Path, wanted: Wanted) -> list[Reading]:
    """Read the texts of a directory, each in its form; others are noted."""
    groups: dict[str, list[Text]] = {}
    for text in texts:
        groups.setdefault(wanted.form or form_of(text.content) or "", []).append(text)
    others = groups.pop("", [])
    if not groups:
        raise InvalidInputError(
            f"{path} is a directory and holds no Markdown that is a decision record or a note of basic-memory"
            f" ({len(texts):,} looked at).",
            hint="Name the form with --from, one of " + ", ".join(FORMS) + ".",
        )
    found = [
        reading
        for form in sorted(groups)
        for reading in _readings(form, groups[form], _project(wanted))
    ]
    for text in others:
        found[0].say("odd", "a file of no known form was left out", text.name)
    return found


def _files(path: Path) -> Iterator[Path]:
    """Yield the Markdown files below a directory, in order; hidden ones are left out."""
    for root, folders, names in os.walk(path, onerror=_unreadable):
        folders[:] = sorted(one for one in folders if not one.startswith("."))
        for name in sorted(names):
            if name.casefold().endswith(ENDINGS) and not name.startswith("."):
                yield Path(root) / name


def _unreadable(error: OSError) -> None:
    raise InvalidInputError(f"{error.filename} cannot be read: {error.strerror}.")


def _text(file: Path, root: Path) -> Text:
    name = file.relative_to(root).as_posix()
    content = _decoded(_bytes(file))
    if content is None:
        raise ImportFileError(f"{name} is not UTF-8 text.")
    return Text(name, content)


def _bytes(file: Path) -> bytes:
    """Return what is in a file; a device or a pipe would never end."""
    try:
        if not file.is_file():
            what = "is no file" if file.exists() else "does not exist"
            raise InvalidInputError(f"{file} {what}.")
        return file.read_bytes()
    except OSError as error:
        raise InvalidInputError(f"{file} cannot be read: {error.strerror}.") from error


def _decoded(data: bytes) -> str | None:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _history(path: Path, project: str) -> Reading:
    """Ask git for reverts and what they reverted."""
    root = checkout.root_of(path)
    if root is None:
        raise ImportFileError(
            f"{path} is in no Git repository, or git is not installed.",
            hint="Name the directory of a checkout.",
        )
    told = checkout.messages(root, reverts.PATTERNS)
    if told is None:
        raise ImportFileError(f"{root} has no commit yet.")
    found = reverts.commits(told)
    targets = _targets(root, found)
    hashes = list(dict.fromkeys(one for named in targets.values() for one in named))
    full = [one for one in hashes if len(one) in (40, 64)]
    there = list(dict.fromkeys(checkout.resolved(root, full).values()))
    others = {one.hash: one for one in reverts.commits(checkout.messages_of(root, there))}
    files = checkout.files_of(root, there)
    history = reverts.History(found, targets, others, files)
    return reverts.read_reverts(history, project, root.name)


def _targets(root: Path, found: Sequence[reverts.Commit]) -> dict[str, list[str]]:
    """Return what each revert takes back, by its hash or else by its subject."""
    named = {one.hash: reverts.reverted(one) for one in found}
    full = checkout.resolved(root, list(dict.fromkeys(_every(named.values()))))
    targets = {
        hash_: [full.get(name, name) for name in names] for hash_, names in named.items()
    }
    bare = [one for one in found if not named[one.hash] and reverts.subject_of(one)]
    if bare:
        targets |= _by_subject(checkout.subjects(root), bare)
    return targets


def _every(lists: Iterable[list[str]]) -> Iterator[str]:
    for one in lists:
        yield from one


def _by_subject(
    listed: Sequence[tuple[str, str]], bare: Sequence[reverts.Commit]
) -> dict[str, list[str]]:
    """Return the nearest earlier commit with the subject that each revert names."""
    places: dict[str, list[int]] = {}
    position = {}
    for number, (hash_, subject) in enumerate(listed):
        places.setdefault(subject, []).append(number)
        position[hash_] = number
    found = {}
    for one in bare:
        own = position.get(one.hash, 0)
        wanted = places.get(reverts.subject_of(one) or "", [])
        older = next((number for number in wanted if number > own), None)
        found[one.hash] = [] if older is None else [listed[older][0]]
    return found


def _stored(library: Library, readings: Sequence[Reading], wanted: Wanted) -> Report:
    """Store what was read and report on it."""
    records = [pair for reading in readings for pair in reading.records]
    try:
        done = import_lines(
            library,
            [json.dumps(body, ensure_ascii=True) for _, body in records],
            project=_project(wanted),
            keep=wanted.choice.keep,
            replace=wanted.choice.replace,
            dry_run=wanted.dry_run,
            progress=wanted.progress,
        )
    except ImportLineError as error:
        raise _placed(error, records) from error
    report = Report(
        " and ".join(dict.fromkeys(FORMS[reading.form] for reading in readings)),
        fallback=_project(wanted),
        dry_run=wanted.dry_run,
        read=len(records),
        imported=done.imported,
        unchanged=done.unchanged,
        left=done.left,
        replaced=done.replaced,
        cleaned=done.cleaned,
        masked=done.masked,
        counts=done.counts,
        owners=done.owners,
    )
    for reading in readings:
        for said in reading.notes:
            report.note(said.sort, said.what, said.where)
    return report


def _placed(
    error: ImportLineError, records: Sequence[tuple[str, object]]
) -> ImportFileError:
    """Return an error of a line as one of the place that its record came from."""
    told = error.message.removeprefix(f"line {error.line}: ")
    return ImportFileError(
        f"{records[error.line - 1][0]}: {told}",
        hint="Nothing was imported. Pass --keep to leave what is stored, or --replace to"
        " store what was read.",
    )
