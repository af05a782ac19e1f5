"""One way in for every file: the form is read from the content, then imported.

JSON Lines go to `shadowgraph.exchange`, every form of an upstream store to `importing`.
Both answer with the same report.
"""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

from shadowgraph.errors import ImportFileError, ImportLineError, InvalidInputError
from shadowgraph.exchange import import_lines
from shadowgraph.library import Library
from shadowgraph.model.scope import FALLBACK_PROJECT
from shadowgraph.rules.proof import NOTE
from shadowgraph.store.foreign import MAGIC
from shadowgraph.upstream.envelope import Envelope, is_lines, read_json
from shadowgraph.upstream.importing import Choice, import_store
from shadowgraph.upstream.report import Report
from shadowgraph.upstream.tables import read_sqlite

LINES = "JSON Lines"
"What a report calls our own form."


def import_file(
    library: Library,
    data: bytes,
    path: Path | None,
    *,
    project: str | None = None,
    choice: Choice | None = None,
    dry_run: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Report:
    """Import *data*, the content of *path* (None for standard input), all or nothing.

    Raises:
        CallerError: the file is damaged, of no known form, or contradicts what is stored.
        DamageError: it is a damaged SQLite file.
        StoreTooNewError: its schema is newer than this version knows.
    """
    chosen = choice or Choice()
    if not is_lines(data):
        return import_store(
            library,
            read_store(data, path),
            project=project,
            choice=chosen,
            dry_run=dry_run,
            progress=progress,
        )
    if chosen.replace:
        raise InvalidInputError(
            "replace works with the store of another tool; this file is JSON Lines.",
            hint="Leave it out, or pass keep to leave known ids as they are stored.",
        )
    done = import_lines(
        library,
        _lines(data),
        project=project,
        keep=chosen.keep,
        dry_run=dry_run,
        progress=progress,
    )
    report = Report(
        LINES,
        fallback=FALLBACK_PROJECT if project is None else project,
        dry_run=dry_run,
        read=done.imported + done.unchanged + done.left + done.replaced,
        imported=done.imported,
        unchanged=done.unchanged,
        left=done.left,
        replaced=done.replaced,
        cleaned=done.cleaned,
        masked=done.masked,
        counts=done.counts,
        owners=done.owners,
    )
    for record_id in done.unproven:
        report.note("odd", NOTE, record_id)
    return report


def read_store(data: bytes, path: Path | None) -> Envelope:
    """Return the store in *data*, the content of *path*; None for standard input.

    Raises:
        ImportFileError: it is none of the forms.
        StoreDamagedError: it is a damaged SQLite file.
        StoreTooNewError: its schema is newer than this version knows.
    """
    if not data.startswith(MAGIC):
        return read_json(data)
    if path is None:
        raise ImportFileError(
            "SQLite cannot be read from standard input.",
            hint="Give the path of the file.",
        )
    return read_sqlite(path)


def _lines(data: bytes) -> Iterator[str]:
    for number, line in enumerate(io.BytesIO(data), start=1):
        try:
            yield line.decode("utf-8")
        except UnicodeDecodeError as error:
            raise ImportLineError("the line is not UTF-8.", line=number) from error
