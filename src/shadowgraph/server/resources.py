"""Records and contexts as resources: what a person attaches to a conversation.

Two templates, `shadowgraph://record/{id}` and `shadowgraph://context/{project}`, and a short
list of contexts to pick from. They are read by the operations that the tools run, so scope,
visibility and sizes are the same: a record of another project reads like an unknown one.
"""

import json
from typing import Any
from urllib.parse import quote, unquote

import mcp_types as types

from shadowgraph.errors import UnknownRecordError
from shadowgraph.library import Library
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.visibility import visible

RECORD = "shadowgraph://record/"
CONTEXT = "shadowgraph://context/"
LISTED = 10
"Contexts that the list names; any other is reached by its template."
_JSON = "application/json"

TEMPLATES = [
    types.ResourceTemplate(
        name="record",
        title="A record",
        uri_template=f"{RECORD}{{id}}",
        description="One full record of the session's project, by its id.",
        mime_type=_JSON,
    ),
    types.ResourceTemplate(
        name="context",
        title="The context of a project",
        uri_template=f"{CONTEXT}{{project}}",
        description="What failed, what was decided and what is due in a project.",
        mime_type=_JSON,
    ),
]
"Every form of a resource."


def listed(library: Library, caller: Caller) -> list[types.Resource]:
    """Return the contexts to pick from: the session's project, then those last written."""
    current = caller.scope(None).project
    held = invoke(library, "shadowgraph_projects", {}, caller)["items"]
    names = dict.fromkeys([*([current] if current else []), *(p["project"] for p in held)])
    return [_context(name) for name in list(names)[:LISTED]]


def _context(project: str) -> types.Resource:
    return types.Resource(
        name=visible(project),
        title=f"Context of {visible(project)}",
        uri=CONTEXT + quote(project, safe=""),
        description="What failed, what was decided and what is due.",
        mime_type=_JSON,
    )


def read(library: Library, caller: Caller, uri: str) -> types.ReadResourceResult:
    """Return what stands at *uri*.

    Raises:
        UnknownRecordError: nothing does, or a record of another project.
    """
    text = visible(json.dumps(_body(library, caller, uri), ensure_ascii=False))
    return types.ReadResourceResult(
        contents=[types.TextResourceContents(uri=uri, mime_type=_JSON, text=text)]
    )


def _body(library: Library, caller: Caller, uri: str) -> Any:
    if uri.startswith(RECORD):
        return _record(library, caller, unquote(uri.removeprefix(RECORD)))
    if uri.startswith(CONTEXT):
        project = unquote(uri.removeprefix(CONTEXT))
        return invoke(library, "shadowgraph_context", {"project": project}, caller)
    raise UnknownRecordError(
        f"There is no resource {uri[:200]!r}.",
        hint=f"The forms are {RECORD}ID and {CONTEXT}PROJECT.",
    )


def _record(library: Library, caller: Caller, record_id: str) -> Any:
    found = invoke(library, "shadowgraph_get", {"ids": [record_id], "whole": True}, caller)
    if not found["items"]:
        raise UnknownRecordError(f"No record {record_id[:200]!r} in {found['project']!r}.")
    return found["items"][0]
