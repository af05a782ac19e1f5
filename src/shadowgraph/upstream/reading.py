"""From a file to an `Envelope`: which of the forms it is, by its first bytes."""

from pathlib import Path

from shadowgraph.errors import ImportFileError
from shadowgraph.store.foreign import MAGIC
from shadowgraph.upstream.envelope import Envelope, read_json
from shadowgraph.upstream.tables import read_sqlite


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
