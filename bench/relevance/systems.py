"""The systems that are compared: ours through `Library`, and plain engines.

Every system is a function from a set to a run: for each query the ids of its best ten
documents, best first, within the query's scope and without what it excludes. The others
get title and text as one field unless their name says two, and the OR of a query's words,
as a developer would wire them up in an afternoon.
"""

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import apsw
import bm25s
import numpy as np
import Stemmer
import tantivy

from bench.records import Document, Judged, Question, document_id, record_of
from shadowgraph import Filter, Library
from shadowgraph.exchange import import_lines
from shadowgraph.search.definition import Definition, packaged
from shadowgraph.store.rows import dump

BEST = 10
Run = dict[str, list[str]]
"Ids of documents by query, best first."
_WORD = re.compile(r"\w+")
_AT_ONCE = 5_000


def fixed_clock() -> datetime:
    """Return one instant: recency must not move a pinned figure."""
    return datetime(2026, 11, 15, 12, tzinfo=UTC)


def _kept(ids: Iterable[str], question: Question) -> list[str]:
    return list(islice((one for one in ids if one not in question.exclude), BEST))


def _words(text: str) -> list[str]:
    return list(dict.fromkeys(_WORD.findall(text.lower())))


def ours(judged: Judged, definition: Definition | None = None) -> Run:
    """Search with shadowgraph, one project a scope."""
    with (
        TemporaryDirectory(prefix="shadowgraph-bench-") as directory,
        Library(Path(directory), clock=fixed_clock, definition=definition) as library,
    ):
        _import(library, judged)
        return {q.id: _ours(library, q) for q in judged.questions}


def without(**changes: dict[str, float]) -> Callable[[Judged], Run]:
    """Return ours with other numbers in the tables of `index/ranking.toml`."""
    held = packaged()
    ranking = {
        name: {**table, **changes.get(name, {})} for name, table in held.ranking.items()
    }
    return partial(ours, definition=replace(held, ranking=ranking))


def _import(library: Library, judged: Judged) -> None:
    for start in range(0, len(judged.documents), _AT_ONCE):
        part = judged.documents[start : start + _AT_ONCE]
        import_lines(library, (dump(record_of(judged.name, one)) for one in part))
    while library.sync.view().pending:
        pass


def _ours(library: Library, question: Question) -> list[str]:
    answer = library.search(
        question.text,
        Filter(owner=f"project:{question.scope}"),
        limit=BEST + len(question.exclude),
    )
    return _kept((document_id(hit.record.id) for hit in answer.hits), question)


def fts5(judged: Judged) -> Run:
    """Search with SQLite's FTS5 and its porter tokenizer."""
    connection = apsw.Connection(":memory:")
    connection.execute(
        "CREATE VIRTUAL TABLE doc USING fts5(id UNINDEXED, scope UNINDEXED, text,"
        " tokenize = 'porter unicode61')"
    )
    rows = ((d.id, d.scope, d.whole) for d in judged.documents)
    connection.executemany("INSERT INTO doc VALUES (?, ?, ?)", rows)
    return {q.id: _fts5(connection, q) for q in judged.questions}


def _fts5(connection: apsw.Connection, question: Question) -> list[str]:
    words = " OR ".join(f'"{word}"' for word in _words(question.text))
    if not words:
        return []
    found = connection.execute(
        "SELECT id FROM doc WHERE doc MATCH ? AND scope = ? ORDER BY rank LIMIT ?",
        (words, question.scope, BEST + len(question.exclude)),
    )
    return _kept((one for (one,) in found), question)


def tantivy_default(judged: Judged) -> Run:
    """Search with tantivy, default tokenizer, title and text as two fields."""
    return _tantivy(judged, "default", two=True)


def tantivy_default_one(judged: Judged) -> Run:
    """Search with tantivy, default tokenizer, one field."""
    return _tantivy(judged, "default", two=False)


def tantivy_stem(judged: Judged) -> Run:
    """Search with tantivy, English stemming, one field."""
    return _tantivy(judged, "en_stem", two=False)


def tantivy_stem_two(judged: Judged) -> Run:
    """Search with tantivy, English stemming, title and text as two fields."""
    return _tantivy(judged, "en_stem", two=True)


