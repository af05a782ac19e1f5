"""Many processes on one home: `python -m bench.soak [--seconds N] [--servers N] [--lines N]`.

Servers that speak MCP and loops of command lines write, search, rebuild and import on one
home; beside them a process holds long reads and another works with an index of another
definition. A list of acknowledged words is shared by all clients here: whoever searches asks
for one that was acknowledged before the question was sent, whoever wrote it, and must find
exactly one record. Prints a Markdown table and every fault; exit status 1 when there was one.
"""

import argparse
import json
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.machine import described
from bench.speed.outside import Server, compiled, surroundings
from shadowgraph import Library
from shadowgraph.doctor import examine

PROJECT = "acme/soak"
MOST_WAIT = 5.0
MOST_SEGMENTS = 12
MOST_FILES = 10
"File descriptors that a server may have more at the end than after a quarter."
MOST_MEMORY = 64.0
"MB that a server may have more at the end than after a quarter."

LONG_READER = """
import sys, threading
import apsw
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
while not stop.is_set():
    reading = apsw.Connection(sys.argv[1] + "/graph.db")
    reading.pragma("busy_timeout", 5000)
    reading.execute("BEGIN")
    reading.execute("SELECT count(*) FROM record").get
    stop.wait(10)
    reading.close()
"""
OTHER_DEFINITION = """
import sys, threading
from pathlib import Path
from shadowgraph.sync import current
current.SCHEMA_VERSION = 0
from shadowgraph import Library
from shadowgraph.operations import Caller, invoke
stop = threading.Event()
threading.Thread(target=lambda: (sys.stdin.read(), stop.set()), daemon=True).start()
with Library(Path(sys.argv[1])) as library:
    number = 0
    while not stop.is_set():
        caller = Caller("acme/soak")
        word = f"older{number}z"
        invoke(library, "shadowgraph_record_attempt",
               {"solution": f"Tried {word} once", "result": "failed"}, caller)
        found = invoke(library, "shadowgraph_search", {"query": word}, caller)
        if found["page"]["total"] != 1:
            print(f"the older definition finds {found['page']['total']} of {word}")
        number += 1
        stop.wait(0.5)
print("ended")
"""


@dataclass
class Ledger:
    """What was acknowledged, what was seen, and what was wrong; shared by all clients."""

    home: Path
    words: list[str] = field(default_factory=list)
    counts: Counter[str] = field(default_factory=Counter)
    waits: dict[str, float] = field(default_factory=dict)
    "Longest call by name, in seconds."
    faults: list[str] = field(default_factory=list)
    late: int = 0
    "Searches that found less and said how many entries were not searchable yet."
    stop: threading.Event = field(default_factory=threading.Event)

    def timed(self, name: str, call: Callable[[], Any]) -> Any:
        """Run a call, count it, keep its time if it is the longest."""
        begun = time.monotonic()
        done = call()
        took = time.monotonic() - begun
        self.counts[name] += 1
        self.waits[name] = max(took, self.waits.get(name, 0.0))
        return done

    def judge(self, who: str, word: str, reply: dict[str, Any]) -> None:
        """Note whether a search found what was acknowledged before."""
        total = reply["page"]["total"]
        if total == 1:
            return
        if reply["completeness"].get("pending"):
            self.late += 1
        else:
            self.faults.append(f"{who} finds {total} records with {word}")


