"""The words that a stem may have come from.

The index knows a stem by its occurrences, standing alone or inside an identifier: `painted`
and `paint_walls` both hold *paint*. Only the word that stands alone has an exact token, so
a search that knows the other forms of its words can tell the two apart. Forms are made by
English endings and kept when the analyzer stems them back; what an ending cannot make
(*went*) stays out, which costs a place in the order and never a hit.
"""

from shadowgraph.search.analyzer import Analyzer

ENDINGS = ("", "e", "s", "es", "d", "ed", "ing", "er", "ers")
"What is put behind a stem; its last letter may be doubled before it, or a y for its i."


def forms(stem: str, analyzer: Analyzer) -> tuple[str, ...]:
    """Return words whose stem is *stem*, itself among them when it is one.

    >>> from shadowgraph.search.definition import packaged
    >>> forms("stop", Analyzer(packaged().analysis))
    ('stop', 'stops', 'stopped', 'stopping')
    """
    if len(stem) < 3 or not (stem.isascii() and stem.isalpha()):
        return ()
    roots = [stem, stem + stem[-1], *([stem[:-1] + "y"] if stem[-1] == "i" else [])]
    words = (root + ending for root in roots for ending in ENDINGS)
    return tuple(word for word in dict.fromkeys(words) if analyzer.stem(word) == stem)
