"""The store: one SQLite file, the truth.

The only package that imports `apsw`. `connection` is the policy of a connection,
`migrations` the schema as history, `journal` the hash chain, `rows` what SQL filters on,
`transaction` the writing side and `store` the door the rest of the program uses. The
index, its mark and its directory are not known here.
"""

from shadowgraph.store.journal import Change, Head, Origin
from shadowgraph.store.pointers import Place, Pointed
from shadowgraph.store.rows import StoredRecord
from shadowgraph.store.store import ProjectCount, Store, of_one_state
from shadowgraph.store.transaction import Transaction

__all__ = [
    "Change",
    "Head",
    "Origin",
    "Place",
    "Pointed",
    "ProjectCount",
    "Store",
    "StoredRecord",
    "Transaction",
    "of_one_state",
]
