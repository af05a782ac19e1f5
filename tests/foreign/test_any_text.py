"""Any text at all: readers end, repeat themselves, and lose nothing."""

import json
from pathlib import Path
from tempfile import TemporaryDirectory
from time import process_time

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from shadowgraph import Library
from shadowgraph.exchange import export_lines
from shadowgraph.foreign.decisions import is_decision, read_decisions
from shadowgraph.foreign.graphs import is_graph, read_graph
from shadowgraph.foreign.markdown import page
from shadowgraph.foreign.notes import is_note, read_notes
from shadowgraph.foreign.reading import Reading, Text
from shadowgraph.foreign.reverts import Commit, reason_of, reverted, subject_of
from shadowgraph.intake import Wanted, form_of, import_data

PIECES = [
    "# ", "## Status\n", "## Decision\n", "## Considered Options\n", "Accepted\n",
    "Superseded by [2](a.md)\n", 'Chosen option: "', '", because ', "* ", "  - ", "\n\n",
    "---\n", "status: ", "permalink: ", "tags: [", "]", "[[", "]]", "- [fact] ", "#tag ",
    "(ctx)", "```\n", "<!--", "-->", "**", "text", "| a |\n", "\t", "\r\n", "\u2028", "é",
    "Good, because ", "### A\n", "## Pros and Cons of the Options\n", "=\n",
]  # fmt: skip
markdown = st.lists(st.sampled_from(PIECES), max_size=40).map("".join)
line = st.one_of(
    st.text(max_size=20),
    st.fixed_dictionaries(
        {},
        optional={
            "type": st.sampled_from(["entity", "relation", "other"]),
            "name": st.sampled_from(["a", "b", "", 1]),
            "entityType": st.sampled_from(["t", 2]),
            "observations": st.one_of(st.lists(st.one_of(st.text(max_size=5), st.none()))),
            "from": st.sampled_from(["a", "b", "c"]),
            "to": st.sampled_from(["a", "b", 3]),
            "relationType": st.sampled_from(["r", " "]),
        },
    ).map(json.dumps),
)
graph = st.lists(line, max_size=8).map("\n".join)


@given(st.one_of(markdown, st.text(max_size=200)))
def test_markdown_is_read_the_same_way_each_time(text: str) -> None:
    """As a decision and as a note, with its whole text."""
    for read in (read_decisions, read_notes):
        texts = [Text("a.md", text), Text("b.md", text)]
        first, again = read(texts, "p"), read(texts, "p")
        assert first == again
        for place, body in first.records:
            if body["kind"] == "decision":
                assert text == body["imported"]["text"], place
            if body["kind"] == "memory":
                assert body["text"].strip()


@given(graph)
@example('{"type": "entity", "name": "a", "entityType": "t"}\r\n\r\n')
def test_every_line_of_a_graph_becomes_a_record(text: str) -> None:
    """Or is the same as one that did."""
    reading = read_graph(Text("m", text), "p")
    told = json.dumps([body for _, body in reading.records])

    for one in text.split("\n"):
        held = _content(one)
        assert all(json.dumps(part)[1:-1] in told for part in held), one


def _content(text: str) -> list[str]:
    """Return the texts that must be somewhere in the records of a line."""
    try:
        value = json.loads(text)
    except ValueError:
        return [text.strip()]
    if not isinstance(value, dict):
        return []
    found = [one for one in value.get("observations", []) if isinstance(one, str)]
    return [*found, value["name"]] if isinstance(value.get("name"), str) else found


@settings(max_examples=25)
@given(st.one_of(markdown, graph))
def test_whatever_a_reader_makes_of_a_text_can_be_stored(text: str) -> None:
    """Twice, and the second time nothing changes."""
    with TemporaryDirectory() as home, Library(Path(home)) as library:
        for form in ("adr", "basic-memory", "memory-json"):
            wanted = Wanted(form=form, project="acme/x")
            first = import_data(library, text.encode(), Path("a.md"), wanted)
            before = list(export_lines(library))
            again = import_data(library, text.encode(), Path("a.md"), wanted)

            assert first.read == again.read == again.unchanged
            assert before == list(export_lines(library))


@given(st.text(max_size=200))
def test_any_message_of_a_commit_is_read(message: str) -> None:
    """A reason never holds the line that git writes."""
    commit = Commit("a" * 40, (), "", "", f"{message}\nThis reverts commit {'b' * 40}.")

    assert "b" * 40 in reverted(commit)
    assert "This reverts commit bbb" not in reason_of(commit)


SIZE = 100_000
"Characters, or pairs of them."
LINES = 20_000
HOSTILE = [
    "a" + " " * SIZE, "# " + " " * SIZE + "x", "- " + " " * SIZE, "[](" * SIZE,
    "[](" + "a" * SIZE, "<!--" * SIZE, "* a\n" * LINES, "* a\n  b\n" + "  b\n" * LINES,
    "# \n" * LINES, "## Considered Options\n" + "### a\n" * LINES, "---\na: [" + '"' * SIZE,
    "---\n" + "a b " * SIZE, "[" * SIZE, "()" * SIZE, "- [a] (" * SIZE, "\n" * SIZE,
    '# T\n## Decision\nChosen option: "' + " " * SIZE, "`" * SIZE, "_" * SIZE + "a",
    "# T\n## Decision\nChosen option: x" + " " * SIZE + "y",
    "# " + "()" * SIZE + "\n## Considered Options\n* " + "()" * SIZE,
    'Revert "a"' + " " * SIZE + "x", "this reverts commit 1234567" + " " * SIZE + "x",
    'Revert "' + '" ' * SIZE, "x\n" + "\n" * SIZE + "Reverts", "a: " * SIZE,
    "# T\n## Status\nSuperseded by " + "0" * SIZE, "- x [[" * SIZE, "T\n" + "=" * SIZE + "x",
]  # fmt: skip


@pytest.mark.parametrize("text", HOSTILE, ids=range(len(HOSTILE)))
def test_no_text_takes_long(text: str) -> None:
    """Time grows with the length and not with its square."""
    began = process_time()
    _everything(text)
    took = process_time() - began

    assert took < 10


def _everything(text: str) -> list[Reading]:
    """Read a text in every way."""
    page(text), form_of(text), is_decision(text), is_note(text), is_graph(text)
    commit = Commit("a", (), "", "", text)
    reverted(commit), subject_of(commit), reason_of(commit)
    one = [Text("a.md", text)]
    return [read_decisions(one, "p"), read_notes(one, "p"), read_graph(one[0], "p")]
