"""Raw tantivy: what the engine alone costs on the same corpus and query.

One text field with the default tokenizer, nothing stored, a query that is the OR of its
words, the best ten. No filter, no priors, no record is read.
"""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tantivy

_WORD = re.compile(r"[^\W_]+")
LONGEST = 39
"The default tokenizer drops longer words (in bytes)."


class RawIndex:
    """An index with one text field."""

    def __init__(self, path: Path) -> None:
        """Make an empty index in *path*."""
        builder = tantivy.SchemaBuilder()
        builder.add_text_field("text")
        self.schema = builder.build()
        path.mkdir(parents=True)
        self._index = tantivy.Index(self.schema, path=str(path))

    def add(self, texts: Iterable[str]) -> None:
        """Add documents and commit."""
        writer = self._index.writer(128_000_000, 1)
        for text in texts:
            writer.add_document(tantivy.Document(text=text))
        writer.commit()
        writer.wait_merging_threads()
        self._index.reload()

    @property
    def segments(self) -> int:
        """The number of segments."""
        return int(self._index.searcher().num_segments)

    def query(self, text: str) -> Any:
        """Return the OR of the words of *text*."""
        words = dict.fromkeys(_WORD.findall(text.lower()))
        terms = [
            (tantivy.Occur.Should, tantivy.Query.term_query(self.schema, "text", word))
            for word in words
            if len(word.encode()) <= LONGEST
        ]
        return tantivy.Query.boolean_query(terms)

    def search(self, text: str) -> Any:
        """Return the best ten documents for *text*."""
        return self._index.searcher().search(self.query(text), 10)
