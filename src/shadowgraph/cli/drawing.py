"""A graph as a drawing: the languages of Mermaid and of Graphviz.

Names of nodes are ours, n0 and on; what people wrote stands in labels alone, and there every
character that means something to either language is written as a code. A label cannot
close its quotation marks, begin a directive or a comment, or hold markup.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from shadowgraph.rules.visibility import visible

LONGEST = 60
"Characters of a label."
_SAFE = frozenset(" .,-_/()+=?!")
"Beside letters and digits, what means nothing inside a quoted label of Mermaid."
CLASSES = {"failed": "#f8d7da", "succeeded": "#d4edda", "root": "#cfe2ff"}
"Fill of nodes, by how an attempt ended; root is the record that was asked for."


@dataclass(frozen=True, slots=True)
class Node:
    """One record of a drawing."""

    id: str
    label: str
    kind: str
    word: str
    "Result class or status."


@dataclass(frozen=True, slots=True)
class Edge:
    """One relation of a drawing."""

    source: str
    target: str
    label: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """Nodes, the root first, and edges between them."""

    nodes: Sequence[Node]
    edges: Sequence[Edge]


def drawing(reply: Mapping[str, Any], name: Any, word: Any) -> Drawing:
    """Return the drawing of a walk; *name* and *word* say what a record is called."""
    nodes = [
        Node(str(one["id"]), _line(name(one)), str(one["kind"]), str(word(one)))
        for one in reply["nodes"]
    ]
    known = {node.id for node in nodes}
    edges = [
        Edge(str(one["from"]), str(one["to"]), _line(one["relation"]))
        for one in reply["relations"]
        if {one["from"], one["to"]} <= known
    ]
    return Drawing(nodes, edges)


def _line(text: object) -> str:
    """Return a text on one line of limited length, nothing in it hidden."""
    line = visible(" ".join(str(text).split()))
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1].rstrip()}…"


def _ids(made: Drawing) -> dict[str, str]:
    return {node.id: f"n{number}" for number, node in enumerate(made.nodes)}


def _class(node: Node, made: Drawing) -> str | None:
    if node is made.nodes[0]:
        return "root"
    return node.word if node.word in CLASSES else None


def mermaid(made: Drawing) -> str:
    """Return a flowchart in Mermaid's language.

    >>> print(mermaid(Drawing([Node("a", 'say "hi"', "fact", "active")], [])))
    flowchart LR
      n0["say #34;hi#34;<br/>fact"]
      classDef failed fill:#f8d7da
      classDef succeeded fill:#d4edda
      classDef root fill:#cfe2ff
      class n0 root
    """
    ids = _ids(made)
    lines = [
        "flowchart LR",
        *(
            f'  {ids[node.id]}["{coded(node.label)}<br/>{coded(_kind(node))}"]'
            for node in made.nodes
        ),
        *(
            f'  {ids[edge.source]} -->|"{coded(edge.label)}"| {ids[edge.target]}'
            for edge in made.edges
        ),
        *(f"  classDef {name} fill:{fill}" for name, fill in CLASSES.items()),
    ]
    classes = [(ids[node.id], _class(node, made)) for node in made.nodes]
    lines += [f"  class {node} {name}" for node, name in classes if name]
    return "\n".join(lines)


def _kind(node: Node) -> str:
    return f"{node.kind} {node.word}" if node.word in CLASSES else node.kind


def coded(text: str) -> str:
    """Return a text for a quoted label of Mermaid.

    >>> coded('50% "#1;"')
    '50#37; #34;#35;1#59;#34;'
    """
    # An empty label would be a syntax error.
    return "".join(c if _plain(c) else f"#{ord(c)};" for c in text) or " "


def _plain(character: str) -> bool:
    return character.isalnum() or character in _SAFE


def dot(made: Drawing) -> str:
    r"""Return a directed graph in Graphviz's language.

    >>> print(dot(Drawing([Node("a", 'a "b" \\N', "fact", "active")], [])))
    digraph shadowgraph {
      rankdir=LR;
      node [shape=box, style="rounded,filled", fillcolor=white];
      n0 [label="a \"b\" \\N\nfact", fillcolor="#cfe2ff"];
    }
    """
    ids = _ids(made)
    lines = [
        "digraph shadowgraph {",
        "  rankdir=LR;",
        '  node [shape=box, style="rounded,filled", fillcolor=white];',
    ]
    for node in made.nodes:
        name = _class(node, made)
        fill = f', fillcolor="{CLASSES[name]}"' if name else ""
        label = f"{escaped(node.label)}\\n{escaped(_kind(node))}"
        lines.append(f'  {ids[node.id]} [label="{label}"{fill}];')
    for edge in made.edges:
        ends = f"{ids[edge.source]} -> {ids[edge.target]}"
        lines.append(f'  {ends} [label="{escaped(edge.label)}"];')
    return "\n".join([*lines, "}"])


def escaped(text: str) -> str:
    r"""Return a text for a quoted string of Graphviz.

    >>> escaped('a "b" \\')
    'a \\"b\\" \\\\'
    """
    # An ampersand would begin an HTML entity, which Graphviz reads in strings, too.
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("&", "&amp;")
