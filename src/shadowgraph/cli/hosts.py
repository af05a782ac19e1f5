"""What commands about hosts read from their surroundings: how this program was started.

Not in `session`, which every command imports: these modules cost what only few need.
"""

import os
import shutil
import sys
from typing import Any

from shadowgraph import settings
from shadowgraph.cli.session import Session
from shadowgraph.doctor import told
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
    more = told(examined(settings.places(), launch_here(session)))
    sound = reply["ok"] and more["ok"]
    return {**reply, "ok": sound, "checks": [*reply["checks"], *more["checks"]]}
