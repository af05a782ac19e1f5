"""Where a server listens: `HOST:PORT`, IPv6 in brackets, and whether others reach it.

Nothing is bound that was not named: a port alone is refused, for it would mean every
interface. An address counts as loopback by what its name resolves to.
"""

import ipaddress
import socket
from dataclasses import dataclass

from shadowgraph.errors import InvalidInputError, NotConfiguredError

BACKLOG = 2048
"Connections that wait to be accepted."


@dataclass(frozen=True, slots=True)
class Address:
    """A place to listen at."""

    host: str
    port: int

    def url(self, port: int) -> str:
        """Return the address of the endpoint, with the port that was bound."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{port}/mcp"


def parse(text: str) -> Address:
    """Return the address that a text names.

    Raises:
        InvalidInputError: the text is not of the form `HOST:PORT`.
    """
    host, separator, port = text.rpartition(":")
    bracketed = host.startswith("[") and host.endswith("]")
    bare = host[1:-1] if bracketed else host
    known = port.isascii() and port.isdigit() and int(port) <= 65535
    if not (separator and bare and known) or (":" in bare and not bracketed):
        raise InvalidInputError(
            f"{text!r} is no address to serve at.",
            hint="Write HOST:PORT, as in 127.0.0.1:8787 or [::1]:8787; port 0 takes any.",
        )
    return Address(bare, int(port))


def listen(address: Address, *, protected: bool) -> socket.socket:
    """Return a socket that listens; *protected* says that clients need a token.

    Raises:
        InvalidInputError: the host does not resolve.
        NotConfiguredError: others would reach a server without a token, or the port is taken.
    """
    try:
        family, _, _, _, target = socket.getaddrinfo(
            address.host, address.port, type=socket.SOCK_STREAM
        )[0]
    except OSError as error:
        raise InvalidInputError(f"{address.host!r} is no known host: {error}.") from error
    if not protected and not _is_loopback(str(target[0])):
        raise NotConfiguredError(
            f"{address.host} can be reached from other machines and there is no token.",
            hint="Run `shadowgraph token` first, or serve at 127.0.0.1.",
        )
    try:
        return socket.create_server(
            (str(target[0]), address.port), family=family, backlog=BACKLOG
        )
    except OSError as error:
        raise NotConfiguredError(
            f"Port {address.port} of {address.host} cannot be listened at: {error}.",
            hint="Name another one, or port 0 for any that is free.",
        ) from error


def _is_loopback(host: str) -> bool:
    return ipaddress.ip_address(host.partition("%")[0]).is_loopback
