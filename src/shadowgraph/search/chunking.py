"""Where a chunk of text begins and ends.

A chunk is a run of word characters joined by connectors, such as `getUserById`,
`src/utils/parser.ts`, `v2.49.0` or `lock`. White space never stands in one.
"""

import re

from shadowgraph.search.definition import Analysis


def chunk_pattern(settings: Analysis) -> str:
    """Return the pattern of a chunk.

    A word character is what is neither white space nor punctuation: letters, digits,
    marks and emoji of every script. Naming what separates is shorter than naming them.
    """
    separators = (
        r"\s\x00-\-/:-@\[-\^`{-\x7f\u0080-\u00a9\u00ab\u00ac\u00ae-\u00b4\u00b6-\u00b9\u00bb-\u00bf"
        r"\u00d7\u00f7\u05be\u2010-\u2027\u2030-\u205e\u2190-\u23ff\u2500-\u25ff"
        r"\u3000-\u3004\u3008-\u3020\u3030\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40"
        r"\uff5b-\uff65\u0964\u0965\u060c\u061b\u061f\u0e5a\u0e5b"
    )
    word = f"[^{separators}.]"
    join = f"[{re.escape(settings.connectors)}]{{1,3}}"
    # A dot before and a sign behind belong to `.NET`, `C++` and `F#`. The dot is looked at
    # after it was read: with an optional first character the engine tries every place.
    first = rf"[^{separators}](?:(?<!\.)|(?<!{word}\.)(?={word}))"
    return rf"{first}{word}*+(?:{join}{word}++)*+(?:\+\+(?!\+)|#)?"
