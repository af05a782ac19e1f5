"""What the engine keeps of a record: its fields, and the two kinds of documents.

Nothing is stored but fast integers. A document holds the row number of its record, the
terms that filters need, and prepared text. One more document, the *mark*, says up to which
journal entry of which store the index is applied.
"""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

import tantivy

SCHEMA_VERSION = 5
"Part of the name of an index directory, so that two schemas never share one."

MARK_OWNER = "store:"
"Before the identity of the store, as the owner of the mark."

RAW_FIELDS = ("owner", "kind", "status", "result", "source", "mark")
WORD_FIELDS = ("text", "exact", "title", "scene", "signature")


class Mark(NamedTuple):
    """Up to where an index is applied."""

    seq: int
    "Journal sequence number; 0 for a new index."
    check: int
    "First eight bytes of the journal hash at that entry: which history it was."
    identity: str
    "The store it was built from."


class Document(NamedTuple):
    """One record, prepared for the index."""

    row: int
    terms: Mapping[str, str]
    "Values of the raw fields."
    words: Mapping[str, str]
    "Prepared text of the word fields."
    created: int
    confidence: float | None
    traits: int
    "What the priors look at, packed by `traits.pack`."


@lru_cache(maxsize=1)
def build_schema() -> tantivy.Schema:
    """Return the engine's schema; a change to it needs a new `SCHEMA_VERSION`."""
    builder = tantivy.SchemaBuilder()
    # Signed: the binding makes a signed term of a number, so deleting by term finds
    # nothing in an unsigned field and says nothing.
    builder.add_integer_field("row", indexed=True, fast=True)
    for name in RAW_FIELDS:
        # "raw": an id or a filter value is one term, never cut into words.
        builder.add_text_field(name, tokenizer_name="raw", index_option="basic")
    builder.add_text_field("text", tokenizer_name="prepared", index_option="position")
    builder.add_text_field("exact", tokenizer_name="prepared", index_option="freq")
    builder.add_text_field("title", tokenizer_name="prepared", index_option="freq")
    builder.add_text_field("scene", tokenizer_name="prepared", index_option="basic")
    builder.add_text_field("signature", tokenizer_name="prepared", index_option="basic")
    # A range is looked up in the fast column; an inverted list beside it is never read.
    builder.add_integer_field("created", fast=True)
    builder.add_unsigned_field("traits", fast=True)
    builder.add_float_field("confidence", fast=True)
    builder.add_unsigned_field("mark_seq", fast=True)
    builder.add_unsigned_field("mark_check", fast=True)
    return builder.build()


def engine_document(document: Document) -> tantivy.Document:
    """Return a record as the engine takes it."""
    fresh = tantivy.Document()
    fresh.add_integer("row", document.row)
    for name, value in document.terms.items():
        fresh.add_text(name, value)
    for name, value in document.words.items():
        if value:
            fresh.add_text(name, value)
    fresh.add_integer("created", document.created)
    fresh.add_unsigned("traits", document.traits)
    if document.confidence is not None:
        fresh.add_float("confidence", document.confidence)
    return fresh


def mark_document(mark: Mark) -> tantivy.Document:
    """Return the document that says up to where an index is applied."""
    fresh = tantivy.Document()
    fresh.add_text("mark", "applied")
    fresh.add_text("owner", f"{MARK_OWNER}{mark.identity}")
    fresh.add_unsigned("mark_seq", mark.seq)
    fresh.add_unsigned("mark_check", mark.check)
    return fresh
