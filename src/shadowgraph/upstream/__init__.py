"""Stores of the upstream tool: reading every form they come in, and writing the newest.

`envelope` is the JSON form and what all forms are brought to, `tables` the SQLite form,
`normalise` turns older shapes into those of schema 7, `placing` gives every item an owner,
`settle` leaves one active fact or memory per key, `report` says what was done, `importing`
writes, `retries` binds keys, `replay` looks after the journal that came along, and `export` gives everything
back. `loading` is the way in for any file; our own format, JSON Lines, is in `shadowgraph.exchange`.

The invariant of all of it: nothing vanishes. What is no record of ours, or none that can be
used, becomes a record of kind `kept` and leaves with the next export.
"""

from shadowgraph.upstream.envelope import Envelope
from shadowgraph.upstream.export import export_envelope
from shadowgraph.upstream.importing import Choice, import_store
from shadowgraph.upstream.loading import import_file, read_store
from shadowgraph.upstream.report import Report

__all__ = [
    "Choice",
    "Envelope",
    "Report",
    "export_envelope",
    "import_file",
    "import_store",
    "read_store",
]
