"""Flags derived from an operation's request, so the command line cannot drift from it.

Every argument becomes a flag with the name of the field; lists may be given several times,
objects as JSON, and `-` as a value reads standard input.
"""

import json
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import click

from shadowgraph.cli.completion import complete_projects
from shadowgraph.cli.session import Session, text_argument
from shadowgraph.operations.registry import REGISTRY
from shadowgraph.operations.schemas import input_schema

F = TypeVar("F", bound=Callable[..., Any])


def common(command: F) -> F:
    """Let a command take the options of the group after its name as well."""
    for option in (
        click.option("--no-color", is_flag=True, help="Print without colour."),
        click.option("--json", "as_json", is_flag=True, help="Print JSON."),
        click.option("--project", help="Project name.", shell_complete=complete_projects),
        click.option("--home", help="Directory of the store."),
    ):
        command = option(command)
    return command


def session_of(context: click.Context, arguments: dict[str, Any]) -> Session:
    """Take the common options out of *arguments* and merge them with the group's."""
    held: Session = context.obj
    home, project = arguments.pop("home", None), arguments.pop("project", None)
    as_json = arguments.pop("as_json", False)
    if arguments.pop("no_color", False):
        context.color = False
    return Session(
        home if home is not None else held.home,
        project if project is not None else held.project,
        held.as_json or as_json,
        held.keep_secrets,
    )


def flags(name: str, *, leave_out: tuple[str, ...] = ()) -> Callable[[F], F]:
    """Return a decorator that adds one flag per argument of the operation *name*."""
    schema = input_schema(REGISTRY[name])
    properties: dict[str, dict[str, Any]] = schema["properties"]

    def decorate(command: F) -> F:
        for wire in reversed(properties):
            if wire not in ("project", *leave_out):
                required = wire in schema["required"]
                command = _flag(wire, properties[wire], required=required)(command)
        return command

    return decorate


def _flag(wire: str, schema: Mapping[str, Any], *, required: bool) -> Callable[[F], F]:
    names = (f"--{kebab(wire)}", wire)
    first = str(schema.get("description", "")).split("\n\n")[0]
    text = first.split(". ")[0].rstrip(".") + "."
    if schema.get("type") == "boolean":
        return click.option(*names, is_flag=True, default=None, help=text)
    if schema.get("type") == "array":
        return click.option(*names, multiple=True, required=required, help=text)
    kind: Any = str
    if "enum" in schema:
        kind = click.Choice(schema["enum"], case_sensitive=False)
    elif schema.get("type") == "integer":
        kind = int
    elif schema.get("type") == "number":
        kind = float
    return click.option(*names, type=kind, required=required, help=text)


def kebab(wire: str) -> str:
    """Return the flag form of a wire name.

    >>> kebab("resultClass")
    'result-class'
    """
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in wire)


def given(arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return the flags that were given, texts read from standard input where it says `-`."""
    read: dict[str, Any] = {}
    for wire, value in arguments.items():
        if value is None or value == ():
            continue
        if isinstance(value, tuple):
            read[wire] = [json_or_text(text_argument(item)) for item in value]
        else:
            read[wire] = text_argument(value) if isinstance(value, str) else value
    if "value" in read:
        read["value"] = typed(read["value"])
    return read


def typed(text: str) -> Any:
    """Return the JSON value that *text* writes, when nothing of it would be lost.

    A shell knows only texts: 17 is a number here, 1.10 stays a text, and so does what
    stands in quotation marks.

    >>> typed("17"), typed("1.10"), typed('"17"'), typed("true")
    (17, '1.10', '17', True)
    """
    try:
        value = json.loads(text)
    except ValueError:
        return text
    if isinstance(value, int | float) and json.dumps(value) != text.strip():
        return text
    return value


def json_or_text(text: str | None) -> Any:
    """Return what a JSON object or list in *text* says; any other text as it is."""
    if text is None or text.lstrip()[:1] not in ("{", "["):
        return text
    try:
        return json.loads(text)
    except ValueError:
        return text
