"""The command group, its options, and what happens to errors."""

import logging
import os
import sys
from typing import Any

import click
from click.shell_completion import CompletionItem

from shadowgraph.cli.completion import complete_projects
from shadowgraph.cli.garbage import load
from shadowgraph.cli.session import Session, colour_wanted, fail, use_utf8
from shadowgraph.errors import ShadowgraphError, nearest
from shadowgraph.version import __version__

COMMANDS = {
    "serve": "store:serve",
    "record": "record:record",
    "search": "read:search",
    "context": "read:context",
    "show": "read:show",
    "graph": "graph:graph",
    "log": "log:log",
    "move": "record:move",
    "task": "task:task",
    "evidence": "task:evidence",
    "run": "running:run",
    "call": "call:call",
    "projects": "read:projects",
    "stats": "store:stats",
    "reindex": "store:reindex",
    "doctor": "store:doctor",
    "export": "store:export",
    "import": "transfer:import_",
    "backup": "keep:backup",
    "restore": "keep:restore",
    "purge": "keep:purge",
    "journal": "keep:journal",
    "compact": "keep:compact",
    "resume": "continuity:resume",
    "source": "continuity:source",
    "bundle": "continuity:bundle",
    "completion": "completion:completion",
    "demo": "demo:demo",
    "hook": "hook:hook",
    "captures": "hook:captures",
    "token": "token:token",
    "install": "install:install",
    "uninstall": "install:uninstall",
}
"Module and function of every command, in the order of the help."


class LazyGroup(click.Group):
    """A group that imports a command when it is asked for: others cost nothing."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command; a misspelt name is answered with the nearest."""
        if cmd_name not in COMMANDS:
            close = nearest(cmd_name, list(COMMANDS))
            if close:
                ctx.fail(f"No such command {cmd_name!r}. Did you mean {close[0]!r}?")
            return None
        module, function = COMMANDS[cmd_name].split(":")
        found = getattr(load(f"shadowgraph.cli.{module}"), function)
        return found if isinstance(found, click.Command) else None

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return commands by name; importing each for its help would take a second."""
        found = [name for name in COMMANDS if name.startswith(incomplete)]
        options = click.Command.shell_complete(self, ctx, incomplete)
        return [*map(CompletionItem, found), *options]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a reader that has gone (`export | head`) is no error."""
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:
            # Nobody reads what is left, the flush at exit included.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(0)
        return result


@click.group(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option("--home", help="Directory of the store [env: SHADOWGRAPH_HOME].")
@click.option(
    "--project",
    help="Project name [env: SHADOWGRAPH_PROJECT].",
    shell_complete=complete_projects,
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option(
    "--keep-secrets",
    is_flag=True,
    help="Store credentials as they come [env: SHADOWGRAPH_KEEP_SECRETS].",
)
@click.option("--no-color", is_flag=True, help="Print without colour [env: NO_COLOR].")
@click.version_option(__version__, prog_name="shadowgraph")
@click.pass_context
def main(
    context: click.Context,
    home: str | None,
    project: str | None,
    as_json: bool,
    keep_secrets: bool,
    no_color: bool,
) -> None:
    """A searchable memory of what was tried and how it ended."""
    context.color = colour_wanted(refused=no_color)
    context.obj = Session(home, project, as_json, keep_secrets)


def run(arguments: list[str] | None = None) -> None:
    """Run the command line; the entry point of the installed script."""
    use_utf8()
    # What the library logs is in the answer as a notice; `serve` sets up its own log.
    logging.getLogger("shadowgraph").addHandler(logging.NullHandler())
    given: list[str] = sys.argv[1:] if arguments is None else arguments
    try:
        status: Any = main.main(given, standalone_mode=False, prog_name="shadowgraph")
        sys.exit(status if isinstance(status, int) else 0)
    except ShadowgraphError as error:
        fail(error, as_json="--json" in given)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except click.Abort:
        sys.exit(130)
