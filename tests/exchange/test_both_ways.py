"""What both ways of importing decide alike: retracted and linked records, trust, projects."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.store.bodies import fact, put

from shadowgraph import Library
from shadowgraph.errors import ImportLineError
from shadowgraph.exchange import export_lines, import_lines
from shadowgraph.operations import Caller, invoke
from shadowgraph.upstream.export import export_envelope
from shadowgraph.upstream.loading import import_file

PROJECT = "acme/billing-api"
Ask = Callable[..., dict[str, Any]]
Export = Callable[[Library], bytes]


def as_lines(library: Library) -> bytes:
    """Export as JSON Lines."""
    return "\n".join(export_lines(library)).encode()


def as_envelope(library: Library) -> bytes:
    """Export as an envelope."""
    return export_envelope(library)[0].encode()


BOTH = pytest.mark.parametrize("export", [as_lines, as_envelope])


@pytest.fixture
def ask(library: Library) -> Ask:
    """Return a function that calls an operation."""

    def call(name: str, /, **arguments: Any) -> dict[str, Any]:
        return invoke(library, f"shadowgraph_{name}", arguments, Caller(PROJECT, "server"))

    return call


@pytest.fixture
def lived_in(library: Library, ask: Ask) -> Library:
    """Return a library with links, signals, memories, and one of each retracted."""
    old, new, wrong = (
        ask("record_decision", title=t, chosen="c", reviewAfter="2026-01-01")["id"]
        for t in ("old", "new", "wrong")
    )
    tried = ask("record_attempt", solution="s", result="r")["id"]
    ask("review")
    ask("supersede", decisionId=old, replacementId=new)
    ask("remember", memoryType="note", key="k", text="one")
    ask("remember", memoryType="note", key="k", text="two")
    links = [
        ask("link", **{"from": tried, "to": end, "relation": "near"})["id"]
        for end in (old, new, wrong)
    ]
    ask("unlink", relationId=links[0])
    for one in (wrong, tried, links[1]):
        ask("retract", id=one, reason="by mistake")
    return library


def bodies(library: Library) -> dict[str, Any]:
    """Return every record by id."""
    return {body["id"]: body for body in map(json.loads, export_lines(library))}


@BOTH
def test_what_was_linked_and_retracted_comes_out_as_it_went_in(
    export: Export, lived_in: Library, tmp_path: Path
) -> None:
    """Into an empty home, twice; the second time changes nothing."""
    data = export(lived_in)

    with Library(tmp_path / "copy") as copy:
        assert len(bodies(lived_in)) == import_file(copy, data, None).imported
        assert bodies(lived_in) == bodies(copy)
        assert 0 == import_file(copy, data, None).imported
        assert lived_in.search("").total == copy.search("").total


@BOTH
def test_an_export_taken_back_into_its_own_home_changes_nothing(
    export: Export, lived_in: Library
) -> None:
    """The retracted records are known there."""
    before = bodies(lived_in)
    report = import_file(lived_in, export(lived_in), None)

    assert (0, len(before)) == (report.imported, report.unchanged)
    assert before == bodies(lived_in)


def test_upstream_does_not_read_a_retracted_record_as_one_that_stands(
    lived_in: Library,
) -> None:
    """It travels beside the collections that the other tool reads."""
    envelope = json.loads(as_envelope(lived_in))

    names = ("records", "facts", "relations", "reviewSignals")
    assert [] == [one for n in names for one in envelope[n] if "retractedAt" in one]
    # A decision with its signal, an attempt, a relation.
    assert 4 == len(envelope["beside"]["records"])


def verified(**more: Any) -> dict[str, Any]:
    """Return a fact that calls itself verified."""
    return fact(
        "fact_1",
        project=PROJECT,
        schemaVersion=7,
        verificationStatus="verified",
        **more,
    )


@BOTH
@pytest.mark.parametrize("more", [{}, {"verification": {"signature": "c2ln"}}])
def test_no_file_makes_a_fact_verified(
    export: Export, more: dict[str, Any], library: Library, tmp_path: Path
) -> None:
    """Its signature stays, its status does not, the report says so, twice is once."""
    put(library, verified(**more))

    with Library(tmp_path / "copy") as copy:
        report = import_file(copy, export(library), None)
        made = bodies(copy)["fact_1"]
        assert "unverified" == made["verificationStatus"]
        assert more.get("verification") == made.get("verification")
        odd = [n["what"] for n in report.as_json()["notes"] if n["sort"] == "odd"]
        assert 1 == len([what for what in odd if "-> unverified" in what])
        assert 1 == import_file(copy, export(library), None).unchanged


@BOTH
def test_a_fact_verified_here_stays_verified_when_its_export_comes_back(
    export: Export, library: Library
) -> None:
    """It is the same claim with the same signature."""
    put(library, verified(verification={"signature": "c2ln"}))
    before = bodies(library)

    assert 1 == import_file(library, export(library), None).unchanged
    assert before == bodies(library)


@pytest.mark.parametrize("name", ["", " x ", "x\ny", "x" * 201, 5])
def test_a_project_that_no_call_could_name_is_refused_with_its_line(
    name: Any, library: Library
) -> None:
    """Nobody would find its records."""
    lines = [json.dumps(fact("fact_1")), json.dumps(fact("fact_2", project=name))]

    with pytest.raises(ImportLineError, match=r"^line 2: project must be"):
        import_lines(library, lines)
    assert {} == bodies(library)
