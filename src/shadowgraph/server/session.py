"""A server over one library: listing tools and calling them.

The library is opened by the first call, not by the start: a client gets its answer to
`initialize` before any file is touched. Operations run on a few worker threads, each with
its own SQLite connection. An error the model can act on is a tool result with `isError` and
a text of code, sentence and next step; a bug is logged to stderr with its traceback.
"""

import hashlib
import json
import logging
import threading
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from typing import Any

import anyio
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server

from shadowgraph.errors import ShadowgraphError, UnknownOperationError, nearest
from shadowgraph.ids import new_id
from shadowgraph.library import Library
from shadowgraph.operations import REGISTRY, Caller, Operation, invoke
from shadowgraph.rules.visibility import visible
from shadowgraph.server.offer import INSTRUCTIONS, tool
from shadowgraph.version import __version__

WORKERS = 4
"Operations that run at once; each worker thread holds one SQLite connection."

log = logging.getLogger(__name__)


class Session:
    """The tools of one library for the clients of one server."""

    def __init__(
        self,
        open_library: Callable[[], Library],
        operations: list[Operation],
        caller: Caller,
    ) -> None:
        """Offer *operations*; *open_library* is called once, by the first call."""
        self._open_library = open_library
        self._opening = threading.Lock()
        self._library: Library | None = None
        self._names = {operation.name for operation in operations}
        self._operations = operations
        self._caller = caller
        self._name = new_id("session")
        self._workers = anyio.CapacityLimiter(WORKERS)

    def server(self) -> Server[Any]:
        """Return the protocol server."""
        return Server(
            "shadowgraph",
            version=__version__,
            title="shadowgraph",
            instructions=INSTRUCTIONS,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )

    def close(self) -> None:
        """Close the library, when it was opened."""
        with self._opening:
            if self._library is not None:
                self._library.close()
                self._library = None

    @cached_property
    def _tools(self) -> list[types.Tool]:
        """The tools as offered; made when first listed, `initialize` does not wait."""
        return [tool(operation) for operation in self._operations]

    async def _list_tools(self, context: Any, params: Any) -> types.ListToolsResult:
        del context, params
        return types.ListToolsResult(tools=self._tools)

    async def _call_tool(
        self, context: Any, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        caller = self._caller
        known = getattr(context.session, "client_params", None)
        if caller.client is None and known is not None:
            caller = replace(caller, client=known.client_info.name)
        if caller.session_id is None:
            caller = replace(caller, session_id=self._session_of(context.request))
        return await anyio.to_thread.run_sync(
            self._run, params.name, params.arguments, caller, limiter=self._workers
        )

    def _session_of(self, request: Any) -> str | None:
        """Return the name of a client's session: what is current for it is for no other.

        Over stdio the server has one client and is its session. Over HTTP the client's
        session id names it, by a digest: the id itself opens the session.
        """
        if request is None:
            return self._name
        told = request.headers.get("mcp-session-id")
        if not told:
            return None
        return f"session_{hashlib.sha256(told.encode()).hexdigest()[:26]}"

    def _run(
        self, name: str, arguments: dict[str, Any] | None, caller: Caller
    ) -> types.CallToolResult:
        try:
            self._refuse_hidden(name)
            reply = invoke(self._opened(), name, arguments, caller)
        except ShadowgraphError as error:
            return _failed(error.text())
        except Exception:
            log.exception("%s failed", name)
            return _failed(
                f"internal-error: {name} met a fault of its own; nothing was written."
                " The server's log on stderr has the details."
            )
        text = visible(json.dumps(reply, ensure_ascii=False, separators=(",", ":")))
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=reply
        )

    def _refuse_hidden(self, name: str) -> None:
        """Refuse a tool that exists but is not in the offered toolsets."""
        if name not in self._names:
            close = [] if name in REGISTRY else nearest(name, sorted(self._names))
            raise UnknownOperationError(
                f"This server offers no tool {name!r}.",
                hint=f"Nearest: {', '.join(close)}."
                if close
                else "Start it with --tools all to offer every tool.",
            )

    def _opened(self) -> Library:
        with self._opening:
            if self._library is None:
                self._library = self._open_library()
            return self._library


def _failed(text: str) -> types.CallToolResult:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=visible(text))], is_error=True
    )
