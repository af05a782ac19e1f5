"""Calling an operation with whatever a client sent.

Models are liberal callers: they send null for absent, a number for a text, one text for a
list, a list as JSON text, `Failed` for `failed`. All of that is understood here, once, from
the request's own schema. What is not understood is refused with the nearest name; nothing
is dropped silently. NUL and lone surrogates are taken out, credentials in what a write
stores are masked, and the reply says so. Arguments of reads are used as they come: whoever
looks for a leaked token must be able to find it.
"""

import errno
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import Any

from pydantic import BaseModel, ValidationError

from shadowgraph.errors import (
    InvalidInputError,
    UnknownArgumentError,
    UnknownOperationError,
    nearest,
)
from shadowgraph.library import Library
from shadowgraph.masking import mask_json
from shadowgraph.model.findings import path_of, sentence
from shadowgraph.model.text import FIELD_BYTES, clean, clean_json, oversized
from shadowgraph.operations.caller import Caller
from shadowgraph.operations.inputs import IGNORED
from shadowgraph.operations.registry import REGISTRY, Operation, Reply
from shadowgraph.operations.schemas import input_schema
from shadowgraph.store import of_one_state

# An empty text is refused here and means "absent" everywhere else.
_NEVER_EMPTY = frozenset({"project"})
MOST_COUNTED = 2**63 - 1
"SQLite's integers have 64 bits."
_TRUE, _FALSE = ("true", "yes", "1", "on"), ("false", "no", "0", "off")


def invoke(
    library: Library, name: str, arguments: Mapping[str, Any] | None, caller: Caller
) -> Reply:
    """Run the operation *name* and return its reply.

    Raises:
        UnknownOperationError: there is no such operation.
        InvalidInputError: an argument is missing, unknown, or not what it should be.
    """
    operation = REGISTRY.get(name)
    if operation is None:
        close = nearest(name, list(REGISTRY))
        raise UnknownOperationError(
            f"There is no operation {name!r}.",
            hint=f"Nearest: {', '.join(close)}." if close else "See: shadowgraph call",
        )
    mask = not (operation.read_only or library.keep_secrets)
    request, told = read_request(operation, arguments or {}, mask=mask)
    with _paths():
        if operation.read_only:
            run = partial(operation.run, library, request, caller)
            return of_one_state(library.store, run) | told
        return operation.run(library, request, caller) | told


@contextmanager
def _paths() -> Iterator[None]:
    """Say in words that an argument is no path of this system.

    Looking at such a path fails wherever it is looked at, and it can be in any argument.
    """
    try:
        yield
    except OSError as error:
        if error.errno != errno.ENAMETOOLONG:
            raise
        raise InvalidInputError(
            f"{str(error.filename)[:80]}... is longer than a path may be here.",
            hint="Name a shorter path.",
        ) from error


def read_request(
    operation: Operation, arguments: Mapping[str, Any], *, mask: bool = False
) -> tuple[Any, dict[str, dict[str, int]]]:
    """Return the validated request, and what the reply says of changes to its texts.

    Characters taken out are counted by place (`cleaned`), with *mask* credentials by kind
    (`masked`).
    """
    if not isinstance(arguments, Mapping):
        raise InvalidInputError(
            f"The arguments of {operation.name} must be an object of name and value."
        )
    schema = _properties(operation.name)
    _refuse_unknown(operation, arguments, schema)
    try:
        cleaned, removed = clean_json(dict(arguments))
    except ValueError as error:
        raise InvalidInputError(f"{error}.") from error
    read = {
        key: _read(value, schema[key], key)
        for key, value in cleaned.items()
        if key in schema and not _absent(key, value, schema[key])
    }
    _refuse_oversized(read)
    masked: dict[str, int] = {}
    if mask:
        read, masked = mask_json(read)
        # A mask may be longer than what it is for.
        _refuse_oversized(read if masked else {})
    told = {
        name: counts
        for name, counts in (("cleaned", removed), ("masked", masked))
        if counts
    }
    try:
        request = operation.request.model_validate(read)
    except ValidationError as error:
        raise _readable(error, operation, arguments) from error
    _refuse_uncountable(request)
    return request, told


@lru_cache(maxsize=256)
def _properties(name: str) -> dict[str, dict[str, Any]]:
    properties: dict[str, dict[str, Any]] = input_schema(REGISTRY[name])["properties"]
    return properties


