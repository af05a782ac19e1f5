"""What commands about hosts read from their surroundings: how this program was started.

Not in `session`, which every command imports: these modules cost what only few need.
"""

import os
import shutil
import sys
from dataclasses import asdict
from typing import Any

from shadowgraph import settings
from shadowgraph.cli.session import Session
from shadowgraph.installing.examining import examined
from shadowgraph.installing.launch import Launch, launch_of


def launch_here(session: Session) -> Launch:
    """Return how the running program is started again, with the options that were given."""
    named = sys.argv[0]
    # A name without a directory was found on the PATH.
    started = shutil.which(named) or named
    return launch_of(
        started,
        sys.executable,
        home=session.home,
        project=session.project,
        windows=os.name == "nt",
    )


def with_hosts(reply: dict[str, Any], session: Session) -> dict[str, Any]:
    """Return the doctor's reply with what it finds in the files of hosts."""
    found = examined(settings.places(), launch_here(session))
    checks = [{k: v for k, v in asdict(one).items() if v != ""} for one in found]
    sound = reply["ok"] and all(one.ok for one in found)
    return {**reply, "ok": sound, "checks": [*reply["checks"], *checks]}
