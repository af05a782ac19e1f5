"""What is kept of the output of a command: bounded, with a headline.

Beginning and end of a long output are kept, because what failed is told at the end and what
was run at the beginning; a line between them says how much is missing. Secrets are masked
before (`masking`), so that no half of one is left.
"""

from typing import Final

MOST: Final = 200_000
"Most bytes of an output that are kept."
SEARCHED: Final = 8_000
"Most characters of an output that the index gets."
_HEADLINE: Final = 200


def bounded(text: str, most: int = MOST) -> tuple[str, bool]:
    """Return *text* within *most* bytes, and whether something was left out.

    >>> bounded("abc")
    ('abc', False)
    """
    whole = text.encode()
    if len(whole) <= most:
        return text, False
    half = (most - 100) // 2
    begin, end = (part.decode("utf-8", "ignore") for part in (whole[:half], whole[-half:]))
    return f"{begin}\n[{len(whole) - 2 * half:,} bytes left out]\n{end}", True


def searched(text: str) -> str:
    """Return the part of an output that is searched: its beginning and its end."""
    return bounded(text, SEARCHED)[0]


def headline(kind: str, command: str, exit_code: int | None, content: str) -> str:
    """Return one line that says what an output shows.

    >>> headline("test", "pytest -q", 1, "")
    'test: pytest -q (exit status 1)'
    """
    first = next((line for line in content.splitlines() if line.strip()), "")
    about = " ".join((command or first).split())[:_HEADLINE]
    ended = "" if exit_code is None else f" (exit status {exit_code})"
    return f"{kind}: {about}{ended}"
