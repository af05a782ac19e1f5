"""Files and rows that somebody else changed: noticed, named, and not believed.

What happens to whole files of the index is in `test_index_damage`; here are single bytes,
which the engine itself does not notice, and rows of the store edited by hand.
"""

import json
import os
from pathlib import Path

import apsw
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.store.bodies import WRITTEN, fact, put
from tests.sync.finding import found

from shadowgraph import Library
from shadowgraph.cli.main import main
from shadowgraph.doctor import Finding, examine
from shadowgraph.errors import IndexDamagedError, StoreDamagedError
from shadowgraph.search.checksums import NOTE, faults
from shadowgraph.search.engine import Engine
from shadowgraph.store.backup import write_backup

CAROUSEL = {"attempt_carousel-preload", "decision_avif-only"}


@pytest.fixture
def home(tiny_library: Library) -> Path:
    """Return a closed home with the twelve records, indexed, opened once since."""
    tiny_library.search("ledger")
    tiny_library.close()
    with Library(tiny_library.home) as again:
        again.search("ledger")
    return tiny_library.home


def segment_files(home: Path) -> list[Path]:
    """Return the files of the segments of the index in use."""
    return sorted(
        path
        for path in (home / "index").glob("*/g-*/*")
        if len(path.name.split(".")[0]) == 32
    )


def flip(path: Path, at: int) -> None:
    """Change one bit of a file, in place."""
    with path.open("r+b") as file:
        file.seek(at)
        (byte,) = file.read(1)
        file.seek(at)
        file.write(bytes([byte ^ 0x10]))


def by_hand(home: Path, sql: str) -> None:
    """Change the store as a person with an SQLite shell would."""
    connection = apsw.Connection(str(home / "graph.db"))
    connection.execute(sql)
    connection.close()


def finding(library: Library, name: str) -> Finding:
    """Return the first finding of the doctor with a name."""
    return next(one for one in examine(library) if one.name == name)


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_any_flipped_bit_of_a_segment_is_noticed(home: Path, data: st.DataObject) -> None:
    """Whichever file and whichever byte before the footer."""
    path = data.draw(st.sampled_from(segment_files(home)))
    directory, before = path.parent, path.read_bytes()
    at = data.draw(st.integers(0, before.rindex(b'{"version"') - 1))
    assert [] == faults(directory)

    flip(path, at)
    named = faults(directory)
    path.write_bytes(before)

    assert [path.name] == [one.split(": ")[0] for one in named]


def test_a_flipped_bit_is_repaired_by_the_next_read(home: Path) -> None:
    """The notice names the file, and the answer comes from a new index."""
    victim = next(path for path in segment_files(home) if path.suffix == ".idx")
    flip(victim, 3)

    with Library(home) as library:
        answer = library.search("carousel")

        assert CAROUSEL == {hit.record.id for hit in answer.hits}
        assert victim.name in answer.notices[0]
        assert library.search("carousel").notices == ()


def test_the_doctor_says_what_it_met_and_what_became_of_it(home: Path) -> None:
    """Opening the index for the examination repairs it; the finding tells."""
    flip(segment_files(home)[0], 3)

    with Library(home) as library:
        told = [one.detail for one in examine(library) if one.name == "index"]

    assert any("was damaged and is built again" in detail for detail in told)


def test_the_doctor_finds_damage_under_an_open_index(tiny_library: Library) -> None:
    """A server that opened it before does not look at every byte again; the doctor does."""
    tiny_library.search("ledger")
    victim = next(
        path for path in segment_files(tiny_library.home) if path.suffix == ".fieldnorm"
    )
    flip(victim, 3)

    before = finding(tiny_library, "index files")
    tiny_library.reindex()

    assert not before.ok
    assert victim.name in before.detail
    assert finding(tiny_library, "index files").ok


def test_the_doctor_does_not_believe_the_note(home: Path) -> None:
    """A disk that forgets a bit changes no times."""
    victim = segment_files(home)[0]
    flip(victim, 3)
    note = victim.parent / NOTE
    stat = victim.stat()
    noted = json.loads(note.read_bytes())
    noted[victim.name] = [stat.st_size, stat.st_mtime_ns, stat.st_ctime_ns]
    note.write_text(json.dumps(noted), encoding="ascii")

    assert [] == faults(victim.parent)
    assert [victim.name] == [
        one.split(": ")[0] for one in faults(victim.parent, every=True)
    ]


