"""Argument groups that several requests share, with their upstream names and limits."""

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, WithJsonSchema

from shadowgraph.model.text import KEY_CHARACTERS
from shadowgraph.model.wire import Wire
from shadowgraph.rules.grammar import OPERATORS

Project = Annotated[
    str | None,
    Field(description="Project; else the session's."),
]
Limit = Annotated[int | None, Field(ge=1, le=1000)]
Facts = Annotated[
    dict[str, JsonValue],
    Field(description="Facts by key, instead of the stored ones."),
]
ResultClassIn = Literal["failed", "succeeded", "inconclusive"]


RuleIn = Annotated[
    JsonValue,
    WithJsonSchema(
        {
            "type": "object",
            "description": "A condition on a fact; value is [low, high] for between, a list"
            " for in. A text fires when changedFacts names it; {all|any|none:"
            " [conditions]} joins some.",
            "properties": {
                "key": {"type": "string"},
                "operator": {"type": "string", "enum": list(OPERATORS)},
                "value": {},
                "unit": {
                    "type": "string",
                    "description": "ms, s, min, h, d, %, b, kb, kib.",
                },
            },
        }
    ),
]
"A condition as a caller writes it; `rules.conditions` reads it and says what is wrong."
InnerRuleIn = Annotated[
    JsonValue,
    WithJsonSchema(
        {
            "type": "object",
            "description": "{key, operator, value, unit}, or a text.",
        }
    ),
]
"""The same inside another object, where its members are not spelt out again: the list of
tools is read by every session."""


class Reading(Wire):
    """Arguments of every read."""

    project: Project = None
    origin_id: str | None = None
    """Capture origin, without a project."""


class Page(Wire):
    """Which part of a list."""

    limit: Limit = None
    """Most items, 1 to 1000; 50 when left out."""
    offset: Annotated[int, Field(ge=0)] = 0
    """Items to skip."""


class Writing(Wire):
    """Arguments of every write."""

    project: Project = None
    origin_id: str | None = None
    """Capture origin, without a project."""


class Provenance(Wire):
    """Who writes, and on what ground."""

    source_class: str | None = None
    """agent_claimed (default), tool_observed, human_confirmed, production_verified."""
    actor: str | None = None
    """Who writes."""
    client: str | None = None
    """Client."""
    session_id: str | None = None
    """Session."""


class Retry(Wire):
    """The retry key."""

    idempotency_key: Annotated[str | None, Field(max_length=KEY_CHARACTERS)] = None
    """Retry key; a second call writes nothing."""


IGNORED = frozenset({"accessId", "grantId", "readProvenance", "compact", "json"})
"""Arguments that are accepted and without effect where an operation has none so called:
access grants of the one upstream tool and its `compact`, for previews, which ours always
are; and `json` of the other, whose replies are texts unless asked; ours are always JSON."""


def present(model: Wire) -> dict[str, Any]:
    """Return the arguments that were given, in wire shape."""
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")