def _tantivy(judged: Judged, tokenizer: str, *, two: bool) -> Run:
    fields = ["title", "text"] if two else ["text"]
    builder = tantivy.SchemaBuilder()
    builder.add_text_field("id", stored=True, tokenizer_name="raw")
    builder.add_text_field("scope", tokenizer_name="raw")
    for name in fields:
        builder.add_text_field(name, tokenizer_name=tokenizer)
    schema = builder.build()
    index = tantivy.Index(schema)
    writer = index.writer(64_000_000, 1)
    for one in judged.documents:
        writer.add_document(_tantivy_document(one, two=two))
    writer.commit()
    index.reload()
    return {q.id: _tantivy_best(index, schema, fields, q) for q in judged.questions}


def _tantivy_document(one: Document, *, two: bool) -> tantivy.Document:
    texts = {"title": one.title, "text": one.text} if two else {"text": one.whole}
    return tantivy.Document(id=one.id, scope=one.scope, **texts)


def _tantivy_best(
    index: tantivy.Index, schema: tantivy.Schema, fields: list[str], question: Question
) -> list[str]:
    words = " ".join(_words(question.text))
    if not words:
        return []
    scope = tantivy.Query.term_query(schema, "scope", question.scope)
    query = tantivy.Query.boolean_query(
        [
            (tantivy.Occur.Must, index.parse_query(words, fields)),
            (tantivy.Occur.Must, tantivy.Query.const_score_query(scope, 0.0)),
        ]
    )
    searcher = index.searcher()
    hits = searcher.search(query, BEST + len(question.exclude)).hits
    found = (searcher.doc(address).to_dict()["id"][0] for _, address in hits)
    return _kept(found, question)


def bm25(judged: Judged) -> Run:
    """Search with bm25s, English stop words and stemming."""
    stemmer = Stemmer.Stemmer("english")

    def tokens(texts: list[str]) -> Any:
        return bm25s.tokenize(texts, stopwords="en", stemmer=stemmer, show_progress=False)

    index = bm25s.BM25()
    index.index(tokens([d.whole for d in judged.documents]), show_progress=False)
    scopes = np.array([d.scope for d in judged.documents])
    masks = {scope: (scopes == scope).astype(np.float32) for scope in set(scopes.tolist())}
    ids = [d.id for d in judged.documents]
    found: Run = {}
    for q in judged.questions:
        rows, scores = index.retrieve(
            tokens([q.text]),
            k=min(len(ids), BEST + len(q.exclude)),
            weight_mask=masks[q.scope],
            show_progress=False,
        )
        best = zip(rows[0].tolist(), scores[0].tolist(), strict=True)
        found[q.id] = _kept((ids[row] for row, score in best if score > 0), q)
    return found


SYSTEMS: dict[str, Callable[[Judged], Run]] = {
    "shadowgraph": ours,
    "FTS5 porter": fts5,
    "tantivy default, 1 field": tantivy_default_one,
    "tantivy default, 2 fields": tantivy_default,
    "tantivy en_stem, 1 field": tantivy_stem,
    "tantivy en_stem, 2 fields": tantivy_stem_two,
    "bm25s stop+stem": bm25,
}
OURS = "shadowgraph"
NO_PRIORS = dict.fromkeys(packaged().ranking["prior"], 1.0)
ABLATIONS: dict[str, Callable[[Judged], Run]] = {
    "as it is": ours,
    "without parts": without(boost={"part": 0.001}),
    "without exact words": without(boost={"exact": 0.0}),
    "without titles": without(boost={"title": 0.0}),
    "without alone": without(boost={"alone": 0.0}),
    "without neighbours": without(
        boost={"neighbours": 0.0, "near": 0.0, "apart": 0.0, "verbatim": 0.0}
    ),
    "without nearness": without(boost={"near": 0.0, "apart": 0.0}),
    "without repeats": without(query={"repeat": 0.0}),
    "without priors": without(prior=NO_PRIORS, recency={"share": 0.0}),
}
"Ours with one ingredient left out: each has to earn its place."
