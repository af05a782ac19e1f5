"""`shadowgraph call`: any operation by its name, as a client would call it."""

import json
from typing import Any

import click

from shadowgraph.cli.options import common, json_or_text, session_of
from shadowgraph.cli.session import print_json, text_argument
from shadowgraph.errors import InvalidInputError
from shadowgraph.operations import REGISTRY, invoke, toolset


@click.command()
@click.argument("tool", required=False)
@click.argument("arguments", nargs=-1)
@common
@click.pass_context
def call(context: click.Context, /, **options: Any) -> None:
    """Call the operation TOOL with ARGUMENTS: one JSON object (or `-`), or key=value pairs.

    Without TOOL the operations are listed.
    """
    session = session_of(context, options)
    if options["tool"] is None:
        for operation in toolset("all"):
            click.echo(f"{operation.name:32} {operation.title} [{operation.toolset}]")
        return
    name = options["tool"]
    if name not in REGISTRY and f"shadowgraph_{name}" in REGISTRY:
        name = f"shadowgraph_{name}"
    arguments = _arguments(options["arguments"])
    with session.library() as library:
        print_json(invoke(library, name, arguments, session.caller()))


def _arguments(given: tuple[str, ...]) -> dict[str, Any]:
    """Return the arguments of a call from a JSON object or from key=value pairs."""
    if len(given) == 1 and (given[0] == "-" or given[0].lstrip().startswith("{")):
        text = text_argument(given[0]) or "{}"
        try:
            value = json.loads(text)
        except ValueError as error:
            raise InvalidInputError(f"The arguments are not JSON: {error}.") from error
        if not isinstance(value, dict):
            raise InvalidInputError("The arguments must be one JSON object.")
        return value
    pairs: dict[str, Any] = {}
    for pair in given:
        key, separator, value = pair.partition("=")
        if not separator:
            raise InvalidInputError(
                f"{pair!r} is no key=value pair.",
                hint="Write key=value, or one JSON object.",
            )
        pairs[key] = json_or_text(text_argument(value))
    return pairs
