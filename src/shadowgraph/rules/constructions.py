"""Constructions that say how an attempt ended: patterns of words, where a list has no slot.

"Had to be rolled back", "still wants to replace the database", "3 of 12 pass", "users can
log in again". A pattern is tried only where a word begins like one of its first words, as
the word lists are; each reaches a bounded number of words and ends within its sentence.
Scripts without spaces are searched whole, and only in texts that hold them.

A match counts like an entry of the list it is named after: failure, success, open, removal
(takes a failure before it away), harmless, rise or fall. The patterns are rows in
`failing`, `succeeding` and `undecided` (English), `european`, `unspaced` and `notations`;
they are compiled when a text first holds a word that they begin with.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Final

from shadowgraph.rules import european, failing, notations, succeeding, undecided, unspaced

_PARTS: Final[Mapping[str, str]] = {
    "<number>": (
        r"(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
        r"|twenty|zwei|drei|vier|funf|sechs|sieben|acht|neun|zehn|dos|tres|cuatro"
        r"|cinco|seis|siete|ocho|nueve|diez|deux|trois|quatre|cinq|sept|huit|neuf|dix"
        r"|quarante|vingt|trente|cuarenta|veinte)"
    ),
    "<state>": (
        r"(?:dead|dark|black|blank|white|frozen|stuck|unreachable|offline|locked"
        r"|unplayable|unusable|upside down|mirrored|garbled|scrambled|cut off|clipped"
        r"|swapped|invisible|unreadable|misaligned|stale|saturated|maxed out|pegged"
        r"|exhausted|orphaned|wedged|hosed|bricked|toast|fried|borked|bust"
        r"|unavailable|gr[ae]yed out|red|mute|gibberish|out of sync|out of date"
        r"|outdated|half \w+|down(?! (?:by|to|from|\d|a |another))|full(?= again"
        r"|[.,;]|$)|unresponsive|unstable|uneven|jerky|choppy|laggy|sluggish|blurry"
        r"|blurred|distorted|cropped|too (?!early|soon)\w+|not there|nowhere|missing"
        r"|broken|off by|at 100 ?%(?: cpu)?|in limbo)"
    ),
    "<tell>": (
        r"(?:tell|telling|say|saying|judge|judging|know|knowing|conclude|concluding"
        r"|decide|deciding|separate|distinguish|attribute|assess|interpret|draw"
        r"|rule out|be sure|be certain|be told|be compared|be judged|be said"
        r"|be separated|pin (?:it )?down|call it|generali[sz]e|compare)"
    ),
    "<more>": (
        r"(?:data|runs?|rounds?|samples?|time|traffic|days?|weeks?|months?"
        r"|measurements?|tests?|seeds?|trials?|evidence|numbers|testing|users"
        r"|investigation|digging|experiments?)"
    ),
    "<looping>": (
        r"(?:cycl|restart|reboot|crash|reset|disconnect|reconnect|rebalanc|flap|loop"
        r"|spin|dropp|los|fail|retry|timing|wait|block|leak|climb|rising|swapp|evict"
        r"|ask|complain|return|coming back|stutter|flicker|hang|freez|bounc|throttl"
        r"|overheat|logging|getting|growing|swelling|filling|jump|skip|print|show"
        r"|throw|tripp|dying|stall|reload|redirect|forgett|churn|buffer)\w*"
    ),
    "<undone>": (
        r"(?:cancel|abort|kill|interrupt|halt|pull|pause|disabl|turn|switch|reset"
        r"|reboot|reflash|restor|restart|rebuil|redo|redon|rerun|re-run|reinstall"
        r"|revert|retreat|recover|refund|roll|call|page|apolog|unplug|power.?cycl"
        r"|hard.?reset|scrap|shelv|postpon|fall back|give|undo|undon|abandon|drop"
        r"|stop|start over|hit|wake|evacuat|back|remov|withdr|discard|throw|thrown"
        r"|repair|repeat|do it again|intervene|manually|by hand|clean up|delet)\w*"
    ),
    "<good>": (
        r"(?:green|pass|passes|passed|passing|ok|okay|fine|clean|match|matches"
        r"|matched|agree|agreed|present|healthy|answer|answered|arrive|arrived"
        r"|delivered|work|works|worked|succeed|succeeded|online|started|start|boot"
        r"|booted|load|loaded|finished|finish|completed|complete|grun|bestanden"
        r"|vorhanden|laufen|liefen|verdes?|en verde|pasan|pasaron|correctas?"
        r"|correctos?|verts?|vertes?|au vert|passent|ont reussi|reussis?|reussies?"
        r"|recovered|reachable|intact|signed|accounted for)"
    ),
    "<end>": (
        r"(?=\s*(?:[.,;:!?)\n]|$))"
    ),
    "<time>": (
        r"(?:the (?:next|following|same|very next)|within|after|overnight|again"
        r"|a (?:day|week|month|few|couple)|an hour|two|three|\d+|on (?:mon|tue|wed"
        r"|thu|fri|sat|sun)\w*|in (?:the|production)|by (?:the|mon|tue|wed|thu|fri)"
        r"|as soon as|with|once|every|later|yesterday|today|worse)"
    ),
}  # fmt: skip
"What patterns have in common."


def _beginnings() -> dict[str, dict[str, list[tuple[str, str]]]]:
    """Return the rows by the four letters and the fifth that they can begin with."""
    rows: dict[str, dict[str, list[tuple[str, str]]]] = {}
    for table in (failing, succeeding, undecided, european, notations):
        for name, firsts, pattern in table.ROWS:
            for head, fifth in sorted(
                {(first[:4], first[4:5]) for first in firsts.split()}
            ):
                rows.setdefault(head, {}).setdefault(fifth, []).append((name, pattern))
    return rows


ROWS: Final = _beginnings()
"The rows by head and fifth letter."


def beginning(head: str, following: str) -> list[tuple[str, re.Pattern[str]]]:
    """Return the patterns that can begin like *head*, with that letter behind it.

    >>> [name for name, pattern in beginning("had", "t") if pattern.match("had to be reverted")]
    ['failure']
    """
    return _compiled(head, following if following in ROWS.get(head, ()) else "")


@cache
def _compiled(head: str, fifth: str) -> list[tuple[str, re.Pattern[str]]]:
    rows = ROWS.get(head, {})
    some = [*rows.get("", ()), *(rows.get(fifth, ()) if fifth else ())]
    by_name: dict[str, list[str]] = {}
    for name, pattern in dict.fromkeys(some):
        by_name.setdefault(name, []).append(_whole(pattern))
    return [(name, re.compile("|".join(patterns))) for name, patterns in by_name.items()]


@cache
def anywhere() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """Return the patterns of scripts without spaces.

    >>> {name for name, pattern in anywhere() if pattern.search("\u4e00\u76f4\u91cd\u542f")}
    {'failure'}
    """
    return tuple((name, re.compile(pattern)) for name, pattern in unspaced.ROWS)


def _whole(pattern: str) -> str:
    """Return *pattern* with its parts put in."""
    for name, part in _PARTS.items():
        pattern = pattern.replace(name, part)
    return f"(?:{pattern})"
