"""`shadowgraph_check` on other words for the same thing, and on the same words for another.

Each test records a few attempts that have nothing to do with it, so that words have
something to be rarer than.
"""

from collections.abc import Callable
from typing import Any

import pytest

from shadowgraph import Library

Ask = Callable[..., dict[str, Any]]

NOISE = (
    "Pinned the base image of the scoring service",
    "Raised the delay of the readiness probe",
    "Split the queue table by month",
    "Added a cache in front of the price list",
    "Changed the configuration of the load balancer",
    "Updated the client library of the broker",
)


@pytest.fixture
def tried(ask: Ask) -> Callable[..., None]:
    """Return a function that records an attempt, failed unless told otherwise."""
    for solution in NOISE:
        ask(
            "record_attempt",
            solution=solution,
            result="no change",
            resultClass="inconclusive",
        )

    def record(solution: str, **fields: Any) -> None:
        given = {"result": "It got worse.", "resultClass": "failed", **fields}
        ask("record_attempt", solution=solution, **given)

    return record


def verdict(ask: Ask, action: str) -> str:
    """Return what is said of an action."""
    return str(ask("check", action=action)["verdict"])


def test_other_words_for_the_same_thing_are_recognised(
    ask: Ask, tried: Callable[..., None]
) -> None:
    """Synonyms stand in for the words of the record."""
    tried("Delete the Postgres database and retry the import concurrently")

    assert "avoid" == verdict(
        ask, "Drop the PostgreSQL db, then try again to import in parallel"
    )


def test_without_synonyms_the_same_action_is_not_recognised(
    ask: Ask,
    library: Library,
    tried: Callable[..., None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is they that bring the two together."""
    tried("Delete the Postgres database and retry the import concurrently")
    monkeypatch.setitem(library.definition.ranking["check"], "synonym", 0.0)

    assert "avoid" != verdict(
        ask, "Drop the PostgreSQL db, then try again to import in parallel"
    )


def test_generic_words_alone_are_no_likeness(ask: Ask, tried: Callable[..., None]) -> None:
    """The verbs and nouns of every change say nothing of this one."""
    tried("Update the configuration of the payment service to use a larger pool")

    assert "unknown" == verdict(ask, "Change the configuration of the search service")


def test_another_setting_of_the_same_tool_is_another_thing(
    ask: Ask, tried: Callable[..., None]
) -> None:
    """An identifier that the record does not know outweighs the command around it."""
    tried("sysctl -w net.ipv4.tcp_fin_timeout=15 on the export hosts")

    assert "avoid" == verdict(ask, "sysctl -w net.ipv4.tcp_fin_timeout=5 on export hosts")
    assert "avoid" != verdict(ask, "sysctl -w net.core.somaxconn=4096 for the proxy")


def test_an_identifier_of_known_words_is_no_other_thing(
    ask: Ask, tried: Callable[..., None]
) -> None:
    """Another spelling of one cache is known by its words; an unknown word tells it apart."""
    tried("@functools.lru_cache on Parcel.weight to save the repeated sums")

    assert "avoid" == verdict(ask, "@functools.cache on the weight of a Parcel")
    assert "avoid" != verdict(ask, "@functools.wraps on the weight of a Parcel")


def test_another_number_is_the_same_thing(ask: Ask, tried: Callable[..., None]) -> None:
    """To wait 30 seconds is no news after waiting 20."""
    tried("Raise busy_timeout to 20000 for the invoice numbering")

    assert "avoid" == verdict(ask, "Raise busy_timeout to 45000 for invoice numbering")


@pytest.mark.parametrize(("written", "asked"), [("SQLite", "sqlite"), ("sqlite", "SQLite")])
def test_a_name_is_the_same_however_it_is_written(
    ask: Ask, tried: Callable[..., None], written: str, asked: str
) -> None:
    """Capitals inside a name part it for the index, not for a reader."""
    tried(f"{written} ledger on the share")

    reply = ask("check", action=f"{asked} ledger on a share")

    assert "avoid" == reply["verdict"]


def test_what_would_have_to_be_different_is_no_repetition(
    ask: Ask, tried: Callable[..., None]
) -> None:
    """The conditions for another try name what was not tried."""
    tried(
        "Run the report inside the web handler",
        reason="The worker was blocked until a subprocess came to its rescue.",
        reusableWhen=["report moves to a subprocess with a deadline"],
    )

    assert "avoid" != verdict(ask, "Give the nightly job a subprocess with a deadline")


def test_a_command_is_read_as_it_stands(ask: Ask, tried: Callable[..., None]) -> None:
    """A hyphen before a word, or quotes around some, ask for nothing in a command."""
    tried('pytest -n 8 --dist loadfile "tests/shop" against the shared database')

    found = ask("check", action='pytest -n 4 --dist -loadfile "shop tests" shared database')

    assert "avoid" == found["verdict"]


def test_an_outcome_that_nothing_tells_does_not_clear(
    ask: Ask, tried: Callable[..., None]
) -> None:
    """Nobody knows how it ended, so it may be shown and permits nothing."""
    tried(
        "Rotate the signing keys of the ledger by hand",
        result="See the ticket.",
        resultClass=None,
    )

    reply = ask("check", action="Rotate the signing keys of the ledger by hand")

    assert ("caution", "undetermined") == (
        reply["verdict"],
        reply["matches"][0]["resultClass"],
    )


def test_a_long_paste_is_near_only_what_it_holds(
    ask: Ask, tried: Callable[..., None]
) -> None:
    """Some words of every record stand in a log; that is no repetition."""
    tried(
        "Shorten the lease of the leader election and drop the fencing token",
        result="Two leaders wrote the ledger for a minute.",
        reason="The clock of one host stood still during a snapshot.",
    )
    log = " ".join(f"word{number} line{number}" for number in range(400))
    some = "lease leader ledger clock host snapshot minute"
    all_of_it = "shorten the lease of the leader election, drop the fencing token"

    assert "avoid" != verdict(ask, f"{log} {some}")
    assert "avoid" == verdict(ask, f"{log} {all_of_it}")
