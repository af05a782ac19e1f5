"""The kinds of record, apart from their shapes: naming them costs no import."""

KINDS = ("attempt", "decision", "fact", "memory", "task", "evidence", "source")
"Every kind that is searched."

LINK_KINDS = ("relation", "review")
"Kinds that are kept and exported, and that search does not read."
