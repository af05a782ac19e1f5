"""Serving over standard input and output, and ending when nobody is there any more.

Only the protocol goes to stdout; logs go to stderr. The process ends on end of input, when
what was asked has been answered (`draining`), and when its parent is gone: hosts that die without closing the pipe have left thousands of
orphans behind. The parent is watched, not file descriptor 0, which the SDK points elsewhere
while it serves.
"""

import logging
import os
import sys

import anyio
from mcp.server.stdio import stdio_server

from shadowgraph.server.draining import Incoming, Outgoing, Pending
from shadowgraph.server.session import Session

PARENT_SECONDS = 2.0
"How often the parent process is looked for."
PATIENCE = 20.0
"Seconds that calls in flight have when the input ends."


def serve(session: Session, parent: int) -> None:
    """Serve one client over stdio until it, or the process *parent*, goes away."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING,
        format="%(asctime)s %(name)s %(levelname)s %(message)s",
    )
    try:
        anyio.run(_serve, session, parent)
    except* BrokenPipeError:
        logging.getLogger(__name__).warning("the client reads no more; ending")
    finally:
        session.close()


async def _serve(session: Session, parent: int) -> None:
    server = session.server()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_end_with_parent, tasks.cancel_scope, parent)
        async with stdio_server() as (incoming, outgoing):
            pending = Pending(PATIENCE)
            await server.run(
                Incoming(incoming, pending),
                Outgoing(outgoing, pending),
                server.create_initialization_options(),
            )
        tasks.cancel_scope.cancel()


async def _end_with_parent(scope: anyio.CancelScope, parent: int) -> None:
    while os.getppid() == parent:  # noqa: ASYNC110 - the system tells nobody of it
        await anyio.sleep(PARENT_SECONDS)
    logging.getLogger(__name__).warning("the parent process is gone; ending")
    scope.cancel()
    # A read of a pipe that nobody closes cannot be cancelled.
    os._exit(0)
