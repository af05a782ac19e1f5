"""The signature of a text as the index holds it: short, and the same on both sides.

A signature is compared whole and never shown, so of a long token its digest will do. Most
tokens of signatures stand in few records, and what they cost is their spelling: this made
the whole index a twentieth smaller. Among a million long tokens two share a digest about as
likely as not, and then two errors look a little alike.
"""

from hashlib import blake2s

from shadowgraph.rules.signature import signature

LONGEST = 10
"Characters of a token; of a longer one the digest stands in the index."


def signed(text: str) -> tuple[str, ...]:
    """Return what identifies the errors in *text*, a token each; nothing without one.

    >>> signed("TypeError: x is 12")[0], signed("all is well")
    ('typeerror', ())
    """
    return tuple(map(_short, signature(text)))


def _short(token: str) -> str:
    if len(token) <= LONGEST:
        return token
    return blake2s(token.encode(), digest_size=LONGEST // 2).hexdigest()
