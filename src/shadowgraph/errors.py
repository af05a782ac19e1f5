"""Every error a caller of shadowgraph can meet, in one tree split by who can act.

```
ShadowgraphError
├─ CallerError
│  ├─ InvalidInputError
│  │  └─ UnknownArgumentError
│  ├─ UnknownOperationError
│  ├─ UnknownRecordError
│  ├─ IllegalTransitionError
│  ├─ ScopeUnresolvedError
│  ├─ ConflictError
│  ├─ ImportLineError
│  ├─ ImportFileError
│  ├─ BackupInvalidError
│  └─ HostFileError
├─ OperatorError
│  ├─ LockedError
│  ├─ HomeNotWritableError
│  ├─ DiskFullError
│  ├─ StoreTooNewError
│  ├─ NotConfiguredError
│  └─ DefinitionError
└─ DamageError
   ├─ StoreDamagedError
   └─ IndexDamagedError
```

A `CallerError` can be mended by changing the call, an `OperatorError` by somebody
running a command, a `DamageError` says that what is on disk is not what was written.
Callers branch on the class or on its `code`, never on the text.
Each message says what was wrong and what would be right; `hint` says what to do next.
Bugs are not in the tree: they stay ordinary Python exceptions and end in a traceback.
Foreign errors (SQLite, Tantivy) are translated at their one door, `from` the original.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar


class ShadowgraphError(Exception):
    """Base of everything shadowgraph raises on purpose."""

    code: ClassVar[str] = "error"
    "Stable kebab-case name on the wire and in scripts."
    exit_status: ClassVar[int] = 1
    "Exit status of the command line."
    default_hint: ClassVar[str] = ""
    "What to do next when the place that raised knows nothing better."

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        details: Mapping[str, object] | None = None,
    ) -> None:
        """Keep the *message*, the next step and machine-readable *details*."""
        super().__init__(message)
        self.message = message
        self.hint = self.default_hint if hint is None else hint
        self.details: dict[str, object] = dict(details or {})

    def text(self) -> str:
        """Return code, sentence and next step as one line for a person or a model."""
        tail = f" {self.hint}" if self.hint else ""
        return f"{self.code}: {self.message}{tail}"


class CallerError(ShadowgraphError):
    """The call can be fixed by whoever made it."""

    code = "caller-error"
    exit_status = 2


class InvalidInputError(CallerError):
    """An argument is missing, empty, of the wrong type or out of range."""

    code = "invalid-input"


class UnknownArgumentError(InvalidInputError):
    """An argument that the operation does not have."""

    code = "unknown-argument"


class UnknownOperationError(CallerError):
    """No operation has this name."""

    code = "unknown-operation"


class UnknownRecordError(CallerError):
    """No record in the scope has this id; a foreign record reads exactly alike."""

    code = "unknown-record"
    default_hint = "Search for it with shadowgraph_search and use the id it returns."


class IllegalTransitionError(CallerError):
    """A lifecycle move that the table does not have, or that only the system may make."""

    code = "illegal-transition"


class ScopeUnresolvedError(CallerError):
    """A write by id in a session that names no project."""

    code = "write-scope-unresolved"
    default_hint = "Pass project (shadowgraph_projects lists the names)."


class ConflictError(CallerError):
    """The call contradicts what is stored: a reused key, an id taken, an older value."""

    code = "conflict"


class ImportLineError(CallerError):
    """One line of an import file cannot be stored; nothing of the file was."""

    code = "import-line"

    def __init__(self, message: str, *, line: int, hint: str | None = None) -> None:
        """Name the *line*, counted from 1."""
        super().__init__(
            f"line {line}: {message}",
            hint="Nothing was imported. Correct the line and run the import again."
            if hint is None
            else hint,
            details={"line": line},
        )
        self.line = line


class ImportFileError(CallerError):
    """An import file is damaged, of no known form, or holds what cannot be stored."""

    code = "import-file"
    default_hint = "Nothing was imported. Correct the file and run the import again."


class BackupInvalidError(CallerError):
    """A file is no backup, or not what was written; nothing was replaced."""

    code = "backup-invalid"
    default_hint = "Nothing was replaced. Restore from another backup."


class HostFileError(CallerError):
    """A settings file of a host cannot be edited safely; it is left as it is."""

    code = "host-file"
    default_hint = "Nothing was written. Correct the file by hand, then run it again."


class OperatorError(ShadowgraphError):
    """Somebody has to run a command or free a resource."""

    code = "operator-error"
    exit_status = 3


class LockedError(OperatorError):
    """Another process kept the store or the index for longer than the deadline."""

    code = "locked"
    default_hint = "Nothing was written. Try the same call again."


class HomeNotWritableError(OperatorError):
    """The home directory or a file in it cannot be written or created."""

    code = "home-not-writable"
    default_hint = (
        "Make it writable for this user, or name another with --home or SHADOWGRAPH_HOME."
    )


class DiskFullError(OperatorError):
    """The file system has no room; the store is as it was before the call."""

    code = "disk-full"
    default_hint = "Nothing was written. Free space and try again."


class StoreTooNewError(OperatorError):
    """The store was written by a newer version; it is left untouched."""

    code = "store-too-new"
    default_hint = "Upgrade shadowgraph, or open another home."


class NotConfiguredError(OperatorError):
    """What the call needs was not set up in this home."""

    code = "not-configured"


class DefinitionError(OperatorError):
    """The index definition contradicts itself; the message names the file."""

    code = "definition-invalid"


class DamageError(ShadowgraphError):
    """What is on disk is not what was written."""

    code = "damage"
    exit_status = 4


class StoreDamagedError(DamageError):
    """The SQLite file is not a sound shadowgraph store; it is not overwritten."""

    code = "store-damaged"
    default_hint = (
        "The file was left as it is. Move it aside and restore an export or a backup."
    )


class IndexDamagedError(DamageError):
    """The index directory cannot be read; it is derived and can be built again."""

    code = "index-damaged"
    default_hint = "Run: shadowgraph reindex"


def nearest(word: str, known: Sequence[str], most: int = 3) -> list[str]:
    """Return up to *most* of the *known* names that look like *word*, best first.

    >>> nearest("enviroment", ["environment", "reason", "result"])
    ['environment']
    """
    # Imported here: difflib is needed only when something already went wrong.
    from difflib import get_close_matches  # noqa: PLC0415

    folded = {name.casefold(): name for name in known}
    close = get_close_matches(word.casefold(), list(folded), n=most, cutoff=0.6)
    return [folded[name] for name in close]
