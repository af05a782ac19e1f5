"""Texts as people write them: JSON, JSON with comments and TOML, spaced in any way.

A text is drawn together with nothing else: what it says is read from it by parsers that
are not ours where there are any (`json`, `tomllib`).
"""

import json
from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

KEYS = st.sampled_from(
    ["mcpServers", "servers", "hooks", "theme", "a", "b c", "ключ", 'q"uote', ""]
)
PLAIN = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**9), 10**9),
    st.text(max_size=8),
    st.sampled_from(["// no comment", "/* none */", "a, b", "}", "\\", "é\u2028"]),
)
VALUES = st.recursive(
    PLAIN,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(KEYS, inner, max_size=3)
    ),
    max_leaves=8,
)
SERVERS = st.dictionaries(
    st.sampled_from(["github", "files", "x"]),
    st.fixed_dictionaries({"command": st.text(max_size=6)}),
    max_size=3,
)
ROOTS = st.dictionaries(KEYS, VALUES, max_size=4).flatmap(
    lambda root: st.fixed_dictionaries(
        {}, optional={"mcpServers": SERVERS, "servers": SERVERS}
    ).map(lambda servers: {**_without_containers(root), **servers})
)
NEWLINES = st.sampled_from(["\n", "\r\n"])


def _without_containers(root: dict[str, Any]) -> dict[str, Any]:
    """Return an object without the members that a host reads."""
    return {k: v for k, v in root.items() if k not in ("mcpServers", "servers", "hooks")}


def _spaces(newline: str, comments: bool) -> st.SearchStrategy[str]:
    """Return what may stand between two signs."""
    plain = ["", " ", newline, f"{newline}  ", f"{newline}\t", f" {newline}{newline}    "]
    said = [f" // note, {{{newline}", "/* a */", f"{newline}  // b{newline}  ", " /*{*/ "]
    return st.sampled_from(plain + said if comments else plain)


@st.composite
def json_texts(draw: Callable[..., Any], *, comments: bool) -> str:
    """Draw the text of an object, spaced at will; with comments and last commas if asked."""
    newline = draw(NEWLINES)
    spaces = _spaces(newline, comments)
    root: dict[str, Any] = draw(ROOTS)
    if draw(st.booleans()):
        indent = draw(st.sampled_from([None, 1, 2, 4, "\t"]))
        text = json.dumps(root, indent=indent, ensure_ascii=draw(st.booleans()))
        end = newline * draw(st.integers(0, 1))
        return f"{text.replace(chr(10), newline)}{end}"
    return f"{draw(spaces)}{_spaced(draw, root, spaces, comments)}{draw(spaces)}"


def _spaced(
    draw: Callable[..., Any], value: Any, spaces: st.SearchStrategy[str], comments: bool
) -> str:
    """Write a value with space drawn wherever it may stand."""
    if not isinstance(value, dict | list) or not value:
        empty = isinstance(value, dict | list)
        text = json.dumps(value, ensure_ascii=False)
        return f"{text[0]}{draw(spaces)}{text[-1]}" if empty else text
    parts = []
    for item in value:
        lead = ""
        if isinstance(value, dict):
            key = json.dumps(item, ensure_ascii=False)
            lead = f"{key}{draw(spaces)}:{draw(spaces)}"
        inner = value[item] if isinstance(value, dict) else item
        written = _spaced(draw, inner, spaces, comments)
        parts.append(f"{draw(spaces)}{lead}{written}{draw(spaces)}")
    last = "," + draw(spaces) if comments and draw(st.booleans()) else ""
    opening, closing = ("{", "}") if isinstance(value, dict) else ("[", "]")
    return f"{opening}{','.join(parts)}{last}{closing}"


TOML_LINES = st.sampled_from(
    [
        "# a comment [mcp_servers.shadowgraph]",
        "",
        "   ",
        'model = "o5"',
        'text = """',
        "list = [",
        "dates = 1979-05-27T07:32:00Z",
        "number = nan",
        "quoted = 'C:\\dir'",
    ]
)
_WHOLE = {
    'text = """': 'text = """\n[mcp_servers.shadowgraph]\ncommand = "no"\n"""',
    "list = [": 'list = [\n  ["]"], # [x]\n  [1, 2],\n]',
}


@st.composite
def toml_texts(draw: Callable[..., Any]) -> str:
    """Draw a text of a few tables, with comments, empty lines and any end."""
    newline = draw(NEWLINES)
    names = draw(
        st.lists(
            st.sampled_from(
                [
                    "mcp_servers.github",
                    "mcp_servers . 'files'",
                    "mcp_servers",
                    "tui",
                    '"a.b".c',
                    "projects.'/srv/x'",
                ]
            ),
            unique=True,
            max_size=4,
        )
    )
    blocks = [_block(draw)]
    for name in names:
        note = draw(st.sampled_from(["", "  # why", " "]))
        blocks.append(f"[{name}]{note}\n{_block(draw)}")
    if draw(st.booleans()):
        blocks.append('[[jobs]]\nname = "one"\n\n[[jobs]]\nname = "two"\n')
    text = "".join(blocks).replace("\n", newline)
    return text if draw(st.booleans()) else text.rstrip()


def _block(draw: Callable[..., Any]) -> str:
    """Draw the lines below a header, no key twice."""
    lines = draw(st.lists(TOML_LINES, max_size=4))
    seen: set[str] = set()
    kept = []
    for line in lines:
        key = line.partition("=")[0]
        if "=" not in line or line.startswith("#") or key not in seen:
            kept.append(_WHOLE.get(line, line) + "\n")
            seen.add(key)
    return "".join(kept)