def _refuse_unknown(
    operation: Operation, arguments: Mapping[str, Any], schema: Mapping[str, Any]
) -> None:
    for key in arguments:
        if key == "id" and "id" not in schema and not operation.read_only:
            raise InvalidInputError(
                "id is set by the store and cannot be chosen (creation_id_not_allowed).",
                hint="Leave id out; use idempotencyKey to make a retry safe.",
            )
        if key not in schema and key not in IGNORED:
            close = nearest(str(key), list(schema))
            raise UnknownArgumentError(
                f"{operation.name} has no argument {key!r}.",
                hint=f"Did you mean {close[0]!r}?"
                if close
                else f"It takes: {', '.join(schema)}.",
                details={"argument": clean(str(key))[0], "nearest": close},
            )


def _refuse_oversized(arguments: Mapping[str, Any]) -> None:
    found = oversized(arguments)
    if found:
        path, size = found
        raise InvalidInputError(
            f"{path} has {size:,} bytes; a text field may have {FIELD_BYTES:,} (256 KiB).",
            hint="Store the part that identifies it and name the file that holds the rest.",
        )


def _refuse_uncountable(request: BaseModel) -> None:
    """Refuse numbers that no store counts to; any JSON in an argument may hold them."""
    for name, value in request:
        if isinstance(value, int) and not -MOST_COUNTED - 1 <= value <= MOST_COUNTED:
            field = type(request).model_fields[name]
            raise InvalidInputError(
                f"{field.alias or name} is {str(value)[:40]}; numbers go from"
                f" {-MOST_COUNTED - 1:,} to {MOST_COUNTED:,} (64 bits)."
            )


def _absent(key: str, value: object, schema: Mapping[str, Any]) -> bool:
    if value is None:
        # null is a value where any JSON is.
        return not schema.get("x-json")
    return value == "" and key not in _NEVER_EMPTY and not schema.get("x-required")


def _read(value: Any, schema: Mapping[str, Any], path: str) -> Any:
    """Return *value* as the schema wants it, when that is beyond doubt."""
    wanted = schema.get("type")
    if schema.get("x-json"):
        return _json_text(value) if isinstance(value, str) else value
    if wanted == "array":
        return _read_list(value, schema, path)
    if wanted == "object":
        return _read_object(value, schema, path)
    if (
        wanted == "string"
        and isinstance(value, int | float)
        and not isinstance(value, bool)
    ):
        return str(value)
    if isinstance(value, str):
        return _read_text(value.strip() if "enum" in schema else value, schema)
    return value


def _read_list(value: Any, schema: Mapping[str, Any], path: str) -> Any:
    held = _json_text(value) if isinstance(value, str) else value
    items = held if isinstance(held, list) else [held]
    inner = schema.get("items", {})
    return [_read(item, inner, f"{path}[{i}]") for i, item in enumerate(items)]


def _read_object(value: Any, schema: Mapping[str, Any], path: str) -> Any:
    held = _json_text(value) if isinstance(value, str) else value
    inner = schema.get("properties")
    if not isinstance(held, Mapping) or not inner:
        return held
    return {
        key: _read(item, inner[key], f"{path}.{key}") if key in inner else item
        for key, item in held.items()
        if item is not None or (key in inner and inner[key].get("x-json"))
    }


def _json_text(text: str) -> Any:
    """Return what a JSON list or object in a text says; any other text as it is."""
    if text.lstrip()[:1] not in ("[", "{"):
        return text
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def _read_text(text: str, schema: Mapping[str, Any]) -> Any:
    wanted = schema.get("type")
    if "enum" in schema:
        folded = text.lower().replace("-", "_")
        return folded if folded in schema["enum"] else text
    if wanted == "boolean":
        low = text.strip().lower()
        return True if low in _TRUE else False if low in _FALSE else text
    if wanted in ("integer", "number"):
        try:
            return int(text) if wanted == "integer" else float(text)
        except ValueError:
            return text
    return text


def _readable(
    error: ValidationError, operation: Operation, arguments: Mapping[str, Any]
) -> InvalidInputError:
    """Turn pydantic's findings into sentences; its own text names a website."""
    findings = error.errors(include_url=False)
    sentences = [sentence(found) for found in findings[:3]]
    missing = [found for found in findings if found["type"] == "missing"]
    hint = ""
    if missing:
        arrived = ", ".join(map(str, arguments)) or "nothing"
        required = ", ".join(input_schema(operation)["required"])
        hint = f"Required: {required}. Arrived: {arrived}."
    return InvalidInputError(
        " ".join(sentences),
        hint=hint,
        details={"fields": [path_of(found["loc"]) for found in findings]},
    )
