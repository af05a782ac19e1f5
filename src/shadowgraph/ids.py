"""Identifiers: `<kind>_<ULID in lower case>`.

A ULID starts with its time in milliseconds, so new ids sort after old ones and land at
the end of every B-tree they are in: a write never costs more because the store is larger.
Foreign ids are kept on import; only their length and characters are checked.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

FOREIGN_ID = re.compile(r"[^\s\x00-\x1f]{1,200}\Z")
"What an imported id may look like: 1 to 200 characters without white space."


def new_id(kind: str) -> str:
    """Return a fresh id for a record of this *kind*.

    >>> new_id("attempt").startswith("attempt_")
    True
    """
    # Imported here: 20 ms that a command which only reads need not pay.
    from ulid import ULID  # noqa: PLC0415

    return f"{kind}_{str(ULID()).lower()}"


def content_id(kind: str, body: Mapping[str, Any]) -> str:
    """Return an id made from a record's content: the same content, the same id.

    >>> content_id("fact", {"key": "a"}) == content_id("fact", {"key": "a"})
    True
    """
    text = json.dumps(body, sort_keys=True, ensure_ascii=True)
    return f"{kind}_{hashlib.sha256(text.encode()).hexdigest()[:26]}"


def is_id(text: str) -> bool:
    """Say whether *text* can be an id of ours or of another tool.

    >>> is_id("attempt_wal-on-nfs"), is_id("two words")
    (True, False)
    """
    return FOREIGN_ID.match(text) is not None
