"""Drawings of the graph: valid in their language, whatever is written in the records."""

import json
import re
from collections.abc import Callable

import pytest
from click.testing import Result
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.cli.drawing import Drawing, Edge, Node, coded, dot, drawing, mermaid
from shadowgraph.cli.render import headline, word_of

Cli = Callable[..., Result]
PROJECT = ("--project", "acme/billing-api")

HOSTILE = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            ['"', "\\", "]", "#quot;", "#34;", "%%{init: {}}%%", "\n", ";", "`", "-->", "|",
             "<script>", "&amp;", "end", "\\N", '\\"', "}", "]]", "click n0", "\x1b", "é"]
        ),
        max_size=12,
    ).map("".join),
)  # fmt: skip
WORDS = st.sampled_from(["failed", "succeeded", "active"])
NODES = st.lists(st.tuples(HOSTILE, WORDS), min_size=1, max_size=5)


def _reply(nodes: list[tuple[str, str]], names: list[str]) -> dict[str, object]:
    """Return a walk over attempts with these solutions, tied in a row by these names."""
    made = [
        {"id": f"a{n}", "kind": "attempt", "solution": text or "x", "resultClass": word}
        for n, (text, word) in enumerate(nodes)
    ]
    ties = [
        {"from": f"a{n % len(made)}", "to": f"a{(n + 1) % len(made)}", "relation": name}
        for n, name in enumerate(names)
    ]
    return {"nodes": made, "relations": ties}


# What Mermaid's lexer takes inside a quoted label: letters and a few marks, and codes.
_LABEL = r"(?:[^\W_]|[ .,\-_/()+=?!]|#\d+;)+"
_MERMAID = re.compile(
    rf'  (?:n\d+\["{_LABEL}<br/>{_LABEL}"\]|n\d+ -->\|"{_LABEL}"\| n\d+'
    r"|classDef \w+ fill:#[0-9a-f]{6}|class n\d+ \w+)"
)
_STRING = r'"(?:[^"\\\n]|\\["\\n])*"'
_DOT = re.compile(
    rf'  (?:rankdir=LR|node \[.*\]|n\d+ \[label={_STRING}(?:, fillcolor="#\w+")?\]'
    rf"|n\d+ -> n\d+ \[label={_STRING}\]);"
)


@given(NODES, st.lists(HOSTILE, max_size=5))
def test_every_line_of_a_mermaid_drawing_is_one_statement_of_ours(
    nodes: list[tuple[str, str]], names: list[str]
) -> None:
    """No text of a record ends a label, begins a directive or a comment."""
    made = drawing(_reply(nodes, names), headline, word_of)
    first, *lines = mermaid(made).split("\n")

    assert "flowchart LR" == first
    assert [] == [line for line in lines if not _MERMAID.fullmatch(line)]
    assert len(nodes) == sum('["' in line for line in lines)
    assert len(names) == sum(" -->|" in line for line in lines)


@given(NODES, st.lists(HOSTILE, max_size=5))
def test_every_line_of_a_dot_drawing_is_one_statement_of_ours(
    nodes: list[tuple[str, str]], names: list[str]
) -> None:
    """No text of a record ends a string or asks for a node's name."""
    made = drawing(_reply(nodes, names), headline, word_of)
    first, *lines, last = dot(made).split("\n")

    assert ("digraph shadowgraph {", "}") == (first, last)
    assert [] == [line for line in lines if not _DOT.fullmatch(line)]
    assert len(nodes) == sum(" [label=" in line and "->" not in line[:12] for line in lines)


@given(st.text(max_size=60))
def test_a_coded_label_says_what_was_written(text: str) -> None:
    """Decoded as Mermaid does, it is the same text."""
    decoded = re.sub(r"#(\d+);", lambda found: chr(int(found[1])), coded(text))

    assert (text or " ") == decoded


def test_relations_to_what_is_not_drawn_are_left_out() -> None:
    """An arrow into nothing would make a node of its own."""
    reply = {
        "nodes": [{"id": "a", "kind": "fact", "key": "k"}],
        "relations": [{"from": "a", "to": "gone", "relation": "r"}],
    }

    assert () == tuple(drawing(reply, headline, word_of).edges)


def test_failed_attempts_look_different() -> None:
    """In both languages; the record that was asked for as well."""
    nodes = [Node(name, name, "attempt", "failed") for name in ("a", "b")]
    made = Drawing(nodes, [Edge("a", "b", "led_to")])

    assert "class n0 root\n  class n1 failed" in mermaid(made)
    assert 'n1 [label="b\\nattempt failed", fillcolor="#f8d7da"]' in dot(made)


@pytest.fixture
def linked(cli: Cli) -> None:
    """Link two of the twelve records."""
    arguments = {
        "from": "attempt_ledger-on-nfs", "to": "decision_ledger-in-sqlite",
        "relation": "led_to",
    }  # fmt: skip
    assert 0 == cli(*PROJECT, "call", "link", json.dumps(arguments)).exit_code


@pytest.mark.usefixtures("filled", "linked")
def test_a_graph_is_printed_in_each_language(cli: Cli) -> None:
    """Mermaid when nothing is said."""
    call = (*PROJECT, "graph", "decision_ledger-in-sqlite")

    assert 'n1 -->|"led_to"| n0' in cli(*call).output
    assert 'n1 -> n0 [label="led_to"]' in cli(*call, "--format", "dot").output
    reply = json.loads(cli(*call, "--format", "json", "--depth", "1").output)
    assert ["led_to"] == [one["relation"] for one in reply["relations"]]
    assert "n1" not in cli(*call, "--relation", "caused_by").output


@pytest.mark.usefixtures("filled")
def test_a_graph_around_nothing_is_refused(cli: Cli) -> None:
    """A record of another project reads like an unknown one."""
    unknown = cli("graph", "attempt_gone", "--project", "acme/web-shop")
    foreign = cli("graph", "attempt_ledger-on-nfs", "--project", "acme/web-shop")

    assert (1, 1) == (unknown.exit_code, foreign.exit_code)
    assert str(unknown.exception).replace("attempt_gone", "") == str(
        foreign.exception
    ).replace("attempt_ledger-on-nfs", "")
