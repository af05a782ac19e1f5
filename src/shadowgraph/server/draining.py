"""Answering what was asked before a client closed its end.

The SDK takes the end of its input for the end of the conversation and cancels what still
runs, so a client that writes its requests and closes the pipe at once, as a script does,
would lose the last answers. Here the end of the input is passed on when every request that
came before it has been answered, or has had its time: nobody waits for ever for a call that
hangs. A request that the client cancelled is not answered, and one that listens for events
has no end; neither is waited for.
"""

from collections import Counter
from typing import Any, Self

import anyio
import mcp_types as types
from mcp.shared.message import SessionMessage

Item = SessionMessage | Exception


class Pending:
    """The requests of one conversation that are not answered yet."""

    def __init__(self, patience: float) -> None:
        """Wait at most *patience* seconds for them at the end."""
        self._patience = patience
        self._open: Counter[types.RequestId] = Counter()
        self._settled = anyio.Event()

    def asked(self, item: Item) -> None:
        """Count a request that came in, and do not wait for a cancelled one."""
        message = item.message if isinstance(item, SessionMessage) else None
        method = getattr(message, "method", "")
        if isinstance(message, types.JSONRPCRequest):
            self._open[message.id] += 0 if method.startswith("subscriptions/") else 1
        elif method == "notifications/cancelled":
            params = getattr(message, "params", None)
            self._close((params or {}).get("requestId"))

    def answered(self, message: SessionMessage) -> None:
        """Note an answer that goes out."""
        if isinstance(message.message, types.JSONRPCResponse | types.JSONRPCError):
            self._close(message.message.id)

    async def settle(self) -> None:
        """Return when all is answered, or has taken too long."""
        if any(self._open.values()):
            with anyio.move_on_after(self._patience):
                await self._settled.wait()

    def _close(self, name: Any) -> None:
        if isinstance(name, str | int):
            self._open -= Counter({name: 1})
        if not any(self._open.values()):
            self._settled.set()
            self._settled = anyio.Event()


class Incoming:
    """A stream of messages whose end waits for the answers."""

    def __init__(self, stream: Any, pending: Pending) -> None:
        """Read from *stream*."""
        self._stream = stream
        self._pending = pending

    @property
    def last_context(self) -> Any:
        """The context in which the last message was sent, for the SDK."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Item:
        """Return the next message.

        Raises:
            anyio.EndOfStream: there is none, and what was asked has been answered.
        """
        try:
            item: Item = await self._stream.receive()
        except anyio.EndOfStream:
            await self._pending.settle()
            raise
        self._pending.asked(item)
        return item

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    def __aiter__(self) -> Self:
        """Iterate over the messages."""
        return self

    async def __anext__(self) -> Item:
        """Return the next message, or end."""
        try:
            return await self.receive()
        except anyio.EndOfStream:
            raise StopAsyncIteration from None

    async def __aenter__(self) -> Self:
        """Open nothing: the stream is open."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the stream."""
        await self.aclose()


class Outgoing:
    """A stream of messages that notes the answers among them."""

    def __init__(self, stream: Any, pending: Pending) -> None:
        """Write to *stream*."""
        self._stream = stream
        self._pending = pending

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message; it is an answer when it has been handed over."""
        await self._stream.send(item)
        self._pending.answered(item)

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Self:
        """Open nothing: the stream is open."""
        return self

    async def __aexit__(self, *_: object) -> None:
        """Close the stream."""
        await self.aclose()
