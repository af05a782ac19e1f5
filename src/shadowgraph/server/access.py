"""The token with which clients come in over HTTP, and where it is kept.

The file `token` of a home, readable by its owner alone, or `SHADOWGRAPH_TOKEN`, which wins.
A token is made only when somebody asks for one. It is compared by digest and in constant
time, so an answer's time tells nothing of it. This module imports no part of the SDK: the
command line prints a token without it. Who is asked for a token, `guard` decides.
"""

import hashlib
import hmac
import os
import secrets
import stat
from pathlib import Path

from shadowgraph.errors import HomeNotWritableError, NotConfiguredError

NAME = "token"
"File of the token, in the home."
SHORTEST = 16
"Characters that a token has at least: a shorter one can be guessed."


def kept(home: Path) -> str | None:
    """Return the token of a home; None when it has none.

    Raises:
        NotConfiguredError: the file is readable by others, or holds no token.
    """
    path = home / NAME
    try:
        mode = path.stat().st_mode
        text = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError:
        return None
    except (OSError, UnicodeDecodeError) as error:
        raise NotConfiguredError(f"{path} cannot be read: {error}.") from error
    if os.name == "posix" and stat.S_IMODE(mode) & 0o077:
        raise NotConfiguredError(
            f"{path} can be read by others.",
            hint="Others may know it: run `shadowgraph token --rotate`.",
        )
    return sound(text, str(path))


def sound(token: str, place: str) -> str:
    """Return the token when it is one; *place* says where it stands.

    Raises:
        NotConfiguredError: it is too short, or holds what no header can carry.
    """
    if len(token) < SHORTEST or not token.isascii() or not token.isprintable():
        raise NotConfiguredError(
            f"{place} holds no token of at least {SHORTEST} plain characters.",
            hint="Run `shadowgraph token --rotate` for a new one in the home.",
        )
    return token


def renew(home: Path) -> str:
    """Put a new token in place of the home's, and return it.

    Raises:
        HomeNotWritableError: the file cannot be written.
    """
    token, path = secrets.token_urlsafe(32), home / NAME
    part = home / f"{NAME}.{secrets.token_hex(4)}.part"
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "w", encoding="utf-8") as out:
            out.write(token + "\n")
        part.replace(path)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise HomeNotWritableError(f"{path} cannot be written: {error}.") from error
    return token


def same(given: str, token: str) -> bool:
    """Return whether two tokens are the same, in a time that does not depend on where not."""
    return hmac.compare_digest(_digest(given), _digest(token))


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).digest()