class Client(threading.Thread):
    """One client: it does one thing after the other until it is told to stop."""

    def __init__(self, name: str, ledger: Ledger) -> None:
        """Work for *ledger*."""
        super().__init__(name=name)
        self.ledger = ledger
        self.chance = random.Random(name)
        self.number = 0

    def run(self) -> None:
        """Do things until the end; a fault of any kind is noted."""
        try:
            while not self.ledger.stop.is_set():
                self.act()
        except Exception as error:  # noqa: BLE001 - noted, and the soak fails
            self.ledger.faults.append(f"{self.name}: {type(error).__name__}: {error}")

    def act(self) -> None:
        """Do one thing."""
        share = self.chance.random()
        if share < 0.48:
            self.write()
        elif share < 0.97 or not self.may_rebuild:
            self.search()
        else:
            self.rarely()

    may_rebuild = True
    how = ""
    "How it calls, for the table."

    def word(self) -> str:
        """Return a word that nobody else has."""
        self.number += 1
        return f"{self.name}n{self.number}z"

    def write(self) -> None:
        """Record an attempt; when it is acknowledged, tell all the others."""
        word = self.word()
        made = {"solution": f"Tried {word} on the pump", "result": "failed again"}
        self.ledger.timed(
            f"write, {self.how}", lambda: self.call("shadowgraph_record_attempt", made)
        )
        self.ledger.words.append(word)

    def search(self) -> None:
        """Search for a word that somebody had acknowledged, mostly one of the newest."""
        words = self.ledger.words
        if not words:
            return
        word = self.chance.choice(words[-5:] if self.chance.random() < 0.8 else words)
        asked = {"query": word}
        reply = self.ledger.timed(
            f"search, {self.how}", lambda: self.call("shadowgraph_search", asked)
        )
        self.ledger.judge(self.name, word, reply)

    def rarely(self) -> None:
        """Rebuild the index."""
        self.ledger.timed("reindex", lambda: self.call("shadowgraph_reindex", {}))

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool and return its reply."""
        raise NotImplementedError


class OverMcp(Client):
    """A client of a server of its own."""

    how = "by a server"

    def __init__(self, name: str, ledger: Ledger, server: Server) -> None:
        """Speak to *server*."""
        super().__init__(name, ledger)
        self.server = server

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool and return its reply."""
        held: dict[str, Any] = self.server.call(tool, arguments)["structuredContent"]
        return held


