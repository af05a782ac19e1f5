"""Argument groups that several requests share, with their upstream names and limits."""

from typing import Annotated, Any, Literal

from pydantic import Field, JsonValue, WithJsonSchema

from shadowgraph.model.text import KEY_CHARACTERS
from shadowgraph.model.wire import Wire
from shadowgraph.rules.grammar import OPERATORS

Unlisted = Field(json_schema_extra={"x-unlisted": True})
"""An argument that is taken and documented and that the list of tools does not name: the
server knows it better than a model (the client, its session), or it is another name."""
OriginId = Annotated[str | None, Unlisted]
Project = Annotated[
    str | None,
    Field(description="Else the session's."),
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
    origin_id: OriginId = None
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
    origin_id: OriginId = None
    """Capture origin, without a project."""


class Provenance(Wire):
    """Who writes, and on what ground."""

    source_class: str | None = None
    """agent_claimed (default), tool_observed, human_confirmed, production_verified."""
    actor: str | None = None
    """Who writes."""
    client: Annotated[str | None, Unlisted] = None
    """Client; else as it named itself."""
    session_id: Annotated[str | None, Unlisted] = None
    """Session; else the one that calls."""


class Retry(Wire):
    """The retry key."""

    idempotency_key: Annotated[str | None, Field(max_length=KEY_CHARACTERS)] = None
    """Makes a retry safe.

    A second call with the same key writes nothing and answers with the first record."""


IGNORED = frozenset({"accessId", "grantId", "readProvenance", "compact", "json"})
"""Arguments that are accepted and without effect where an operation has none so called:
access grants of the one upstream tool and its `compact`, for previews, which ours always
are; and `json` of the other, whose replies are texts unless asked; ours are always JSON."""


def present(model: Wire) -> dict[str, Any]:
    """Return the arguments that were given, in wire shape."""
    return model.model_dump(by_alias=True, exclude_none=True, mode="json")
