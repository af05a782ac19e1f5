"""Serving many clients over HTTP, and ending without losing an answer.

The protocol is the SDK's Streamable HTTP, the server is uvicorn, both loaded for this alone.
On SIGTERM or SIGINT new calls are refused, calls in flight are answered, then the streams of
clients that only listen are closed; a second signal ends at once. Sessions nobody uses are
forgotten and their number is limited, so memory does not grow. The parent process does not
matter here: nobody's pipe is held.
"""

import logging
import socket
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from types import FrameType
from typing import Final

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager

from shadowgraph.server.address import Address, listen
from shadowgraph.server.guard import Guard
from shadowgraph.server.session import Session


@dataclass(frozen=True, slots=True)
class Limits:
    """What one server bears."""

    idle: float = 30 * 60
    "Seconds without a request after which a session is forgotten; its client begins another."
    sessions: int = 2000
    "Sessions that are open at once; whoever wants another is told to come again."
    request: int = 4 * 1024 * 1024
    "Bytes of a request; the largest record is far below."
    patience: float = 20.0
    "Seconds that calls in flight have when the server ends."


LIMITS: Final = Limits()
LAST_SECONDS = 2
"Seconds that streams have to close after that."


class Ending(uvicorn.Server):
    """A server that answers what it was asked before it ends."""

    def __init__(
        self,
        config: uvicorn.Config,
        guard: Guard,
        patience: float = LIMITS.patience,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Count the calls in flight by *guard*, and time by *clock*, in seconds."""
        super().__init__(config)
        self._guard = guard
        self._patience = patience
        self._clock = clock
        self._deadline = 0.0

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Refuse new calls from now on; end at once when told again."""
        del sig, frame
        if self._guard.ending:
            self.should_exit = self.force_exit = True
        self._guard.ending = True
        self._deadline = self._clock() + self._patience

    async def on_tick(self, counter: int) -> bool:
        """End when the last call is answered, or has taken too long."""
        over = not self._guard.busy or self._clock() > self._deadline
        if self._guard.ending and over:
            self.should_exit = True
        return await super().on_tick(counter)


def serve(
    session: Session, address: Address, hosts: Iterable[str], token: str | None
) -> None:
    """Serve clients at *address*, known by *token*, until a signal ends it."""
    logging.basicConfig(
        stream=sys.stderr,
        level=logging.WARNING,
        format="%(asctime)s %(name)s %(levelname)s %(message)s",
    )
    opened = listen(address, protected=token is not None)
    try:
        with opened:
            anyio.run(_serve, session, opened, address, (address.host, *hosts), token)
    finally:
        session.close()


def guarded(
    session: Session, hosts: Iterable[str], token: str | None, limits: Limits = LIMITS
) -> tuple[StreamableHTTPSessionManager, Guard]:
    """Return the protocol with its limits, and the guard before it."""
    manager = StreamableHTTPSessionManager(
        session.server(),
        session_idle_timeout=limits.idle,
        max_sessions=limits.sessions,
        max_request_body_size=limits.request,
    )
    return manager, Guard(manager.handle_request, hosts, token)


async def _serve(
    session: Session,
    opened: socket.socket,
    address: Address,
    hosts: tuple[str, ...],
    token: str | None,
) -> None:
    manager, guard = guarded(session, hosts, token)
    server = Ending(_config(guard), guard)
    async with manager.run():
        # Whoever connects now waits in the socket's queue, so this is no empty promise.
        url = address.url(opened.getsockname()[1])
        kind = "with a token" if token is not None else "without a token"
        sys.stderr.write(f"shadowgraph: serving at {url} {kind}\n")
        sys.stderr.flush()
        await server.serve(sockets=[opened])


def _config(guard: Guard) -> uvicorn.Config:
    """Return the settings of uvicorn, which logs to stderr only and names nothing of ours."""
    return uvicorn.Config(
        guard,
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=LAST_SECONDS,
    )
