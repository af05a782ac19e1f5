"""Is this the same thing again? Earlier attempts like a new one."""

from tests.store.bodies import PROJECT, attempt, decision, put

from shadowgraph import Library

OWNER = f"project:{PROJECT}"
NEW = "Moved the ledger database to the NFS share with WAL"


def alike(
    library: Library, text: str, owner: str | None = OWNER
) -> list[tuple[str, float]]:
    """Return ids and scores of the attempts like a text."""
    library.search("anything")
    return [(one.id, likeness.score) for one, likeness in library.similar(text, owner)]


def test_the_same_text_is_the_same_attempt(library: Library) -> None:
    """Its score is 1."""
    put(library, attempt("attempt_1", solution=NEW))

    assert [("attempt_1", 1.0)] == alike(library, NEW)


def test_other_words_for_the_same_thing_are_like_it(library: Library) -> None:
    """Rare words that are shared count, common ones hardly do."""
    put(
        library,
        attempt("attempt_1", solution="Put the ledger database on the NFS share, WAL on"),
        attempt("attempt_2", solution="Painted the garden wall in the colour of the sky"),
    )

    ((found, score),) = alike(library, NEW)

    assert "attempt_1" == found
    assert 0.34 <= score < 1


def test_words_of_the_same_meaning_are_shared_in_part(library: Library) -> None:
    """They lift an attempt over the threshold, and are no part of what both say."""
    put(library, attempt("attempt_1", solution="Delete the ledger directory and rerun it"))
    library.search("anything")

    ((_, told),) = library.similar("Remove the ledger folder, then retry it", OWNER)

    assert ("ledger",) == told.shared
    assert 0.5 < told.score < 1
    ((_, same),) = library.similar("Delete the ledger directory and rerun it", OWNER)
    assert told.score < same.score == 1


def test_likeness_goes_both_ways(library: Library) -> None:
    """Which of two was recorded first makes no difference."""
    one, other = "Remove the ledger folder at night", "Delete the ledger directory"
    put(
        library,
        attempt("attempt_1", solution=one, project="acme/one"),
        attempt("attempt_2", solution=other, project="acme/other"),
    )

    ((_, forth),) = alike(library, other, "project:acme/one")
    ((_, back),) = alike(library, one, "project:acme/other")

    assert forth == back


def test_nothing_alike_is_nothing(library: Library) -> None:
    """Neither is anything in an empty store."""
    assert [] == alike(library, NEW)
    put(library, attempt("attempt_1", solution="Painted the garden wall"))

    assert [] == alike(library, NEW)


def test_the_attempt_itself_is_left_out(library: Library) -> None:
    """It would always be first."""
    first, second = put(
        library, attempt("attempt_1", solution=NEW), attempt("attempt_2", solution=NEW)
    )
    library.search("anything")

    found = library.similar(NEW, OWNER, but=second.row)

    assert [first.id] == [record.id for record, _ in found]


def test_another_projects_attempts_are_not_shown(library: Library) -> None:
    """Neither those that are indexed nor those that are not yet."""
    put(library, attempt("attempt_1", solution=NEW, project="acme/web-shop"))
    before = alike(library, NEW)
    put(library, attempt("attempt_2", solution=NEW, project="acme/web-shop"))

    assert ([], []) == (
        before,
        [record.id for record, _ in library.similar(NEW, OWNER)],
    )


def test_only_attempts_are_compared(library: Library) -> None:
    """A decision in the same words is no attempt."""
    put(library, decision("decision_1", title=NEW, chosen=NEW))

    assert [] == alike(library, NEW)


def test_the_most_alike_come_first_and_three_are_enough(library: Library) -> None:
    """Equal ones newest first."""
    put(
        library,
        attempt("attempt_part", solution="Moved the ledger database to the NFS share"),
        *(attempt(f"attempt_{number}", solution=NEW) for number in range(3)),
        attempt("attempt_other", solution="Moved the invoice archive to the tape"),
    )

    found = alike(library, NEW)

    assert ["attempt_2", "attempt_1", "attempt_0"] == [one for one, _ in found]
    assert sorted((score for _, score in found), reverse=True) == [s for _, s in found]


def test_an_empty_text_is_like_nothing(library: Library) -> None:
    """Nor are function words or signs."""
    put(library, attempt("attempt_1", solution="Moved the ledger"))

    assert ([], [], []) == (alike(library, ""), alike(library, "the"), alike(library, "!!"))


def test_likeness_lies_between_zero_and_one_and_names_what_is_shared(
    library: Library,
) -> None:
    """Rarest words first."""
    put(library, attempt("attempt_1", solution="Moved the ledger database to a NFS share"))
    library.search("anything")

    ((_, likeness),) = library.similar(NEW, OWNER)

    assert 0 < likeness.score < 1
    assert {"nfs", "ledger", "databas", "share", "move"} <= set(likeness.shared)
