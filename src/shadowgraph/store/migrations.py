"""The schema as history: numbered functions, one transaction each with its ledger row.

A step is never changed once released; a new one is appended. A store whose ledger holds a
step this build does not know was written by a newer version and is refused, untouched.

Every entity, relations and reviews included, is one row of `record`: that gives all of them
one id namespace, one journal and one way in and out. What only SQL has to look up (the
facts a condition watches) stands in side tables that are rebuilt from the row's body.
"""

from collections.abc import Callable

import apsw

from shadowgraph.errors import StoreDamagedError, StoreTooNewError
from shadowgraph.ids import new_id

APPLICATION_ID = 0x53474D31
"Marks the file as ours in SQLite's header (the letters SGM1)."


def m001_initial(connection: apsw.Connection) -> None:
    """Records, what conditions watch, retry keys, journal and meta."""
    connection.execute(
        """
        CREATE TABLE meta (key TEXT PRIMARY KEY, value ANY NOT NULL) STRICT, WITHOUT ROWID;

        -- AUTOINCREMENT: the index names rows, so a number is never used twice.
        CREATE TABLE record (
            row INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            kind TEXT NOT NULL,
            owner TEXT NOT NULL,
            status TEXT,
            result_class TEXT,
            confidence REAL,
            fact_key TEXT,
            outcome TEXT,
            created INTEGER NOT NULL,
            updated INTEGER NOT NULL,
            review_after INTEGER,
            expires INTEGER,
            body TEXT NOT NULL
        ) STRICT;
        CREATE INDEX record_by_owner ON record (owner, kind, updated);
        CREATE UNIQUE INDEX one_active_fact ON record (owner, fact_key)
            WHERE kind = 'fact' AND status = 'active';
        CREATE INDEX fact_history ON record (owner, fact_key, created)
            WHERE kind = 'fact';
        CREATE INDEX inactive_fact ON record (owner, updated)
            WHERE kind = 'fact' AND status <> 'active';
        CREATE INDEX expiring_fact ON record (owner, expires)
            WHERE kind = 'fact' AND status = 'active' AND expires IS NOT NULL;
        CREATE INDEX review_due ON record (owner, review_after)
            WHERE review_after IS NOT NULL;
        CREATE INDEX failed_outcome ON record (owner, updated)
            WHERE outcome = 'failed';
        CREATE INDEX low_confidence ON record (owner, confidence)
            WHERE kind = 'decision';

        -- Which records have a condition on which fact key or token.
        CREATE TABLE condition (
            owner TEXT NOT NULL,
            key TEXT NOT NULL,
            row INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
            PRIMARY KEY (owner, key, row)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX condition_by_row ON condition (row);

        CREATE TABLE idempotency (
            key TEXT PRIMARY KEY,
            record_id TEXT NOT NULL,
            fingerprint BLOB NOT NULL,
            created INTEGER NOT NULL
        ) STRICT, WITHOUT ROWID;

        CREATE TABLE journal (
            seq INTEGER PRIMARY KEY AUTOINCREMENT,
            at TEXT NOT NULL,
            type TEXT NOT NULL,
            kind TEXT NOT NULL,
            entity TEXT NOT NULL,
            row INTEGER NOT NULL,
            owner TEXT NOT NULL,
            provenance TEXT NOT NULL,
            payload TEXT,
            digest BLOB NOT NULL,
            hash BLOB NOT NULL
        ) STRICT;
        CREATE INDEX journal_by_entity ON journal (entity, seq);
        """
    )
    connection.execute("INSERT INTO meta VALUES ('identity', ?)", (new_id("store"),))
    connection.execute("INSERT INTO meta VALUES ('revision', 0)")


