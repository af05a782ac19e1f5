"""What stands before the protocol over HTTP: who may come in, and whether it is open.

In this order: the `Host` a client names must be one of ours (a rebound name is refused),
an `Origin` must be of such a host (any web page can post to a local port), then `/health`
is answered with nothing a stranger may not know, then the token. A request that is refused
has reached nothing behind. While a server ends, calls in flight are counted and finished
and new ones are told to come again.
"""

import json
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from shadowgraph.server.access import same

ENDPOINT = "/mcp"
"Path of the protocol."
HEALTH = "/health"
"Path that says whether the server is there."
LOOPBACK = ("localhost", "127.0.0.1", "::1")
"Names under which a machine speaks to itself."


class Guard:
    """An ASGI application that lets through what may pass to *app*."""

    def __init__(self, app: ASGIApp, hosts: Iterable[str], token: str | None) -> None:
        """Let in clients that name one of *hosts* and, when there is one, the *token*."""
        self._app = app
        self._hosts = {host.strip("[]").lower() for host in (*LOOPBACK, *hosts)}
        self._token = token
        self.busy = 0
        "Calls that are not answered yet."
        self.ending = False
        "Whether new calls are refused."

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer or pass on one request."""
        if scope["type"] != "http":
            return
        answer = self._refusal(scope)
        if answer is not None:
            await answer(scope, receive, send)
        elif scope["method"] == "POST":
            self.busy += 1
            try:
                await self._app(scope, receive, send)
            finally:
                self.busy -= 1
        else:
            await self._app(scope, receive, send)

    def _refusal(self, scope: Scope) -> Response | None:
        """Return the answer to a request that does not reach the protocol."""
        headers = Headers(scope=scope)
        if not self._is_ours(f"//{headers.get('host', '')}"):
            return _told(421, "This host is not served here; see --allowed-host.")
        origin = headers.get("origin")
        if origin is not None and not self._is_ours(origin):
            return _told(403, "Pages of this origin may not call; see --allowed-host.")
        if scope["path"] == HEALTH:
            return _told(503, "ending") if self.ending else _json(200, {"status": "ok"})
        if scope["path"].rstrip("/") != ENDPOINT:
            return _told(404, f"The protocol is at {ENDPOINT}.")
        if not self._is_known(headers.get("authorization", "")):
            return _told(401, "A bearer token is needed; see `shadowgraph token`.")
        return _told(503, "This server is ending.") if self.ending else None

    def _is_ours(self, url: str) -> bool:
        try:
            return (urlsplit(url).hostname or "") in self._hosts
        except ValueError:
            return False

    def _is_known(self, authorization: str) -> bool:
        if self._token is None:
            return True
        scheme, _, given = authorization.partition(" ")
        return scheme.lower() == "bearer" and same(given.strip(), self._token)


def _told(status: int, text: str) -> Response:
    return _json(status, {"error": text})


def _json(status: int, body: dict[str, str]) -> Response:
    headers = {"cache-control": "no-store"}
    if status == 401:
        headers["www-authenticate"] = 'Bearer realm="shadowgraph"'
    if status == 503:
        headers["retry-after"] = "5"
    return Response(json.dumps(body), status, headers, "application/json")