class OverShell(Client):
    """A loop of command lines, each a process of its own."""

    may_rebuild = True
    how = "by a process of its own"

    def call(self, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool and return its reply."""
        told = self.shell("call", tool, json.dumps(arguments), "--project", PROJECT)
        held: dict[str, Any] = json.loads(told)
        return held

    def rarely(self) -> None:
        """Import twenty records."""
        fresh = [self.word() for _ in range(20)]
        file = self.ledger.home.parent / f"{self.name}-{self.number}.jsonl"
        lines = [
            {
                "kind": "attempt",
                "id": f"attempt_{word}",
                "project": PROJECT,
                "solution": f"Tried {word} on the pump",
                "result": "failed",
                "createdAt": "2026-03-04T09:15:00Z",
            }
            for word in fresh
        ]
        file.write_text("\n".join(map(json.dumps, lines)), encoding="utf-8")
        self.ledger.timed("import", lambda: self.shell("import", str(file)))
        self.ledger.words += fresh

    def shell(self, *arguments: str) -> str:
        """Run a command and return what it printed.

        Raises:
            RuntimeError: it failed.
        """
        ended = subprocess.run(
            [sys.executable, "-m", "shadowgraph", *arguments],
            env={**surroundings(), "SHADOWGRAPH_HOME": str(self.ledger.home)},
            cwd=self.ledger.home.parent,
            capture_output=True,
            text=True,
            check=False,
        )
        if ended.returncode:
            raise RuntimeError(ended.stderr.strip()[-500:])
        return ended.stdout


def weight(process: int) -> tuple[int, float]:
    """Return open file descriptors and private memory in MB of a process."""
    files = sum(1 for _ in Path(f"/proc/{process}/fd").iterdir())
    text = Path(f"/proc/{process}/smaps_rollup").read_text(encoding="ascii")
    private = sum(
        int(line.split()[1]) for line in text.splitlines() if line.startswith("Private_D")
    )
    return files, private / 1024


def _beside(stack: ExitStack, program: str, home: Path) -> subprocess.Popen[str]:
    child = subprocess.Popen(
        [sys.executable, "-c", program, str(home)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=surroundings(),
    )
    stack.callback(child.kill)
    return child


def soak(home: Path, seconds: float, servers: int, lines: int) -> tuple[Ledger, list[str]]:
    """Run everything for so long; return the ledger and the rows of the table."""
    ledger = Ledger(home)
    command = [sys.executable, "-m", "shadowgraph", "--home", str(home), "serve"]
    command += ["--tools", "all", "--project", PROJECT]
    with ExitStack() as stack:
        with Library(home):
            pass
        extra = [_beside(stack, one, home) for one in (LONG_READER, OTHER_DEFINITION)]
        open_ = [stack.enter_context(Server(command)) for _ in range(servers)]
        for server in open_:
            server.ready()
        clients: list[Client] = [
            OverMcp(f"server{at}", ledger, server) for at, server in enumerate(open_)
        ]
        clients += [OverShell(f"line{at}", ledger) for at in range(lines)]
        before, after = _run(ledger, clients, open_, seconds)
        for child in extra:
            told, _ = child.communicate(timeout=60)
            ledger.faults += [line for line in told.splitlines() if line != "ended"]
    return ledger, _rows(ledger, before, after)


def _run(
    ledger: Ledger, clients: list[Client], servers: list[Server], seconds: float
) -> tuple[list[tuple[int, float]], list[tuple[int, float]]]:
    """Let the clients work; weigh the servers after a quarter and at the end."""
    for client in clients:
        client.start()
    ledger.stop.wait(seconds / 4)
    before = [weight(server.process) for server in servers]
    ledger.stop.wait(seconds * 3 / 4)
    ledger.stop.set()
    for client in clients:
        client.join()
    return before, [weight(server.process) for server in servers]


def _rows(
    ledger: Ledger, before: list[tuple[int, float]], after: list[tuple[int, float]]
) -> list[str]:
    """Examine the home; add faults and return the rows of the table."""
    pairs = list(zip(before, after, strict=True))
    files = max((late[0] - early[0] for early, late in pairs), default=0)
    memory = max((late[1] - early[1] for early, late in pairs), default=0.0)
    segments = _examine(ledger)
    # A process of its own starts first, and a dozen of them share the cores.
    longest = ledger.waits.get(f"write, {OverMcp.how}", 0.0)
    for broken, told in (
        (longest > MOST_WAIT, f"a write took {longest:.1f} s"),
        (segments > MOST_SEGMENTS, f"{segments} segments"),
        (files > MOST_FILES, f"a server has {files} file descriptors more"),
        (memory > MOST_MEMORY, f"a server has {memory:.0f} MB more"),
    ):
        if broken:
            ledger.faults.append(told)
    rows = [
        f"| {name}, calls | {count:,}; longest {ledger.waits[name]:.2f} s |"
        for name, count in sorted(ledger.counts.items())
    ]
    return [
        *rows,
        f"| words acknowledged | {len(ledger.words):,} |",
        f"| searches that said entries were pending | {ledger.late:,} |",
        f"| segments at the end | {segments} |",
        f"| file descriptors, most gained by a server | {files} |",
        f"| memory, most gained by a server | {memory:.1f} MB |",
        f"| faults | {len(ledger.faults)} |",
    ]


def _examine(ledger: Ledger) -> int:
    """Add what doctor and a search for every word find wrong; return the segments."""
    with Library(ledger.home) as library:
        ledger.faults += [
            f"doctor: {one.name}: {one.detail}" for one in examine(library) if not one.ok
        ]
        for word in ledger.words:
            total = library.search(word).total
            if total != 1:
                ledger.faults.append(f"at the end {total} records with {word}")
        return library.sync.as_it_stands().segments


def main() -> int:
    """Soak and print; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--servers", type=int, default=8)
    parser.add_argument("--lines", type=int, default=4)
    given = parser.parse_args()
    command = " ".join(["python -m bench.soak", *sys.argv[1:]])
    print(described(command), "", "| what | figure |", "| --- | --- |", sep="\n")
    compiled()
    with TemporaryDirectory() as directory:
        home = Path(directory) / "home"
        ledger, rows = soak(home, given.seconds, given.servers, given.lines)
    print(*rows, *ledger.faults[:50], sep="\n")
    return 1 if ledger.faults else 0


if __name__ == "__main__":
    sys.exit(main())
