"""Fitting lines into a budget: what is required first, then the rest in turns.

Every line belongs to a section and is either required or optional. Required lines are all
shown, cut to the widest common width at which they leave room for others; only a budget
that cannot hold them at their narrowest loses some, the last ones first. Optional lines
follow in turns, one or more of each section a turn, so that no section starves another, and
what is left over widens lines that were cut. The invariants: the cost of what is shown
never exceeds the room, a section that loses a line keeps the ones before it, and what is
left out is counted.

What a line costs and how it is cut are the caller's functions.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

WIDTHS: Final = (400, 260, 170, 120, 90, 75, 64, 56, 50, 45, 40, 36, 32)
"Characters a line may have, widest first."
OPTIONAL_WIDTHS: Final = (110, 75)
"First narrow, so that more of them are shown; what is left over widens them."
REQUIRED_SHARE: Final = 0.6
"Share of the room that required lines take before they are cut further."

Cost = Callable[[str], float]
Shorten = Callable[[str, int], str]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a context: a label and what it says."""

    section: str
    label: str
    parts: tuple[str, ...]
    "Texts that share the width, such as what was tried and why it failed."
    required: bool = False

    def render(self, width: int, shorten: Shorten) -> str:
        """Return the line with at most about *width* characters behind its label."""
        parts = [part for part in self.parts if part]
        shares = fair([len(part) for part in parts], width)
        told = [shorten(part, max(8, n)) for part, n in zip(parts, shares, strict=True)]
        return f"{self.label}: {' - '.join(told)}"


def fair(wanted: Sequence[int], width: int) -> list[int]:
    """Share *width* out: equally, and what one does not want goes to the others.

    >>> fair([10, 100, 100], 90)
    [10, 40, 40]
    """
    shares = [0] * len(wanted)
    left = width
    smallest_first = sorted(range(len(wanted)), key=lambda at: wanted[at])
    for done, at in enumerate(smallest_first):
        shares[at] = min(wanted[at], left // (len(wanted) - done))
        left -= shares[at]
    return shares


@dataclass
class Packed:
    """What fits, and what does not."""

    lines: list[str]
    omitted: dict[str, int]
    "Lines left out, by section."


@dataclass
class _Packing:
    """The state of one packing."""

    lines: Sequence[Line]
    room: float
    cost: Cost
    shorten: Shorten
    shown: dict[int, str] = field(default_factory=dict)

    def spend(self, position: int, text: str) -> bool:
        """Show *text* for a line, in place of what it showed, when the room is there."""
        before = self.shown.get(position)
        price = self.cost(text) - (self.cost(before) if before is not None else 0)
        if price > self.room:
            return False
        self.room -= price
        self.shown[position] = text
        return True

    def render(self, position: int, width: int) -> str:
        return self.lines[position].render(width, self.shorten)


def pack(
    lines: Sequence[Line], room: float, cost: Cost, shorten: Shorten, turns: dict[str, int]
) -> Packed:
    """Return the lines that fit into *room*, in their order.

    *turns* says how many lines of a section are shown a turn; others have one.
    """
    packing = _Packing(lines, room, cost, shorten)
    _required(packing)
    _optional(packing, turns)
    _widen(packing)
    omitted: dict[str, int] = {}
    for position, line in enumerate(lines):
        if position not in packing.shown:
            omitted[line.section] = omitted.get(line.section, 0) + 1
    return Packed([packing.shown[at] for at in sorted(packing.shown)], omitted)


def _required(packing: _Packing) -> None:
    wanted = [at for at, line in enumerate(packing.lines) if line.required]

    def price(width: int) -> float:
        return sum(packing.cost(packing.render(at, width)) for at in wanted)

    widths = [w for w in WIDTHS if price(w) <= packing.room * REQUIRED_SHARE]
    widths = widths or [w for w in WIDTHS if price(w) <= packing.room] or [WIDTHS[-1]]
    for at in wanted:
        if not packing.spend(at, packing.render(at, widths[0])):
            break


def _optional(packing: _Packing, turns: dict[str, int]) -> None:
    required = [at for at, line in enumerate(packing.lines) if line.required]
    if any(at not in packing.shown for at in required):
        return
    closed: set[str] = set()
    for at in _in_turns(packing.lines, turns):
        section = packing.lines[at].section
        if section in closed:
            continue
        if not any(packing.spend(at, packing.render(at, w)) for w in OPTIONAL_WIDTHS):
            closed.add(section)


def _in_turns(lines: Sequence[Line], turns: dict[str, int]) -> list[int]:
    """Return the optional lines in the order in which they may be shown."""
    depth: dict[str, int] = {}
    order = []
    for at, line in enumerate(lines):
        if not line.required:
            depth[line.section] = depth.get(line.section, -1) + 1
            order.append((depth[line.section] // turns.get(line.section, 1), at))
    return [at for _, at in sorted(order)]


def _widen(packing: _Packing) -> None:
    """Show more of lines that were cut, in their order, while there is room."""
    for width in (*reversed(WIDTHS), 1_000, 4_000):
        for at in sorted(packing.shown):
            text = packing.render(at, width)
            if len(text) > len(packing.shown[at]):
                packing.spend(at, text)