@pytest.mark.parametrize("content", [b"", b"[]", b"\xff", b'{"a": 1}'])
def test_a_note_with_garbage_is_made_anew(home: Path, content: bytes) -> None:
    """Everything is compared again."""
    directory = segment_files(home)[0].parent
    whole = json.loads((directory / NOTE).read_bytes())
    (directory / NOTE).write_bytes(content)

    assert [] == faults(directory)
    assert whole == json.loads((directory / NOTE).read_bytes())


def test_a_file_is_compared_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Opening an index again reads none of its files for their checksums."""
    directory = segment_files(home)[0].parent
    monkeypatch.setattr("shadowgraph.search.checksums._fault", lambda _: "was read")

    assert [] == faults(directory)
    assert faults(directory, every=True)


def test_a_file_that_is_not_committed_is_not_judged(home: Path) -> None:
    """Another process may be writing it at this moment, or have died over it."""
    committed = segment_files(home)[0]
    (committed.parent / f"{committed.name.split('.')[0]}.999.del").write_bytes(b"half")

    assert [] == faults(committed.parent, every=True)


def test_an_engine_does_not_open_over_damage(home: Path) -> None:
    """It names the file."""
    victim = segment_files(home)[0]
    os.truncate(victim, 5)

    with pytest.raises(IndexDamagedError) as told:
        Engine(victim.parent, "store")

    assert victim.name.split(".")[0] in str(told.value)


EDITS = {
    "text": "UPDATE record SET body = replace(body, 'preload', 'postload')"
    " WHERE id = 'attempt_carousel-preload'",
    "owner": "UPDATE record SET owner = 'project:acme/other'"
    " WHERE id = 'attempt_carousel-preload'",
    "time": "UPDATE record SET updated = updated + 1 WHERE id = 'attempt_carousel-preload'",
    "no text": "UPDATE record SET body = 'nothing' WHERE id = 'attempt_carousel-preload'",
    "gone": "DELETE FROM record WHERE id = 'attempt_carousel-preload'",
    "watched": "INSERT INTO condition SELECT 'project:acme/other', 'new.key', row"
    " FROM record WHERE id = 'attempt_carousel-preload'",
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_a_row_edited_by_hand_is_named_by_the_doctor(home: Path, edit: str) -> None:
    """Body, columns and side tables; a new index does not make it true."""
    by_hand(home, edit)

    with Library(home) as library:
        told = finding(library, "records")

    assert not told.ok
    assert "attempt_carousel-preload" in told.detail or "cannot be read" in told.detail
    assert told.next


def test_a_row_that_was_put_in_by_hand_is_named(home: Path) -> None:
    """The journal does not hold it, so nobody recorded it."""
    body = json.dumps(fact("fact_smuggled"))
    by_hand(
        home,
        "INSERT INTO record (id, kind, owner, created, updated, body)"
        f" VALUES ('fact_smuggled', 'fact', 'project:acme/billing-api', 1, 1, '{body}')",
    )

    with Library(home) as library:
        told = finding(library, "records")

    assert "fact_smuggled is stored and the journal does not hold it" in told.detail


def test_a_journal_edited_by_hand_is_named_and_backs_up_nothing(
    home: Path, tmp_path: Path
) -> None:
    """What is not whole is refused, not repaired."""
    by_hand(home, "UPDATE journal SET payload = '{}' WHERE seq = 3")

    with Library(home) as library:
        told = finding(library, "journal")
        with pytest.raises(StoreDamagedError):
            write_backup(library.store, tmp_path / "file.backup", WRITTEN)

    assert not (tmp_path / "file.backup").exists()
    assert "entry 3: its payload was changed" == told.detail
    assert not told.ok


def test_every_record_of_every_kind_is_filed_under_what_it_says(
    tiny_library: Library,
) -> None:
    """The examination has nothing to say about what the product wrote itself."""
    put(tiny_library, fact("fact_more", key="a.key"))

    assert [] == tiny_library.store.misfiled()


def test_an_index_of_another_version_is_named_and_swept_on_demand(
    home: Path,
) -> None:
    """The doctor names it, and nothing removes it unasked."""
    other = home / "index" / "0123456789abcdef-1"
    (other / "g-000000000000").mkdir(parents=True)

    run = CliRunner().invoke
    told = run(main, ["doctor", "--home", str(home)])
    run(main, ["reindex", "--home", str(home)])
    stayed = other.exists()
    swept = run(main, ["reindex", "--home", str(home), "--sweep"])

    assert other.name in told.output
    assert stayed
    assert "1 indexes of other versions removed" in swept.output
    assert not other.exists()
    with Library(home) as library:
        assert CAROUSEL == found(library, "carousel")
