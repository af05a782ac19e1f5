"""Where the installed script begins: a hook goes its short way, all else to the commands.

A hook runs before and after every action of an agent, so it must not pay for the command
line: what it needs is imported here, and nothing else.
"""

import gc
import sys

from shadowgraph.cli.garbage import loading, spare_the_end

_FOR_PEOPLE = {"-h", "--help", "--dry-run"}
"Options of `hook` that are not for a host."


def run() -> None:
    """Run a hook or the command line."""
    spare_the_end()
    arguments = sys.argv[1:]
    if arguments[:1] == ["hook"] and not _FOR_PEOPLE.intersection(arguments):
        # It ends before garbage could pile up.
        gc.disable()
        from shadowgraph.hosts.process import main  # noqa: PLC0415 - each way its own

        main(arguments[1:])
        return
    with loading():
        from shadowgraph.cli.main import run as run_command  # noqa: PLC0415 - as above

    run_command()
