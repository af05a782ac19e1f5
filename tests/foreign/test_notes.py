"""Notes of basic-memory: front matter, observations, relations."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from shadowgraph import Library
from shadowgraph.foreign.notes import is_note, read_notes
from shadowgraph.foreign.reading import Text
from shadowgraph.upstream import Report

Take = Callable[..., Report]
Held = Callable[..., list[dict[str, Any]]]


def test_a_note_is_a_memory_with_its_whole_text(
    take: Take, held: Held, fixtures: Path
) -> None:
    """Under its title, with its tags and those inside."""
    take("notes")
    (note,) = [one for one in held("memory") if one["key"] == "Deploys"]
    written = (fixtures / "foreign" / "notes" / "deploys.md").read_text("utf-8")

    assert note["text"] in written
    assert note["text"].startswith("# Deploys")
    assert note["text"].endswith("[[Incident of January]]")
    assert ["ops", "release", "deploy", "postgres"] == note["tags"]
    assert "Grace" == note["metadata"]["frontMatter"]["owner"]
    assert "2025-02-03T00:00:00.000Z" == note["createdAt"]


def test_observations_keep_category_tags_and_context(take: Take, held: Held) -> None:
    """A task box, a plain item and code are none."""
    take("notes")
    (note,) = [one for one in held("memory") if one["key"] == "Deploys"]

    assert ["decision", "problem"] == [
        one["category"] for one in note["metadata"]["observations"]
    ]
    assert {
        "category": "problem",
        "text": "Migrations ran twice when both colours started #deploy #postgres",
        "tags": ["deploy", "postgres"],
        "context": "seen on 2025-01-30",
    } == note["metadata"]["observations"][1]


def test_relations_are_resolved_by_title_and_by_permalink(take: Take, held: Held) -> None:
    """Links in running text are relations, too; a target that was not read is told."""
    report = take("notes")
    keys = {one["id"]: one["key"] for one in held("memory")}

    assert {
        ("Deploys", "depends_on", "Database Schema"),
        ("Deploys", "links_to", "Database Schema"),
        ("Database Schema", "part_of", "Deploys"),
    } == {(keys[one["from"]], one["relation"], keys[one["to"]]) for one in held("relation")}
    assert ("odd", "a relation to a note that was not read") in report.notes
    (note,) = [one for one in held("memory") if one["key"] == "Deploys"]
    assert [{"relation": "follows", "target": "Incident of January"}] == note["metadata"][
        "unresolvedRelations"
    ]


def test_the_same_notes_again_change_nothing_and_are_found(
    take: Take, library: Library
) -> None:
    """By the words of an observation."""
    first, again = take("notes"), take("notes")

    assert (5, 0, 5) == (first.imported, again.imported, again.unchanged)
    assert "Deploys" == library.search("migrations ran twice").hits[0].record.body["key"]


def test_a_note_without_front_matter_is_known_by_its_items() -> None:
    """One list alone could be any text."""
    assert is_note("# A\n- [fact] b #c\n- uses [[D]]")
    assert not is_note("# A\n- [ ] b\n- [x] c\n- see [[D]]")
    assert not is_note("# A\n- [fact] b")


def test_any_text_is_a_note_when_it_is_said_to_be(
    take: Take, held: Held, tmp_path: Path
) -> None:
    """Its name is then its key."""
    file = tmp_path / "plain words.md"
    file.write_text("Use the small pool.\n", encoding="utf-8")
    take(file, form="basic-memory")

    assert [("plain words", "Use the small pool.")] == [
        (one["key"], one["text"]) for one in held("memory")
    ]


def test_a_link_may_have_an_alias_and_a_heading() -> None:
    """Neither is part of its target."""
    texts = [Text("a.md", "- uses [[B#Part|the part]]"), Text("b.md", "# B")]
    relations = [b for _, b in read_notes(texts, "p").records if b["kind"] == "relation"]

    assert ["uses"] == [one["relation"] for one in relations]
