"""Reverts of a Git history: a commit that was taken back is a failed attempt."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.foreign.conftest import Repository

from shadowgraph import Library, ShadowgraphError
from shadowgraph.foreign.reverts import Commit, History, read_reverts
from shadowgraph.upstream import Report

Take = Callable[..., Report]
Held = Callable[..., list[dict[str, Any]]]
REVERTS = {"form": "git-reverts"}
REASON = "It leaks two handles per request."


def test_a_reverted_commit_is_a_failed_attempt_with_the_reason_of_the_revert(
    take: Take, held: Held, repository: Repository
) -> None:
    """With hashes, files, author and the date of the revert."""
    added = repository.commit("Add a cache\n\nFor the slow report.", "cache.py")
    revert = repository.revert(added, f"{REASON}\n\nSigned-off-by: Ada <ada@example.org>")
    take(repository.directory, **REVERTS)

    (attempt,) = held("attempt")
    assert ("Add a cache", "failed", REASON) == (
        attempt["solution"], attempt["resultClass"], attempt["reason"],
    )  # fmt: skip
    assert "Git repository billing: cache.py" == attempt["environment"]
    assert f'Reverted by {revert[:12]}: Revert "Add a cache"' == attempt["result"]
    assert ("2025-03-04T10:03:00.000Z", "Ada") == (attempt["createdAt"], attempt["actor"])
    told = attempt["imported"]
    assert (added, ["cache.py"]) == (told["commit"], told["files"])
    assert "Add a cache\n\nFor the slow report." == told["message"]
    assert "Signed-off-by" in told["history"][0]["message"]


def test_the_same_history_again_changes_nothing(
    take: Take, library: Library, repository: Repository
) -> None:
    """Ids are made from the hashes of commits."""
    repository.revert(repository.commit("Add a cache", "cache.py"), REASON)
    first = take(repository.directory, **REVERTS)
    again = take(repository.directory, **REVERTS)

    assert (1, 0, 1) == (first.imported, again.imported, again.unchanged)
    assert 1 == sum(library.store.counts().values())


def test_a_history_that_went_on_brings_what_is_new(
    take: Take, repository: Repository
) -> None:
    """What was known is left."""
    repository.revert(repository.commit("Add a cache", "cache.py"), REASON)
    take(repository.directory, **REVERTS)
    repository.revert(repository.commit("Tune the pool", "pool.py"), "Too many clients.")
    again = take(repository.directory, **REVERTS)

    assert (1, 1) == (again.imported, again.unchanged)


@pytest.mark.parametrize(
    ("reverts", "expected"),
    [(1, "failed"), (2, "inconclusive"), (3, "failed"), (4, "inconclusive")],
)
def test_what_counts_is_whether_the_commit_is_in_at_the_end(
    take: Take, held: Held, repository: Repository, reverts: int, expected: str
) -> None:
    """A revert of a revert puts back, and a revert of that takes out again."""
    hash_ = repository.commit("Add a cache", "cache.py")
    for _ in range(reverts):
        hash_ = repository.revert(hash_)
    take(repository.directory, **REVERTS)

    (attempt,) = held("attempt")
    assert ("Add a cache", expected) == (attempt["solution"], attempt["resultClass"])
    assert reverts == len(attempt["result"].splitlines())
    assert ["Reverted", "Put back"] * 2 == [
        *(line.split(" by ")[0] for line in attempt["result"].splitlines()),
        *["Reverted", "Put back", "Reverted", "Put back"][reverts:],
    ]


def test_the_word_reapply_of_newer_git_is_a_revert_of_a_revert(
    take: Take, held: Held, repository: Repository
) -> None:
    """By its hash, or by its subject alone."""
    revert = repository.revert(repository.commit("Add a cache", "cache.py"), REASON)
    repository.commit(f'Reapply "Add a cache"\n\nThis reverts commit {revert}.', "cache.py")
    repository.revert(repository.commit("Tune the pool", "pool.py"), REASON)
    repository.commit('Reapply "Tune the pool"', "pool.py")
    take(repository.directory, **REVERTS)

    assert {"Add a cache": "inconclusive", "Tune the pool": "inconclusive"} == {
        one["solution"]: one["resultClass"] for one in held("attempt")
    }


def test_a_reverted_merge_names_the_files_it_brought(
    take: Take, held: Held, repository: Repository
) -> None:
    """Of a merge with three parents, too."""
    for name in ("one", "two"):
        repository.git("checkout", "-q", "-b", name, "main")
        repository.commit(f"Work on {name}", f"{name}.py")
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "-m", "Merge one and two", "one", "two")
    merge = repository.git("rev-parse", "HEAD")
    repository.revert(merge, "Both broke the build.", "-m", "1")
    take(repository.directory, **REVERTS)

    (attempt,) = held("attempt")
    assert (merge, ["one.py", "two.py"]) == (
        attempt["imported"]["commit"], attempt["imported"]["files"],
    )  # fmt: skip
    assert 3 == len(attempt["imported"]["parents"])
    assert "Both broke the build." == attempt["reason"]


def test_one_revert_may_take_back_several_commits(
    take: Take, held: Held, repository: Repository
) -> None:
    """Each is an attempt with the same reason."""
    one, two = (repository.commit(f"Step {n}", f"{n}.py") for n in (1, 2))
    repository.commit(
        f"Take both steps back\n\nThis reverts commits {one[:10]} (Step 1) and {two}.\n\nSlow.",
        "1.py",
    )
    take(repository.directory, **REVERTS)

    found = {one["solution"]: one["reason"] for one in held("attempt")}
    assert {"Step 1", "Step 2"} == set(found)
    assert {"Take both steps back\n\nSlow."} == set(found.values())


def test_a_revert_without_a_hash_is_found_by_its_subject(
    take: Take, held: Held, repository: Repository
) -> None:
    """As the pages of a forge make them; the newest earlier commit counts."""
    repository.commit("Tune the pool", "pool.py")
    newer = repository.commit("Tune the pool", "pool.py")
    repository.commit(
        'Revert "Tune the pool" (#12)\n\nReverts acme/billing#11\n', "pool.py"
    )
    repository.commit("Tune the pool", "pool.py")
    report = take(repository.directory, **REVERTS)

    (attempt,) = held("attempt")
    assert (newer, "") == (attempt["imported"]["commit"], attempt["reason"])
    assert "a revert that gives no reason" in {note.what for note in report.notes.values()}


def test_a_commit_that_is_not_there_is_told_by_the_subject_of_its_revert(
    take: Take, held: Held, repository: Repository
) -> None:
    """A shallow clone lacks it; nothing is made up."""
    gone = "0123456789abcdef0123456789abcdef01234567"
    repository.commit(f'Revert "Add a cache"\n\nThis reverts commit {gone}.\n\nSlow.', "b")
    report = take(repository.directory, **REVERTS)

    (attempt,) = held("attempt")
    assert ("Add a cache", gone) == (attempt["solution"], attempt["imported"]["commit"])
    assert ("odd", "a reverted commit that the history does not hold") in report.notes


def test_reverts_that_name_each_other_end() -> None:
    """A message may claim anything."""
    one, two = (Commit(hash_, (), "", "", "Undo it") for hash_ in "ab")
    targets = {"a": ["b", "c"], "b": ["a"]}
    history = History([one, two], targets, {}, {})

    (attempt,) = [body for _, body in read_reverts(history, "acme/x", "x").records]
    assert ("c", 2) == (attempt["imported"]["commit"], len(attempt["result"].splitlines()))


def test_control_characters_in_messages_and_files_stay_in_their_commit(
    take: Take, held: Held, repository: Repository
) -> None:
    """What separates the answers of git cannot stand in them."""
    added = repository.commit("Odd \x1e\x1f name\n\nbody\n\n\nmore", "a\nb\tc.py")
    repository.revert(added, REASON)
    take(repository.directory, **REVERTS)

    (attempt,) = held("attempt")
    assert ["a\nb\tc.py"] == attempt["imported"]["files"]
    assert REASON == attempt["reason"]


def test_a_directory_outside_of_any_repository_is_refused(
    take: Take, tmp_path: Path
) -> None:
    """And so is a repository without a commit."""
    (tmp_path / "plain").mkdir()
    empty = Repository(tmp_path / "empty")

    for path, word in (
        (tmp_path / "plain", "no Git repository"),
        (empty.directory, "no commit"),
    ):
        with pytest.raises(ShadowgraphError) as caught:
            take(path, **REVERTS)
        assert word in caught.value.message
