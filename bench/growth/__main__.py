"""Measure a very large home: `python -m bench.growth [--records N] [--home DIRECTORY]`.

The index is built anew first, so the calls of a client meet what a rebuild leaves.
With `--home` the home stays, and a later run with the same directory goes on filling where
the one before stopped; without it a temporary one is filled and removed.
"""

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.growth.filling import catch_up, fill
from bench.growth.measuring import Grown, measure
from bench.machine import Times, described, table

FAR_BEHIND = 100_000
"Records that a read may be asked to index; beyond that the rebuild does it, on two cores."


def main() -> None:
    """Fill, measure and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--records", type=int, default=1_000_000)
    parser.add_argument("--rounds", type=int, default=200, help="calls per figure")
    parser.add_argument("--home", type=Path, help="directory that stays")
    options = parser.parse_args()
    given = ["DIRECTORY" if "/" in one else one for one in sys.argv[1:]]
    print(described(" ".join(["python -m bench.growth", *given])), flush=True)
    with TemporaryDirectory(prefix="shadowgraph-growth-") as directory:
        home = options.home or Path(directory)
        added, storing = fill(home, options.records)
        print(f"* added: {added:,} records", flush=True)
        rows = [_rate("stored", added / storing)] if added else []
        if 0 < added <= FAR_BEHIND:
            rows.append(_rate("caught up", added / catch_up(home)))
        rows += _rows(measure(home, options.rounds))
    head = ["what", f"{options.records:,} records", "reach", "met"]
    print(f"\n{table(head, rows)}")


def _rows(grown: Grown) -> list[tuple[str, str, str, str]]:
    ratio = grown.journal_bytes / max(1, grown.record_bytes)
    return [
        _times("open", grown.open, 100),
        _times("durable write", grown.write),
        _times("search, ten previews", grown.search, 25),
        _times("... the engine's first step alone", grown.engine),
        _times("check", grown.check),
        _times("context", grown.context),
        _rate("rebuild", grown.rebuilt),
        _bound("... peak memory", grown.memory, 1_000),
        ("backup", f"{grown.backup:.1f} s, {_mb(grown.backup_bytes)}", "", ""),
        ("doctor", f"{grown.doctor:.1f} s", "finds nothing", _met(grown.sound)),
        ("records", _mb(grown.record_bytes), "", ""),
        ("journal", f"{_mb(grown.journal_bytes)} ({ratio:.2f} of the records)", "", ""),
        ("store on disk", _mb(grown.store_bytes), "", ""),
        ("index on disk", _mb(grown.index_bytes), "", ""),
        ("segments", str(grown.segments), "", ""),
    ]


def _rate(what: str, rate: float) -> tuple[str, str, str, str]:
    return what, f"{rate:,.0f} records/s", "", ""


def _times(what: str, times: Times, p95: float | None = None) -> tuple[str, str, str, str]:
    told = f"p50 {times.p50:.2f} ms, p95 {times.p95:.2f} ms"
    if p95 is None:
        return what, told, "", ""
    return what, told, f"p95 {p95:g} ms", _met(times.p95 <= p95)


def _bound(what: str, megabytes: float, most: float) -> tuple[str, str, str, str]:
    return what, f"{megabytes:,.0f} MB", f"{most:,.0f} MB", _met(megabytes <= most)


def _mb(count: int) -> str:
    return f"{count / 1e6:,.1f} MB"


def _met(good: bool) -> str:
    return "yes" if good else "**no**"


if __name__ == "__main__":
    main()
