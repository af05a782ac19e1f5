"""A server over one library: tools, resources, prompts and completion.

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
from functools import cached_property
from typing import Any, TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread
import mcp_types as types
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS

from shadowgraph.errors import (
    CallerError,
    ShadowgraphError,
    UnknownOperationError,
    UnknownRecordError,
    nearest,
)
from shadowgraph.ids import new_id
from shadowgraph.library import Library
from shadowgraph.operations import REGISTRY, Caller, Operation, invoke
from shadowgraph.operations.cutting import bounded
from shadowgraph.rules.visibility import visible
from shadowgraph.server import prompts, resources
from shadowgraph.server.completing import completed
from shadowgraph.server.offer import INSTRUCTIONS, tool
from shadowgraph.version import __version__

WORKERS = 4
"Operations that run at once; each worker thread holds one SQLite connection."

NOT_FOUND = -32002
"Code of an unknown resource in the protocols with a handshake."

Made = TypeVar("Made")

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
            on_list_resources=self._list_resources,
            on_list_resource_templates=self._list_templates,
            on_read_resource=self._read_resource,
            on_list_prompts=self._list_prompts,
            on_get_prompt=self._get_prompt,
            on_completion=self._complete,
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
        # Progress is sent from tasks of its own: no transaction waits for a slow client.
        async with anyio.create_task_group() as tasks:

            def tell(done: int, total: int | None) -> None:
                report = context.session.report_progress
                anyio.from_thread.run_sync(tasks.start_soon, report, done, total)

            caller = self._caller_of(context)._replace(progress=tell)
            result = await anyio.to_thread.run_sync(
                self._run, params.name, params.arguments, caller, limiter=self._workers
            )
        return result  # noqa: RET504 - a checker cannot tell that the group lets it out

    async def _list_resources(self, context: Any, params: Any) -> types.ListResourcesResult:
        del params
        found = await self._read(context, resources.listed)
        return types.ListResourcesResult(resources=found)

    async def _list_templates(
        self, context: Any, params: Any
    ) -> types.ListResourceTemplatesResult:
        del context, params
        return types.ListResourceTemplatesResult(resource_templates=resources.TEMPLATES)

    async def _read_resource(
        self, context: Any, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        return await self._read(context, resources.read, str(params.uri))

    async def _list_prompts(self, context: Any, params: Any) -> types.ListPromptsResult:
        del context, params
        return types.ListPromptsResult(prompts=prompts.PROMPTS)

    async def _get_prompt(
        self, context: Any, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        return await self._read(context, prompts.made, params.name, params.arguments)

    async def _complete(
        self, context: Any, params: types.CompleteRequestParams
    ) -> types.CompleteResult:
        return await self._read(context, completed, params)

    async def _read(
        self, context: Any, function: Callable[..., Made], *given: object
    ) -> Made:
        """Run a read on a worker; an error of ours becomes one of the protocol."""
        caller = self._caller_of(context)
        try:
            return await anyio.to_thread.run_sync(
                lambda: function(self._opened(), caller, *given), limiter=self._workers
            )
        except UnknownRecordError as error:
            old = context.protocol_version in HANDSHAKE_PROTOCOL_VERSIONS
            code = NOT_FOUND if old else types.INVALID_PARAMS
            raise MCPError(code, visible(error.text())) from error
        except CallerError as error:
            raise MCPError(types.INVALID_PARAMS, visible(error.text())) from error
        except ShadowgraphError as error:
            raise MCPError(types.INTERNAL_ERROR, visible(error.text())) from error

    def _caller_of(self, context: Any) -> Caller:
        """Return who calls: the server's caller, with what the client says of itself."""
        caller = self._caller
        known = getattr(context.session, "client_params", None)
        if caller.client is None and known is not None:
            caller = caller._replace(client=known.client_info.name)
        if caller.session_id is None:
            caller = caller._replace(session_id=self._session_of(context.request))
        return caller

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
            made = invoke(self._opened(), name, arguments, caller)
            reply = bounded(REGISTRY[name], arguments or {}, made)
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
