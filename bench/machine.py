"""The machine a figure was measured on, and the two numbers a figure is stated by.

A time without its machine says nothing, so every report begins with `described`. Times are
medians and 95th percentiles: means hide the one slow call that a user remembers.
"""

import os
import platform
import statistics
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import TypeVar

import apsw

Item = TypeVar("Item")


def described(command: str) -> str:
    """Return the machine, the versions, the date and the command as Markdown."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 0
    facts = {
        "command": f"`{command}`",
        "date": f"{datetime.now(UTC):%Y-%m-%d %H:%M} UTC",
        "machine": f"{cores or os.cpu_count()} cores, {_processor()}, {_system()}",
        "Python": platform.python_version(),
        "SQLite": f"{apsw.sqlite_lib_version()} (apsw {version('apsw')})",
        "tantivy": version("tantivy"),
        "mcp": version("mcp"),
        "load before": f"{os.getloadavg()[0]:.2f} (one minute)",
    }
    return "\n".join(f"* {name}: {value}" for name, value in facts.items())


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor() or platform.machine()
    names = [line.split(":", 1)[1].strip() for line in lines if "model name" in line]
    return names[0] if names else platform.machine()


def _system() -> str:
    return f"{platform.system()} {platform.release().split('-')[0]}"


@dataclass(frozen=True, slots=True)
class Times:
    """Measured times in milliseconds."""

    values: tuple[float, ...]

    @property
    def p50(self) -> float:
        """The median."""
        return statistics.median(self.values)

    @property
    def p95(self) -> float:
        """The 95th percentile; the largest when there are few."""
        ordered = sorted(self.values)
        return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]


def timed(call: Callable[[Item], object], items: Iterable[Item]) -> Times:
    """Return the time of *call* on each of *items*."""
    found = []
    for item in items:
        before = time.perf_counter()
        call(item)
        found.append((time.perf_counter() - before) * 1000)
    return Times(tuple(found))


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """Return a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)
