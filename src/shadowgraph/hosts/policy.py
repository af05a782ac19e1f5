"""Reading the capture policy: the packaged file, or the one in a home.

Which failed commands are kept is data (`capture.toml` beside this module); a file of the
same name in the home replaces it whole. What the data means is in `rules.capturing`.
"""

import tomllib
from functools import lru_cache
from pathlib import Path
from typing import Final

from shadowgraph.errors import InvalidInputError
from shadowgraph.rules.capturing import Policy

FILE_NAME: Final = "capture.toml"
PACKAGED: Final = Path(__file__).with_name(FILE_NAME)


@lru_cache(maxsize=1)
def packaged() -> Policy:
    """Return the policy that the package brings."""
    return read(PACKAGED)


def policy_of(home: Path) -> Policy:
    """Return the policy that counts for a home."""
    own = home / FILE_NAME
    return read(own) if own.is_file() else packaged()


def read(file: Path) -> Policy:
    """Read a policy.

    Raises:
        InvalidInputError: the file is no policy.
    """
    try:
        return Policy.read(tomllib.loads(file.read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError, AttributeError) as error:
        raise InvalidInputError(
            f"{file} is no capture policy: {error}.",
            hint="Compare it with the packaged one, or remove it.",
        ) from error
