"""The doors through which the faults of similar systems are tried: calls, CLI and server.

Everything is borrowed from the tests of those doors; here is nothing but the one place that
brings them together.
"""

from tests.cli.conftest import cli, shell
from tests.operations.conftest import ask, caller, refused
from tests.server.conftest import serve, wire

__all__ = ["ask", "caller", "cli", "refused", "serve", "shell", "wire"]
