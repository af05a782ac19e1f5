"""Decision records in Markdown, of MADR and of Nygard."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.foreign.decisions import is_decision, read_decisions
from shadowgraph.foreign.reading import Reading, Text
from shadowgraph.upstream import Report
from shadowgraph.upstream.importing import Choice

Take = Callable[..., Report]
Held = Callable[..., list[dict[str, Any]]]


def _read(text: str, name: str = "0001-a.md") -> Reading:
    """Read one record."""
    return read_decisions([Text(name, text)], "acme/x")


def _one(text: str) -> dict[str, Any]:
    """Return the decision that a text is."""
    (decision,) = [body for _, body in _read(text).records if body["kind"] == "decision"]
    return decision


@pytest.fixture
def found(take: Take, held: Held) -> dict[str, dict[str, Any]]:
    """Import the directory; return its decisions by title."""
    take("adr")
    return {one["title"]: one for one in held("decision")}


def test_a_directory_is_read_as_a_whole(found: dict[str, Any]) -> None:
    """Numbers are no part of a title; a template and a readme are no decisions."""
    assert {
        "Keep the ledger in SQLite", "Sign webhooks", "Put a queue before the invoices",
        "Keep the ledger in PostgreSQL",
    } == set(found)  # fmt: skip


def test_what_was_not_chosen_is_an_alternative_with_its_arguments(
    found: dict[str, Any],
) -> None:
    """What speaks against it is why it was rejected."""
    jwt = found["Sign webhooks"]["alternatives"][1]

    assert "HMAC over the body" == found["Sign webhooks"]["chosen"]
    assert ("Signed JWT in a header", "the body is signed twice") == (
        jwt["label"], jwt["reasonRejected"],
    )  # fmt: skip
    assert ["keys can be rotated"] == jwt["pros"]


def test_drivers_reasons_and_consequences_are_searched(
    found: dict[str, Any], library: Library
) -> None:
    """Everything that an agent may ask for is in a field of its own."""
    signed = found["Sign webhooks"]

    assert "keys must be replaceable without an appointment" in signed["assumptions"]
    assert {"justification", "positive consequence", "negative consequence"} == {
        one["type"] for one in signed["evidence"]
    }
    answer = library.search("proxies end TLS before the receiver")
    assert signed["id"] == answer.hits[0].record.id


@pytest.mark.parametrize(
    ("word", "state"),
    [
        ("proposed", "proposed"), ("Accepted", "planned"), ("rejected", "abandoned"),
        ("deprecated", "archived"), ("superseded", "superseded"), ("Done", "executed"),
        ("superseded by ADR-0009", "superseded"), ("whatever", "proposed"),
        ("**Accepted** (2024-01-02)", "planned"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "form",
    [
        "---\nstatus: {}\n---\n# T\n## Decision Outcome\nWe do.",
        "# T\n* Status: {}\n## Decision\nWe do.",
        "# T\n\nStatus: {}\n\n## Decision\nWe do.",
        "# T\n## Status\n\n{}\n\n## Decision\nWe do.",
        "T\n=\n\nStatus\n------\n{}\n\nDecision\n--------\nWe do.",
    ],
)
def test_a_status_word_is_mapped_wherever_it_stands(
    form: str, word: str, state: str
) -> None:
    """In front matter, in a list, on a line, in a section."""
    text = form.format(word)

    assert is_decision(text)
    assert (state, "We do.") == (_one(text)["status"], _one(text)["chosen"])


def test_supersession_is_linked_both_ways(found: dict[str, Any], held: Held) -> None:
    """Named by one or by both of them, it is one relation."""
    old = found["Keep the ledger in SQLite"]
    new = found["Keep the ledger in PostgreSQL"]

    assert ("superseded", new["id"]) == (old["status"], old["supersededBy"])
    assert [old["id"]] == new["supersedes"]
    assert [(new["id"], "supersedes", old["id"])] == [
        (one["from"], one["relation"], one["to"]) for one in held("relation")
    ]


def test_a_superseded_record_is_recognised_by_its_number(
    take: Take, held: Held, tmp_path: Path
) -> None:
    """MADR names numbers, not files; a successor alone may know of it, too."""
    (tmp_path / "0007-a.md").write_text(
        "---\nstatus: superseded by ADR-0012\n---\n# A\n## Decision Outcome\nx", "utf-8"
    )
    (tmp_path / "0012-b.md").write_text(
        "# B\n## Status\nAccepted\n\nSupersedes ADR 0009\n## Decision\ny", "utf-8"
    )
    (tmp_path / "adr-9.md").write_text("# C\n## Status\nAccepted\n## Decision\nz", "utf-8")
    (tmp_path / "0009-c.md").write_text("# C\n## Status\nAccepted\n## Decision\nz", "utf-8")
    take(tmp_path)

    states = {one["imported"]["path"]: one["status"] for one in held("decision")}
    assert {
        "0007-a.md": "superseded", "0012-b.md": "planned", "0009-c.md": "superseded",
        "adr-9.md": "planned",
    } == states  # fmt: skip


def test_a_successor_that_was_not_read_is_reported() -> None:
    """The state stays, and so does the text."""
    reading = _read("# T\n## Status\nSuperseded by [9. U](0009-u.md)\n## Decision\nx")

    assert ["supersession with what was not read"] == [
        said.what for said in reading.notes if said.sort == "odd"
    ]


@pytest.mark.parametrize(
    ("outcome", "chosen"),
    [
        ('Chosen option: "Use *B*", because it is there.', "Use B"),
        ("Chosen option: **Use B**, because it is there.", "Use B"),
        ("Chosen option: “Use B”, because it is there.", "Use B"),
        ("Chosen option: Use B because it is there.", "Use B"),
        ("We take [use B](b.md).", "We take [use B](b.md)."),
        ("Use B", "Use B"),
    ],
)
def test_the_chosen_option_is_recognised(outcome: str, chosen: str) -> None:
    """However the sentence is marked; a sentence of another form stays whole."""
    options = "## Considered Options\n1. Use A\n2. Use `B` (the new one)\n"
    decision = _one(f"# T\n* Status: accepted\n{options}## Decision Outcome\n{outcome}\n")

    assert chosen.casefold() == decision["chosen"].split(" (")[0].casefold()
    assert "Use A" in [one["label"] for one in decision["alternatives"]]
    if "take" not in outcome:
        assert ["Use A"] == [one["label"] for one in decision["alternatives"]]


def test_the_whole_text_is_kept_and_sections_without_a_place_are_named(
    take: Take, held: Held, fixtures: Path
) -> None:
    """Nothing is lost silently."""
    report = take("adr")
    texts = {one["imported"]["path"]: one["imported"]["text"] for one in held("decision")}

    for name, text in texts.items():
        assert (fixtures / "foreign" / "adr" / name).read_text("utf-8") == text
    kept = {
        note.what: note.examples for note in report.notes.values() if note.sort == "kept"
    }
    assert {
        "section 'Links' stands in imported.text alone": ["0002-sign-webhooks.md"],
        "section 'More Information' stands in imported.text alone": [
            "0003-queue-for-invoices.md"
        ],
        "section 'Confirmation' stands in imported.text alone": [
            "0003-queue-for-invoices.md"
        ],
    } == kept


def test_the_same_directory_again_changes_nothing(take: Take) -> None:
    """Ids are made from file names, times from the texts."""
    first, again = take("adr"), take("adr")

    assert (5, 0, 5) == (first.imported, again.imported, again.unchanged)


def test_an_edited_record_is_refused_unless_somebody_says_what_counts(
    take: Take, held: Held, tmp_path: Path
) -> None:
    """Nothing is overwritten silently."""
    file = tmp_path / "0001-a.md"
    file.write_text("# A\n## Status\nProposed\n## Decision\nx", "utf-8")
    take(file)
    file.write_text("# A\n## Status\nAccepted\n## Decision\nx", "utf-8")

    with pytest.raises(ShadowgraphError) as caught:
        take(file)
    assert "0001-a.md" in caught.value.message
    assert "--replace" in (caught.value.hint or "")
    assert 1 == take(file, choice=Choice(keep=True)).left
    assert 1 == take(file, choice=Choice(replace=True)).replaced
    assert ["planned"] == [one["status"] for one in held("decision")]


def test_one_text_for_two_projects_is_two_decisions(take: Take, held: Held) -> None:
    """An id is made from the project as well."""
    take("adr")
    take("adr", project="acme/other")

    assert 8 == len({one["id"] for one in held("decision")})


def test_a_directory_without_anything_known_is_refused(take: Take, tmp_path: Path) -> None:
    """With the forms that there are."""
    (tmp_path / "README.md").write_text("# Readme\n\nText.", "utf-8")

    with pytest.raises(ShadowgraphError) as caught:
        take(tmp_path)
    assert "--from" in (caught.value.hint or "")


def test_a_decision_that_is_not_made_yet_is_kept_as_such() -> None:
    """With its options, all of them open."""
    decision = _one(
        "# T\n* Status: proposed\n## Context and Problem Statement\nWhich?\n"
        "## Considered Options\n* A\n* B\n"
    )

    assert ("proposed", "Nothing is chosen yet") == (decision["status"], decision["chosen"])
    assert ["A", "B"] == [one["label"] for one in decision["alternatives"]]
