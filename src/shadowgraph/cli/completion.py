"""Completion in a shell: a script to source, and answers while somebody types.

Ids and project names come from the store. An answer must be there before the next key, so
neither the index nor an operation is loaded: the store is opened, asked once and closed, and
where there is none, none is made. Whatever goes wrong, the shell gets no candidates and no
message: a line that is being typed is no place for one. A name that a shell would read as
more than a name is no candidate either: ids come from imports, and what is completed is run.
"""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem, get_completion_class

from shadowgraph import settings
from shadowgraph.errors import ShadowgraphError

if TYPE_CHECKING:
    # For the types alone: a command that completes nothing opens no store.
    from shadowgraph.store import Store

MOST = 30
"Candidates of one answer; the newest records first."
VARIABLE = "_SHADOWGRAPH_COMPLETE"

_PLAIN = re.compile(r"[A-Za-z0-9_][\w./:@+-]*\Z")
"What every shell takes as one word that is no option."

Ask = Callable[["Store"], list[CompletionItem]]


def complete_ids(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return records whose id begins so, the newest first, with what they are called."""
    del parameter
    project = _given(context, "project")

    def ask(store: "Store") -> list[CompletionItem]:
        owner = f"project:{project}" if project else None
        with store.read() as selection:
            found = selection.beginning(incomplete, owner, MOST)
        return [
            CompletionItem(one.id, help=_told(one.body))
            for one in found
            if _PLAIN.match(one.id)
        ]

    return _answered(context, ask)


def complete_projects(
    context: click.Context, parameter: click.Parameter, incomplete: str
) -> list[CompletionItem]:
    """Return projects whose name begins so."""
    del parameter

    def ask(store: "Store") -> list[CompletionItem]:
        named = [one.project for one in store.projects() if one.counts]
        found = [
            name for name in named if name.startswith(incomplete) and _PLAIN.match(name)
        ]
        return [CompletionItem(name) for name in found[:MOST]]

    return _answered(context, ask)


def _answered(context: click.Context, ask: Ask) -> list[CompletionItem]:
    """Ask the store of the command line's home; no store, no candidates."""
    with suppress(ShadowgraphError, OSError):
        from shadowgraph.store.store import FILE_NAME, Store  # noqa: PLC0415

        home = Path(settings.home(_given(context, "home")))
        if (home / FILE_NAME).is_file():
            with Store(home) as store:
                return ask(store)
    return []


def _given(context: click.Context, name: str) -> str | None:
    """Return an option of the command or of the group before it."""
    here: click.Context | None = context
    while here is not None:
        if here.params.get(name):
            return str(here.params[name])
        here = here.parent
    return None


def _told(body: Any) -> str:
    """Return what a record is called, on one short line without surprises."""
    from shadowgraph.cli.render import headline  # noqa: PLC0415
    from shadowgraph.cli.terminal import cut  # noqa: PLC0415

    return cut(headline(body), 60)


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    r"""Print the completion script of SHELL.

    \b
    bash: eval "$(shadowgraph completion bash)"   in ~/.bashrc
    zsh:  eval "$(shadowgraph completion zsh)"    in ~/.zshrc, after compinit
    fish: shadowgraph completion fish > ~/.config/fish/completions/shadowgraph.fish
    """
    made = get_completion_class(shell)
    root = context.find_root()
    if made is None:
        raise click.BadParameter(f"{shell} is not known.")
    source = made(root.command, {}, "shadowgraph", VARIABLE)
    click.echo(source.source_template % source.source_vars())
