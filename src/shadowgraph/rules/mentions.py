"""Mentions: the places in a record that name another record by its id.

A purge erases records, and with them every mention of them in others. Which members hold
ids, and what is left when one is gone, is decided here, from values alone: an item of a
list goes, a member that held one id goes, and a text that quotes an id says `[purged]` in
its place.

An id made here or by upstream, a word with a ULID or a UUID, is recognised wherever it
stands. Any other id, an imported `adr-7` or `redis`, may be an ordinary word, so only the
members of `HOLDING` are searched for it. The members a record is identified by are never
changed. The invariant: `without` gives a body in which `mentions` finds nothing, and it
gives the very same body when there was nothing.

What an imported store held verbatim goes as a whole when it is about a record that went.
A relation or a signal is nothing without what it names; the two go by their own rules.

Who is asked to forget, and how the journal tells of it, is in `store.purge`.
"""

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

PURGED: Final = "[purged]"
"What stands in a text in place of an id that was purged."
HOLDING: Final = frozenset(
    {
        "alternativeId", "attemptId", "contradictedBy", "decisionId", "entityId", "evidence",
        "evidenceId", "evidenceIds", "factId", "failedAttempts", "memoryId", "recordId",
        "relatedTo", "relationId", "retractedWith", "reviewSignalId", "supersededBy",
        "supersedes", "taskId", "triggeredBy",
    }
)  # fmt: skip
"Members whose texts are ids, alone, in a list, or as the `id` of an object in a list."
_ENDS: Final = frozenset({"id", "ids", "from", "to"})
"Further members that hold ids in what an imported store held verbatim."
_OWN: Final = frozenset({"id", "kind", "project", "originId", "attribution"})
"Members at the top of a body that say which record it is."
_MADE: Final = re.compile(
    r"[A-Za-z][A-Za-z-]*_(?:[0-9a-hjkmnp-tv-z]{26}"
    r"|[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12})(?![0-9A-Za-z])"
)
_GONE: Final = object()


def mentions(body: Mapping[str, Any], gone: Collection[str]) -> bool:
    """Say whether a record names one of the ids that are *gone*.

    >>> mentions({"id": "a", "relatedTo": ["b"]}, {"b"}), mentions({"id": "a"}, {"a"})
    (True, False)
    """
    return without(body, gone) is not body


def without(body: Mapping[str, Any], gone: Collection[str]) -> Mapping[str, Any]:
    """Return a body that names none of the ids that are *gone*.

    >>> without({"id": "a", "relatedTo": ["b", "c"], "supersededBy": "b"}, {"b"})
    {'id': 'a', 'relatedTo': ['c']}
    """
    made: dict[str, Any] = {}
    changed = False
    for name, value in body.items():
        left = value if name in _OWN else _left(name, value, gone)
        changed = changed or left is not value
        if left is not _GONE:
            made[name] = left
    return made if changed else body


def is_about(value: Any, gone: Collection[str], name: str = "") -> bool:
    """Say whether what an imported store held verbatim names a record that is gone.

    It goes as a whole then: a journal entry or an event of that store repeats the record.

    >>> is_about({"entityId": "adr-7", "after": {}}, {"adr-7"}), is_about("x", {"adr-7"})
    (True, False)
    """
    if isinstance(value, Mapping):
        return any(is_about(item, gone, key) for key, item in value.items())
    if isinstance(value, list):
        return any(is_about(item, gone, name) for item in value)
    if not isinstance(value, str):
        return False
    holds = name in HOLDING or name in _ENDS or name.endswith(("Id", "Ids"))
    return (holds and value in gone) or _text(value, gone) is not value


def _left(name: str, value: Any, gone: Collection[str]) -> Any:
    """Return what is left of the member *name*; the same object when nothing went."""
    if isinstance(value, str):
        return _GONE if name in HOLDING and value in gone else _text(value, gone)
    if isinstance(value, Mapping):
        return _object(value, gone)
    if isinstance(value, list):
        return _items(name, value, gone)
    return value


def _object(value: Mapping[str, Any], gone: Collection[str]) -> Any:
    kept = {name: _left(name, item, gone) for name, item in value.items()}
    made = {_text(n, gone): item for n, item in kept.items() if item is not _GONE}
    same = len(made) == len(value) and all(
        name in made and made[name] is item for name, item in value.items()
    )
    return value if same else made


def _items(name: str, value: list[Any], gone: Collection[str]) -> Any:
    kept = [
        _GONE if name in HOLDING and _is_of(item, gone) else _left(name, item, gone)
        for item in value
    ]
    made = [item for item in kept if item is not _GONE]
    if len(made) == len(value) and all(a is b for a, b in zip(made, value, strict=True)):
        return value
    return made


def _is_of(item: Any, gone: Collection[str]) -> bool:
    """Say whether an item of a list of ids is, by its id, one that is gone."""
    return (
        isinstance(item, Mapping)
        and isinstance(item.get("id"), str)
        and (item["id"] in gone)
    )


def _text(text: str, gone: Collection[str]) -> str:
    """Return a text that quotes no id that is gone; the same object when none stood there."""
    if "_" not in text or not any(one[0] in gone for one in _MADE.finditer(text)):
        return text
    return _MADE.sub(lambda one: PURGED if one[0] in gone else one[0], text)
