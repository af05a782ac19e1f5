"""Measure continuity: facts at four budgets, recall at 1200 tokens among 5,000 records.

`python -m bench.continuity [--records N]`
"""

import argparse
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests.operations.leaving import PROJECT, lay_out, scenarios, text_of

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.rules.tokens import tokens

BUDGETS = (220, 900, 1200, 4000)
NOTES = Path(__file__).parents[2] / "fixtures" / "notes"


def unrelated(count: int) -> Iterator[str]:
    """Yield *count* records of other subjects: the notes, under new ids, again and again."""
    files = sorted(NOTES.glob("*.jsonl"))
    notes = [
        json.loads(line)
        for file in files
        for line in file.read_text(encoding="utf-8").splitlines()
    ]
    kept: list[dict[str, Any]] = [n for n in notes if n["kind"] in ("attempt", "decision")]
    for number in range(count):
        note = kept[number % len(kept)]
        fresh = {"id": f"{note['id']}-{number}", "project": PROJECT, "alternatives": []}
        yield json.dumps(note | fresh)


def main() -> None:
    """Measure every scenario and print two tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--records", type=int, default=5_000)
    count = parser.parse_args().records
    print("| scenario | facts at", *BUDGETS, "| recall at 1200 | tokens at 1200 |")
    told = wanted = 0
    for scenario in scenarios():
        with tempfile.TemporaryDirectory() as folder:
            home, root = Path(folder, "home"), Path(folder, "root")
            root.mkdir()
            with Library(home) as library:
                import_lines(library, unrelated(count))
                caller = lay_out(library, scenario, root)
                library.sync.view()
                texts = {b: text_of(library, scenario, caller, b) for b in BUDGETS}
        facts = [sum(f in texts[b] for f in scenario.must.values()) for b in BUDGETS]
        missing = {
            b: [k for k, f in scenario.must.items() if f not in texts[b]] for b in BUDGETS
        }
        found = sum(one in texts[1200] for one in scenario.wanted)
        told, wanted = told + found, wanted + len(scenario.wanted)
        of = len(scenario.must)
        shown = " ".join(f"{n}/{of}" for n in facts)
        print(
            f"| {scenario.name} | {shown} | {found}/{len(scenario.wanted)} | {tokens(texts[1200])} |"
        )
        if any(missing.values()):
            print("missing:", missing)
    print(f"recall {told / wanted:.3f} of {wanted} in a store with {count} other records")


if __name__ == "__main__":
    main()
