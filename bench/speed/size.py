"""What the index is made of: `python -m bench.speed.size [--records N]`.

Builds the index of the synthetic corpus as it is and once without each of its fields, next
to raw tantivy with positions, and prints bytes by kind of file. What a field costs is what
its absence saves. Every index is one commit, so that nothing but the fields differs.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.machine import described, table
from bench.speed.corpus import Corpus, searched_text
from bench.speed.raw import RawIndex
from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import packaged
from shadowgraph.search.documents import prepare
from shadowgraph.search.engine import BULK_HEAP_BYTES, Engine
from shadowgraph.search.schema import WORD_FIELDS, Document, Mark

KINDS = (".idx", ".pos", ".term", ".fieldnorm", ".fast", ".store")
"Postings, positions, dictionaries, lengths, columns, stored fields."
_IDENTITY = "bench"


def weighed(directory: Path) -> Counter[str]:
    """Return the bytes of a directory by the ending of its files."""
    found: Counter[str] = Counter()
    for path in directory.rglob("*"):
        if path.is_file():
            found[path.suffix] += path.stat().st_size
    return found


def built(path: Path, documents: Sequence[Document], without: str = "") -> Counter[str]:
    """Return the size of an index of *documents*, the field *without* left empty."""
    kept = (one._replace(words={**one.words, without: ""}) for one in documents)
    with Engine(path, _IDENTITY).writing(BULK_HEAP_BYTES) as writing:
        writing.commit(kept, [], Mark(1, 1, _IDENTITY), fresh=True)
    return weighed(path)


def main() -> None:
    """Build, weigh and print."""
    parser = argparse.ArgumentParser(prog="python -m bench.speed.size", description=__doc__)
    parser.add_argument("--records", type=int, default=20_000)
    count = parser.parse_args().records
    command = " ".join(["python -m bench.speed.size", *sys.argv[1:]])
    print(described(command), flush=True)
    definition = packaged()
    analyzer = Analyzer(definition.analysis)
    bodies = list(islice(Corpus().records(), count))
    documents = [
        prepare(row, body, definition, analyzer) for row, body in enumerate(bodies, start=1)
    ]
    with TemporaryDirectory(prefix="shadowgraph-bench-") as directory:
        home = Path(directory)
        RawIndex(home / "raw").add(map(searched_text, bodies))
        sizes = {"raw tantivy": weighed(home / "raw")}
        sizes["whole"] = built(home / "whole", documents)
        for name in WORD_FIELDS:
            sizes[f"without `{name}`"] = built(home / f"no-{name}", documents, name)
    print(f"\n{_table(sizes)}")


def _table(sizes: dict[str, Counter[str]]) -> str:
    raw = sizes["raw tantivy"].total()
    rows = [
        [
            name,
            f"{size.total() / 1e6:.1f} MB",
            f"{size.total() / raw:.2f}x",
            *(f"{size[kind] / 1e6:.2f}" for kind in KINDS),
        ]
        for name, size in sizes.items()
    ]
    return table(["index", "bytes", "to raw", *KINDS], rows)


if __name__ == "__main__":
    main()
