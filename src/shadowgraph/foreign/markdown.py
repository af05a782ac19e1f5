"""Just enough Markdown: front matter, headings with their text, lists.

Headings and lists inside fenced code are code. Front matter is the YAML that people write
at the top of notes: names with a text, a list in brackets, or a list below; a line that is
none of these is kept as it is under the empty name. No reader depends on more.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

_FENCE = re.compile(r" {0,3}(```+|~~~+)")
_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*)$")
_UNDERLINE = re.compile(r" {0,3}(=+|-{3,})[ \t]*$")
_BULLET = re.compile(r"( {0,3})(?:[-*+]|\d{1,3}[.)])[ \t]+(.*)$")
_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_NAMED = re.compile(r"([A-Za-z][\w.-]*(?: [\w.-]+)*)[ \t]*:(?:[ \t]+(.*))?$")
_LINK = re.compile(r"!?\[([^\]\[]*)\]\((?:[^()]|\([^()]*\))*\)")


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text up to the next heading."""

    level: int
    title: str
    text: str
    place: int
    "Its number on the page."


@dataclass(frozen=True, slots=True)
class Page:
    """A text taken apart."""

    front: dict[str, Any]
    lead: str
    "What stands before the first heading."
    sections: tuple[Section, ...]

    @property
    def title(self) -> str:
        """The first heading of the first level; empty without one."""
        return next((one.title for one in self.sections if one.level == 1), "")

    def below(self, section: Section) -> list[Section]:
        """Return the sections inside *section*."""
        found = []
        for place in range(section.place + 1, len(self.sections)):
            one = self.sections[place]
            if one.level <= section.level:
                break
            found.append(one)
        return found

    def whole(self, section: Section) -> str:
        """Return the text of a section with everything inside it."""
        parts = [section.text]
        for one in self.below(section):
            parts += [f"{'#' * one.level} {one.title}", one.text]
        return "\n\n".join(part for part in parts if part)


def page(text: str) -> Page:
    r"""Take a Markdown text apart.

    >>> page("---\nstatus: accepted\n---\n# Use it\nBecause.").sections[0].text
    'Because.'
    """
    front, rest = _front(text.lstrip("\ufeff").replace("\r\n", "\n"))
    found: list[tuple[int, str, list[str]]] = [(0, "", [])]
    for line, code in fenced(rest):
        heading = None if code else _HEADING.match(line)
        before = found[-1][2]
        if heading:
            found.append((len(heading[1]), flat(heading[2].rstrip().rstrip("#")), []))
        elif not code and _UNDERLINE.match(line) and _one_paragraph(before):
            title = before.pop()
            found.append((1 if "=" in line else 2, flat(title), []))
        else:
            before.append(line)
    sections = [
        Section(level, title, _text(lines), place)
        for place, (level, title, lines) in enumerate(found, start=-1)
    ]
    return Page(front, sections[0].text, tuple(sections[1:]))


def _one_paragraph(lines: list[str]) -> bool:
    """Say whether the last line stands alone, so that an underline makes it a heading."""
    if not lines or not lines[-1].strip() or _BULLET.match(lines[-1]):
        return False
    return len(lines) == 1 or not lines[-2].strip()


def _text(lines: list[str]) -> str:
    return "\n".join(lines).strip("\n").rstrip()


def fenced(text: str) -> Iterator[tuple[str, bool]]:
    """Yield every line and whether it belongs to fenced code."""
    fence = ""
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if mark and not fence:
            fence = mark[1]
            yield line, True
        elif fence:
            if mark and mark[1].startswith(fence) and not line.strip().strip(fence[0]):
                fence = ""
            yield line, True
        else:
            yield line, False


def bullets(text: str) -> list[str]:
    r"""Return the outermost items of the lists in *text*, each on one line.

    >>> bullets("* one\n  more\n* two\n  * inner")
    ['one more', 'two inner']
    """
    items: list[list[str]] = []
    inside = False
    for line, code in fenced(without_comments(text)):
        mark = None if code else _BULLET.match(line)
        if mark and not (inside and len(mark[1]) >= 2):
            items.append([mark[2].strip()])
            inside = True
        elif inside and line.strip() and (code or line[0] in " \t" or mark):
            items[-1].append(mark[2].strip() if mark else _inner(line))
        elif line.strip():
            inside = False
    return [item for parts in items if (item := " ".join(filter(None, parts)))]


def _inner(line: str) -> str:
    """Return a line inside an item without the mark of an inner list."""
    mark = _BULLET.match(line.strip())
    return mark[2].strip() if mark else line.strip()


def without_comments(text: str) -> str:
    """Return a text without its HTML comments."""
    return _COMMENT.sub("", text)


def flat(text: str) -> str:
    """Return a line without comments, links and marks of emphasis.

    >>> flat("**Use** [SQLite](https://sqlite.org) <!-- optional -->")
    'Use SQLite'
    """
    plain = _LINK.sub(r"\1", without_comments(text))
    return " ".join(re.sub(r"\*\*|__|`|(?<!\w)[*_]|[*_](?!\w)", "", plain).split())


def _front(text: str) -> tuple[dict[str, Any], str]:
    if not text.startswith("---\n"):
        return {}, text
    end = re.search(r"^(?:---|\.\.\.)[ \t]*$", text[4:], re.MULTILINE)
    if end is None:
        return {}, text
    return front_matter(text[4 : 4 + end.start()]), text[4 + end.end() :].lstrip("\n")


def front_matter(text: str) -> dict[str, Any]:
    r"""Return the names and values of front matter.

    >>> front_matter("status: 'accepted' # now\ntags: [a, 'b, c']\nby:\n  - Ada")
    {'status': 'accepted', 'tags': ['a', 'b, c'], 'by': ['Ada']}
    """
    found: dict[str, Any] = {}
    name = ""
    for line in text.split("\n"):
        named = _NAMED.match(line)
        if named:
            name = named[1]
            found[name] = _value(named[2] or "")
        elif name and line.lstrip().startswith("- "):
            held = found[name] if isinstance(found[name], list) else []
            found[name] = [*held, _value(line.lstrip()[2:])]
        elif line.strip() and not line.lstrip().startswith("#"):
            _go_on(found, name, line)
    return found


def _go_on(found: dict[str, Any], name: str, line: str) -> None:
    """Add a line to the text above it, or keep it when there is none."""
    held = found.get(name, "")
    if isinstance(held, str):
        before = "" if held in ("|", ">", "|-", ">-") else held
        found[name] = f"{before}\n{line.strip()}".strip()
    else:
        found[""] = f"{found.get('', '')}\n{line}".strip()


def _value(text: str) -> Any:
    bare = text.strip()
    if bare.startswith("[") and bare.endswith("]") and not bare.startswith("[["):
        return [_scalar(part) for part in _parts(bare[1:-1])]
    return _scalar(bare)


def _parts(text: str) -> list[str]:
    """Return what stands between the commas outside quotation marks."""
    found = re.findall(r"""\s*("(?:[^"\\]|\\.)*"|'[^']*'|[^,]+)\s*(?:,|$)""", text)
    return [part.strip() for part in found if part.strip()]


def _scalar(text: str) -> str:
    quoted = re.match(r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')\s*(?:#.*)?$""", text)
    if quoted:
        inner = quoted[1][1:-1]
        if text[0] == "'":
            return inner.replace("''", "'")
        return inner.replace('\\"', '"').replace("\\\\", "\\")
    return re.sub(r"(?:^|\s)#\s.*$", "", text).strip()