def m002_graph(connection: apsw.Connection) -> None:
    """Where relations lead, which decision holds an alternative, who has a memory's key.

    No index here is unique: what was imported came as it was and must open again.
    """
    connection.execute(
        """
        CREATE INDEX relation_from ON record (body ->> '$.from') WHERE kind = 'relation';
        CREATE INDEX relation_to ON record (body ->> '$.to') WHERE kind = 'relation';
        CREATE INDEX memory_key ON record (owner, body ->> '$.key') WHERE kind = 'memory';

        -- Alternatives stand inside decisions and are end points of relations.
        CREATE TABLE alternative (
            id TEXT NOT NULL,
            row INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
            PRIMARY KEY (id, row)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX alternative_by_row ON alternative (row);
        INSERT OR IGNORE INTO alternative
            SELECT one.value ->> '$.id', record.row
            FROM record, json_each(record.body, '$.alternatives') AS one
            WHERE record.kind = 'decision' AND one.type = 'object'
            AND json_type(one.value, '$.id') = 'text';
        """
    )


def m003_keeping(connection: apsw.Connection) -> None:
    """Retraction as a column, and the journal of one owner without a walk."""
    connection.execute(
        """
        -- Milliseconds since 1970; NULL for a record that stands.
        ALTER TABLE record ADD COLUMN retracted INTEGER;
        DROP INDEX record_by_owner;
        CREATE INDEX record_by_owner ON record (owner, kind, updated, retracted);
        CREATE INDEX journal_by_owner ON journal (owner, seq);
        """
    )
    connection.execute("INSERT INTO meta VALUES ('epoch', 0)")


def m004_tasks(connection: apsw.Connection) -> None:
    """Which task is current, per owner, worktree and client session."""
    connection.execute(
        """
        -- A pointer goes with the task it names, in a purge as well.
        CREATE TABLE pointer (
            owner TEXT NOT NULL,
            worktree TEXT NOT NULL,
            session TEXT NOT NULL,
            row INTEGER NOT NULL REFERENCES record (row) ON DELETE CASCADE,
            moved INTEGER NOT NULL,
            PRIMARY KEY (owner, worktree, session)
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX pointer_by_row ON pointer (row);
        """
    )


MIGRATIONS: tuple[Callable[[apsw.Connection], None], ...] = (
    m001_initial,
    m002_graph,
    m003_keeping,
    m004_tasks,
)
"Every step in order; the position plus one is its number."


def applied(connection: apsw.Connection) -> int:
    """Return the number of the newest step in the ledger; 0 for an empty file.

    Raises:
        StoreDamagedError: the file is a SQLite database, but not one of ours.
    """
    names = {
        name for (name,) in connection.execute("SELECT name FROM sqlite_schema LIMIT 50")
    }
    if not names:
        return 0
    if "migration" not in names or connection.pragma("application_id") != APPLICATION_ID:
        raise StoreDamagedError(
            f"{connection.filename} is a SQLite file, but not a shadowgraph store."
        )
    number = connection.execute("SELECT max(number) FROM migration").get
    return int(number or 0)


def migrate(connection: apsw.Connection, at: str) -> None:
    """Bring the schema up to date; nothing is written when it already is.

    Raises:
        StoreTooNewError: the ledger holds a step this build does not have.
        StoreDamagedError: a step does not fit the tables that are there.
    """
    if applied(connection) == len(MIGRATIONS):
        return
    connection.execute("BEGIN IMMEDIATE")
    try:
        _migrate_from(connection, applied(connection), at)
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _migrate_from(connection: apsw.Connection, number: int, at: str) -> None:
    if number > len(MIGRATIONS):
        raise StoreTooNewError(
            f"The store is at schema {number}; this version knows {len(MIGRATIONS)}."
        )
    if number == 0:
        connection.pragma("application_id", APPLICATION_ID)
        connection.execute(
            "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
            " at TEXT NOT NULL) STRICT"
        )
    for step, function in enumerate(MIGRATIONS[number:], start=number + 1):
        _run(function, connection)
        connection.execute(
            "INSERT INTO migration VALUES (?, ?, ?)", (step, function.__name__, at)
        )


def _run(step: Callable[[apsw.Connection], None], connection: apsw.Connection) -> None:
    """Run one step; a table that it does not fit was changed by somebody else."""
    try:
        step(connection)
    except apsw.SQLError as error:
        raise StoreDamagedError(
            f"{connection.filename}: step {step.__name__} of the schema does not fit what"
            f" is there ({error}). Nothing was changed."
        ) from error
