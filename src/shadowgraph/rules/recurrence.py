"""By what two failures are the same one, and by what two commands are.

A failure that comes again is counted, not recorded again. It is the same one when the same
program names the same errors, whatever changes from run to run (`rules.signature`). Where
the error says little, fewer than four words, the whole command and the exit status must be
the same as well, because "failed" alone would make one of everything.

A command is the same one when its words are, whatever white space is between them. Both
identities are digests; they are made from masked texts, so that no secret can be guessed
from them.
"""

import hashlib
from typing import Final

from shadowgraph.rules.signature import error_lines, words_of

TELLING: Final = 4
"Words of an error message from which on it identifies a failure."
_MOST: Final = 3
"Errors of one output that identify it; the last ones say what happened."


def command_identity(command: str) -> str:
    """Return the digest of a command's words.

    >>> command_identity("npm  ci") == command_identity("npm ci ")
    True
    """
    return _digest("command", " ".join(command.split()))


def failure_identity(program: str, command: str, status: int, output: str) -> str:
    """Return the digest that a failure of *program* has each time it happens.

    >>> first = failure_identity("pip", "pip install a", 1, "Error: no wheel for a in 3 s")
    >>> first == failure_identity("pip", "pip install -q a", 2, "Error: no wheel for a in 9 s")
    True
    """
    found = error_lines(output)[-_MOST:]
    errors = [" ".join((line.type, *line.words)) for line in found]
    if any(len(line.words) >= TELLING for line in found):
        return _digest("failure", program, *errors)
    return _digest(
        "failure", " ".join(command.split()), str(status), *errors, *_last(output)
    )


def _last(output: str) -> tuple[str, ...]:
    """Return the words of the last line that has any."""
    for line in reversed(output.splitlines()):
        words = words_of(line)
        if words:
            return words
    return ()


def _digest(*parts: str) -> str:
    return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:32]
