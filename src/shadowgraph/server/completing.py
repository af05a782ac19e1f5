"""Completion of what a person types: names of projects and ids of records.

For the arguments of prompts and for the variables of resource templates alike. Ids are those
of the project in question: the one already typed, else the session's.
"""

from collections.abc import Callable

import mcp_types as types

from shadowgraph.errors import InvalidInputError
from shadowgraph.library import Library
from shadowgraph.operations import Caller
from shadowgraph.rules.visibility import visible
from shadowgraph.server.prompts import PROMPTS
from shadowgraph.server.resources import TEMPLATES

MOST = 100
"Values of one answer; the protocol allows no more."


def completed(
    library: Library, caller: Caller, params: types.CompleteRequestParams
) -> types.CompleteResult:
    """Return what the argument may become.

    Raises:
        InvalidInputError: it is an argument of no prompt or template of ours.
    """
    source = _source(params.ref, params.argument.name)
    typed = (params.context.arguments if params.context else None) or {}
    found = source(library, caller, params.argument.value, typed.get("project") or None)
    return types.CompleteResult(
        completion=types.Completion(
            values=[visible(value) for value in found[:MOST]],
            has_more=len(found) > MOST,
        )
    )


_Source = Callable[[Library, Caller, str, str | None], list[str]]


def _source(
    ref: types.ResourceTemplateReference | types.PromptReference, argument: str
) -> _Source:
    """Return where the values of an argument come from."""
    if isinstance(ref, types.PromptReference):
        named = [one.arguments or [] for one in PROMPTS if one.name == ref.name]
        known = argument in [one.name for arguments in named for one in arguments]
    else:
        known = ref.uri in [
            one.uri_template for one in TEMPLATES if f"{{{argument}}}" in one.uri_template
        ]
    if not known:
        raise InvalidInputError(f"No prompt or template here takes {argument[:200]!r}.")
    return {"project": _projects, "record": _ids, "id": _ids}.get(argument, _nothing)


def _projects(
    library: Library, caller: Caller, begun: str, project: str | None
) -> list[str]:
    """Return projects that begin so, in any case, else those that hold the text."""
    del caller, project
    names = [one.project for one in library.store.projects() if one.project]
    folded = begun.casefold()
    first = [name for name in names if name.casefold().startswith(folded)]
    return first + [n for n in names if n not in first and folded in n.casefold()]


def _ids(library: Library, caller: Caller, begun: str, project: str | None) -> list[str]:
    """Return ids of the project that begin so."""
    scope = caller.scope(project)
    with library.store.read() as selection:
        near = selection.ids_like(begun, scope.owner)
    return sorted(one for one in near if one.startswith(begun))


def _nothing(
    library: Library, caller: Caller, begun: str, project: str | None
) -> list[str]:
    """Free text is not completed."""
    del library, caller, begun, project
    return []
