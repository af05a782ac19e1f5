"""What makes a bundle one that may be read: its digest, its ids, its paths, its texts.

A bundle comes from somebody else, so it is read by the letter: no key twice, no NaN, no text
that the store would clean, no path that leads out, no digest that does not fit. The digest
covers everything but itself and the time of the export, so exporting the same task twice
gives the same digest. It proves that the file is whole, not who wrote it.
Bundles of the upstream tool are read as well, put into our shape after their digest fits.
"""

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from shadowgraph.errors import InvalidInputError
from shadowgraph.ids import is_id
from shadowgraph.model.bundles import CHECKPOINT_BYTES, KIND, MOST_BYTES, Bundle
from shadowgraph.model.findings import sentence
from shadowgraph.model.text import clean_json
from shadowgraph.rules.paths import relative

UPSTREAM_KIND: Final = "agentpack.task-bundle"
"What the upstream tool calls its bundles."
_PREFIX: Final = "sha256:"
OUTSIDE: Final = ("bundleId", "exportedAt")
"Members that the digest does not cover."


def digest_of(bundle: Mapping[str, Any]) -> str:
    """Return the digest of a bundle in wire shape.

    >>> digest_of({"exportedAt": "now", "kind": "k"}) == digest_of({"kind": "k"})
    True
    """
    covered = {key: value for key, value in bundle.items() if key not in OUTSIDE}
    return f"{_PREFIX}{text_digest(canonical(covered))}"


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()


def canonical(value: object) -> str:
    """Return *value* as JSON with sorted keys and no white space."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def read(data: bytes) -> Bundle:
    """Return the bundle that *data* writes.

    Raises:
        InvalidInputError: it is no bundle, or one that may not be read.
    """
    if len(data) > MOST_BYTES:
        raise _refused(f"It has more than {MOST_BYTES:,} bytes.")
    raw = _parsed(data)
    if not _fits(raw):
        raise _refused("Its digest does not fit; it was changed or cut.")
    known = translated(raw) if raw.get("kind") == UPSTREAM_KIND else raw
    try:
        bundle = Bundle.model_validate_json(json.dumps(known))
    except ValidationError as error:
        told = " ".join(map(sentence, error.errors(include_url=False)[:3]))
        raise _refused(told) from error
    problem = next(_problems(bundle), None)
    if problem:
        raise _refused(problem)
    return bundle


def _fits(raw: Mapping[str, Any]) -> bool:
    """Return whether a bundle has the digest that it says; upstream may leave `sha256:`."""
    said = raw.get("bundleId")
    if not isinstance(said, str):
        # What is missing is told by the shape.
        return True
    return digest_of(raw).removeprefix(_PREFIX) == said.removeprefix(_PREFIX)


def translated(raw: Mapping[str, Any]) -> dict[str, Any]:
    """Return an upstream bundle in our shape; it holds neither decisions nor dead ends.

    What has no place in ours is left out: the remote of the repository. What is not as
    upstream writes it is left as it came, for the shape to refuse.
    """
    if not all(isinstance(raw.get(name), Mapping) for name in ("task", "origin")):
        return {**raw, "kind": KIND}
    task, origin = dict(raw["task"]), raw["origin"]
    verdict = task.pop("originVerification", task.pop("originalVerification", {}))
    made = {
        **raw,
        "kind": KIND,
        "bundleId": _PREFIX + str(raw.get("bundleId")).removeprefix(_PREFIX),
        "origin": {name: origin.get(name) for name in ("projectName", "branch", "head")},
        "task": {"originalStatus": "", **task, "originalVerification": verdict},
        "evidence": [_evidence(one) for one in raw.get("evidence") or ()],
        "decisions": [],
        "deadEnds": [],
    }
    checkpoint = raw.get("checkpoint")
    if isinstance(checkpoint, Mapping):
        made["checkpoint"] = _checkpoint(checkpoint)
    return {name: value for name, value in made.items() if value is not None}


def _evidence(one: Any) -> Any:
    if not isinstance(one, Mapping):
        return one
    command, digest = one.get("command"), str(one.get("contentDigest"))
    return {
        "summary": f"{one.get('kind')}: {command or one.get('originId')}",
        "exitCode": None,
        **one,
        "command": command or "",
        "contentDigest": digest.removeprefix(_PREFIX),
    }


def _checkpoint(held: Mapping[str, Any]) -> dict[str, Any]:
    git = held.get("git")
    return {
        "id": held.get("id") or held.get("checkpointId"),
        "createdAt": held.get("createdAt") or held.get("time") or "",
        "summary": held.get("summary") or "",
        "git": git if isinstance(git, Mapping) else {},
        "truncated": bool(held.get("truncated")),
    }


def _refused(why: str) -> InvalidInputError:
    return InvalidInputError(
        f"The bundle cannot be read. {why}",
        hint="Have it exported again; change nothing in it.",
    )


def _parsed(data: bytes) -> dict[str, Any]:
    try:
        raw = json.loads(
            data.decode("utf-8"),
            parse_constant=_no_constant,
            object_pairs_hook=_each_once,
        )
        cleaned, removed = clean_json(raw)
    except (ValueError, RecursionError) as error:
        raise _refused(f"It is no JSON that can be stored: {error}.") from error
    if removed:
        raise _refused(f"{next(iter(removed))} holds characters that cannot be stored.")
    if not isinstance(cleaned, dict):
        raise _refused("It is no object.")
    return cleaned


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    held = dict(pairs)
    if len(held) != len(pairs):
        raise ValueError("a name stands twice in one object")
    return held


def _problems(bundle: Bundle) -> Iterator[str]:
    """Yield what is wrong beyond the shape."""
    yield from _bad_ids(bundle)
    yield from _bad_paths(bundle)
    for item in bundle.evidence:
        if text_digest(item.content) != item.content_digest:
            yield f"The content of evidence {item.origin_id} does not fit its digest."
    if bundle.checkpoint is not None:
        size = len(canonical(bundle.checkpoint.model_dump(by_alias=True)).encode())
        if size > CHECKPOINT_BYTES:
            yield f"The checkpoint has more than {CHECKPOINT_BYTES:,} bytes."


def _bad_ids(bundle: Bundle) -> Iterator[str]:
    ids = [bundle.task.id, *(one.origin_id for one in bundle.evidence)]
    ids += [one.origin_id for one in bundle.decisions]
    ids += [one.origin_id for one in bundle.dead_ends]
    ids += [bundle.checkpoint.id] if bundle.checkpoint else []
    yield from (f"{one[:40]!r} is no id." for one in ids if not is_id(one))
    if len(set(ids)) != len(ids):
        yield "An id stands twice."


def _bad_paths(bundle: Bundle) -> Iterator[str]:
    paths = [source.path for source in bundle.sources]
    if len(set(paths)) != len(paths):
        yield "A source stands twice."
    named = [file.path for one in bundle.decisions for file in one.files]
    named += [file.path for one in bundle.dead_ends for file in one.files]
    for path in (*paths, *named, *bundle.task.write_scope):
        if not _is_plain(path):
            yield f"{path[:80]!r} is no path inside a checkout."


def _is_plain(path: str) -> bool:
    try:
        return relative(path) == path
    except InvalidInputError:
        return False
