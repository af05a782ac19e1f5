"""Measure speed: `python -m bench.speed [--records N] [--full]`.

Fills a temporary home step by step and prints two Markdown tables: the figures of the order
of work at `--records`, and every size beside each other.
"""

import argparse
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.machine import Times, described, table
from bench.speed.home import Filled, Home
from bench.speed.inside import Inside
from bench.speed.inside import measure as measure_inside
from bench.speed.outside import Outside, starts
from bench.speed.outside import measure as measure_outside

SIZES = (1_000, 10_000, 100_000, 300_000)


@dataclass(frozen=True, slots=True)
class Measured:
    """Everything measured at one size."""

    size: int
    filled: Filled
    inside: Inside
    outside: Outside
    starts: tuple[Times, Times]
    disk: tuple[int, int]


def main() -> None:
    """Measure and print."""
    options = _options()
    command = " ".join(["python -m bench.speed", *sys.argv[1:]])
    print(described(command), flush=True)
    with TemporaryDirectory(prefix="shadowgraph-bench-") as directory:
        home = Home(Path(directory))
        measured = [_measured(home, size, options.rounds) for size in _sizes(options)]
    at = next(one for one in measured if one.size == options.records)
    print(f"\n### {at.size:,} records\n\n{_figures(at)}")
    print(f"\n### Growth\n\n{_growth(measured)}")


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.speed", description=__doc__)
    parser.add_argument("--records", type=int, default=100_000)
    parser.add_argument("--rounds", type=int, default=200, help="calls per figure")
    parser.add_argument("--full", action="store_true", help="go on to 300,000 records")
    parser.add_argument("--only", action="store_true", help="no smaller sizes")
    return parser.parse_args()


def _sizes(options: argparse.Namespace) -> list[int]:
    smaller = [] if options.only else [n for n in SIZES if n < options.records]
    larger = [n for n in SIZES if n > options.records] if options.full else []
    return [*smaller, options.records, *larger]


def _measured(home: Home, size: int, rounds: int) -> Measured:
    before = time.perf_counter()
    filled = home.grow(size)
    inside = measure_inside(home, rounds)
    disk = home.bytes()
    outside = measure_outside(home, rounds)
    found = Measured(size, filled, inside, outside, starts(home), disk)
    took = time.perf_counter() - before
    print(f"{size:,} records: {took:.0f} s", file=sys.stderr, flush=True)
    return found


def _met(good: bool) -> str:
    return "yes" if good else "**no**"


def _figures(at: Measured) -> str:
    inside, outside = at.inside, at.outside
    ratio = inside.search.p50 / inside.raw.p50
    content = inside.search.p50 / inside.raw_content.p50
    start = at.starts[0].p50 / at.starts[1].p50
    rows = [
        _row("durable write, in process", inside.write, 1, 3),
        _row("search with 10 previews, in process", inside.search, 3, 8),
        _row("... its error lines alone", inside.errors),
        _row("... `Library.search` alone, no reply built", inside.library),
        _row("... raw tantivy, same queries", inside.raw),
        _row("... raw tantivy, without function words", inside.raw_content),
        ("... to raw tantivy", f"{ratio:.2f}x", "", "4x", _met(ratio <= 4)),
        ("... to raw tantivy without function words", f"{content:.2f}x", "", "", ""),
        _row("check of an action, in process", inside.check, 10),
        _row("search after a write (index one behind)", inside.after_write, 60),
        _row("`shadowgraph search` as a fresh process", outside.command, 300),
        _row("`shadowgraph_search` over MCP stdio", outside.search, 8),
        _row("`shadowgraph_record_attempt` over MCP stdio", outside.record, 10),
        _row("spawn to initialize answered", at.starts[0]),
        _row("... of a bare `MCPServer`", at.starts[1]),
        ("... ours to bare", f"{start:.2f}x", "", "1.15x", _met(start <= 1.15)),
        (
            "rebuild",
            f"{inside.rebuilt:,.0f} records/s",
            "",
            "4,000",
            _met(inside.rebuilt >= 4000),
        ),
        ("memory of a server after 100 searches", f"{outside.memory:.0f} MB", "", "", ""),
        (
            "... idle for a minute",
            f"{outside.rested:.0f} MB",
            "",
            "150 MB",
            _met(outside.rested <= 150),
        ),
    ]
    return table(["what", "p50", "p95", "reach", "met"], rows)


def _row(
    what: str, times: Times, p50: float | None = None, p95: float | None = None
) -> tuple[str, ...]:
    if p50 is None:
        return what, f"{times.p50:.2f} ms", f"{times.p95:.2f} ms", "", ""
    reach = f"{p50:g} ms" + (f", p95 {p95:g} ms" if p95 else "")
    good = times.p50 <= p50 and (p95 is None or times.p95 <= p95)
    return what, f"{times.p50:.2f} ms", f"{times.p95:.2f} ms", reach, _met(good)


def _growth(measured: list[Measured]) -> str:
    lines: dict[str, Callable[[Measured], str]] = {
        "durable write, p50": lambda m: f"{m.inside.write.p50:.2f} ms",
        "search, p50": lambda m: f"{m.inside.search.p50:.2f} ms",
        "search, p95": lambda m: f"{m.inside.search.p95:.2f} ms",
        "raw tantivy, p50": lambda m: f"{m.inside.raw.p50:.2f} ms",
        "search to raw": lambda m: f"{m.inside.search.p50 / m.inside.raw.p50:.2f}x",
        "search after a write, p50": lambda m: f"{m.inside.after_write.p50:.1f} ms",
        "fresh process, p50": lambda m: f"{m.outside.command.p50:.0f} ms",
        "search over MCP, p50": lambda m: f"{m.outside.search.p50:.2f} ms",
        "record over MCP, p50": lambda m: f"{m.outside.record.p50:.2f} ms",
        "spawn to initialize": lambda m: f"{m.starts[0].p50:.0f} ms",
        "stored, records/s": lambda m: f"{m.filled.stored:,.0f}",
        "caught up, records/s": lambda m: f"{m.filled.indexed:,.0f}",
        "rebuilt, records/s": lambda m: f"{m.inside.rebuilt:,.0f}",
        "server after 100 searches": lambda m: f"{m.outside.memory:.0f} MB",
        "idle server": lambda m: f"{m.outside.rested:.0f} MB",
        "store on disk": lambda m: f"{m.disk[0] / 1e6:.1f} MB",
        "index on disk": lambda m: f"{m.disk[1] / 1e6:.1f} MB",
        "segments, ours and raw": lambda m: "{} / {}".format(*m.inside.segments),
    }
    rows = [[name, *(show(one) for one in measured)] for name, show in lines.items()]
    return table(["what", *(f"{one.size:,}" for one in measured)], rows)


if __name__ == "__main__":
    main()
