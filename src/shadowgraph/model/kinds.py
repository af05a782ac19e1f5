"""The kinds of record, apart from their shapes: naming them costs no import."""

KINDS = ("attempt", "decision", "fact", "memory", "task", "evidence", "source")
"Every kind that is searched."

LINK_KINDS = ("relation", "review", "kept")
"Kinds that are kept and exported, and that search does not read."

KEPT = "kept"
"""What an imported store held that is no record of ours, verbatim.

It has no place in the index and no limit of size: it is there for an export to give back.
"""
