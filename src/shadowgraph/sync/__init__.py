"""Keeping the index in step with the store.

The store is the truth and the index follows its journal. Every read asks for a `View`; when
the journal has moved on, the missing changes are applied first. The index carries its own
mark (journal seq, journal hash, store identity), committed together with the documents, so:

* a crash between the store's commit and the index's leaves the mark behind, and the next
  read applies what is missing;
* replaying a change is harmless (delete by row, add);
* an index from another store, or from another history of this one (an older `graph.db`
  put back), does not match and is built again.

Only one writer can have the index at a time, in any process. Whoever finds it busy waits
within a deadline, then answers with what is searchable and says how much is not.

`following` applies what is missing, `current` says which index is in use, `rebuilding`
makes one anew from all records, `indexer` is the thread of a server that does so in time.
"""

from shadowgraph.sync.following import PATIENCE, Sync
from shadowgraph.sync.indexer import Indexer
from shadowgraph.sync.rebuilding import Progress
from shadowgraph.sync.view import View

__all__ = ["PATIENCE", "Indexer", "Progress", "Sync", "View"]
