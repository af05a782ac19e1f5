"""`shadowgraph run -- COMMAND`: run a command and keep what it showed as evidence.

The command behaves as without us: its output is passed on as it comes, and its exit status
is ours. Beginning and end of the output are kept, however long it is. What cannot be stored
afterwards is told on stderr and does not change the status of a command that failed.
"""

import shlex
import subprocess
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from functools import partial
from typing import IO, Any

import click

from shadowgraph.cli.options import common, session_of
from shadowgraph.cli.session import Session, print_json
from shadowgraph.errors import ShadowgraphError
from shadowgraph.model.text import clean

HALF = 90_000
"Bytes that are kept of the beginning and of the end, each."
_LAST_LINES = 20


@dataclass
class Kept:
    """Beginning and end of an output that may be endless."""

    begin: bytearray = field(default_factory=bytearray)
    end: deque[bytes] = field(default_factory=deque)
    held: int = 0
    left_out: int = 0

    def add(self, chunk: bytes) -> None:
        """Take the next part; what is in the middle goes."""
        room = HALF - len(self.begin)
        self.begin += chunk[:room]
        rest = chunk[room:]
        if rest:
            self.end.append(rest)
            self.held += len(rest)
        while self.held > HALF and len(self.end) > 1:
            gone = len(self.end.popleft())
            self.held -= gone
            self.left_out += gone

    def text(self) -> str:
        """Return what was kept, with a line for what was not."""
        begin = self.begin.decode("utf-8", "replace")
        end = b"".join(self.end).decode("utf-8", "replace")
        if self.left_out:
            return f"{begin}\n[{self.left_out:,} bytes left out]\n{end}"
        return begin + end


@click.command("run", context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, required=True, type=click.UNPROCESSED)
@click.option("--kind", default="command", show_default=True, help="Label of the evidence.")
@click.option("--task-id", help="Task it belongs to; the current one when left out.")
@click.option("--record", is_flag=True, help="Record a failure as a dead end, too.")
@click.option("--reason", help="Why it failed, for --record.")
@common
@click.pass_context
def run(context: click.Context, /, **arguments: Any) -> None:
    """Run COMMAND and keep output, exit status and duration as evidence.

    Write `--` before COMMAND when it has options of its own.
    """
    session = session_of(context, arguments)
    words = list(arguments["command"])
    started = time.monotonic()
    status, output = _run(words, sys.stderr.buffer if session.as_json else None)
    millis = round((time.monotonic() - started) * 1000)
    call = {
        "kind": arguments["kind"],
        "command": shlex.join(words),
        "content": clean(output)[0],
        "exitCode": status,
        "durationMs": millis,
        "taskId": arguments["task_id"],
    }
    try:
        _keep(session, call, arguments)
    except ShadowgraphError as error:
        click.echo(f"shadowgraph: not kept: {error.text()}", err=True)
        status = status or error.exit_status
    context.exit(status)


def _run(words: list[str], out: IO[bytes] | None) -> tuple[int, str]:
    """Run a command; return its exit status and what was kept of its output."""
    kept = Kept()
    try:
        with subprocess.Popen(  # noqa: S603 - the user's own command, no shell
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            for chunk in iter(partial(_next, process), b""):
                kept.add(chunk)
                _pass_on(chunk, out)
    except OSError as error:
        told = f"{words[0]}: {error.strerror}\n".encode()
        kept.add(told)
        _pass_on(told, out)
        return 127, kept.text()
    code = process.returncode
    # A shell tells a signal so.
    return (128 - code if code < 0 else code), kept.text()


def _next(process: subprocess.Popen[bytes]) -> bytes:
    """Return what there is to read, as soon as there is something."""
    stream: Any = process.stdout
    chunk: bytes = stream.read1(65_536)
    return chunk


def _pass_on(chunk: bytes, out: IO[bytes] | None) -> None:
    stream: IO[bytes] = out if out is not None else sys.stdout.buffer
    stream.write(chunk)
    stream.flush()


def _keep(session: Session, call: dict[str, Any], arguments: dict[str, Any]) -> None:
    """Store the evidence, and the dead end when that was asked for."""
    reply = session.call("attach_evidence", call)
    failed = call["exitCode"] != 0
    if failed and arguments["record"]:
        last = call["content"].rstrip().splitlines()[-_LAST_LINES:]
        dead = {
            "text": call["command"],
            "reason": arguments["reason"],
            "result": "\n".join([f"exit status {call['exitCode']}", *last]),
            "evidence": [reply["id"]],
            "taskId": call["taskId"],
        }
        reply["deadEnd"] = session.call("record_dead_end", dead)["id"]
    if session.as_json:
        print_json({**reply, "exitCode": call["exitCode"]})
        return
    _tell(reply, failed=failed)


def _tell(reply: dict[str, Any], *, failed: bool) -> None:
    """Say on stderr what was kept; stdout is the command's."""
    of = f" of {reply['taskId']}" if reply.get("taskId") else ""
    click.echo(f"shadowgraph: kept as {reply['id']}{of}", err=True)
    for text in reply.get("notices", ()):
        click.echo(f"shadowgraph: {text}", err=True)
    if reply.get("deadEnd"):
        click.echo(f"shadowgraph: recorded as {reply['deadEnd']}", err=True)
    elif failed:
        click.echo(
            "shadowgraph: it failed; with --record (and --reason) it is kept as an attempt"
            " that others are warned of",
            err=True,
        )
