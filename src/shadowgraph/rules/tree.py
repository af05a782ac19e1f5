"""Joining answers: all, any and none over three-valued truth.

`all` is false as soon as one part is false, `any` true as soon as one is true, `none` the
opposite of `any`; where an unknown part could still turn the answer, the answer is unknown.
So an unknown never permits and never forbids by itself, at whatever depth it stands.

Also here: what makes a raw rule a tree, and which fact keys and tokens it names, because the
store keeps them beside a record; so a write does not load the grammar. `ABSENCE` stands for "can be decided without any fact":
no key and no token is empty, so it can never be confused with one.
"""

from collections.abc import Collection, Iterator, Mapping
from typing import Final, Literal, TypeAlias

Truth: TypeAlias = Literal["true", "false", "unknown"]
"The three answers, as they are written on the wire."

JOINS: Final = ("all", "any", "none")
"The members of a tree on the wire; an object has one of them."

WITHOUT_VALUE: Final = frozenset({"exists", "missing"})
"Operators that ask whether there is a fact at all."

ABSENCE: Final = ""
"Named by a rule that a missing fact decides."


def join(kind: str, answers: Collection[Truth]) -> Truth:
    """Return the answer of a tree of this *kind* (all, any or none) to its parts' answers.

    >>> join("all", ["true", "unknown"]), join("any", ["true", "unknown"])
    ('unknown', 'true')
    >>> join("none", ["false", "unknown"]), join("none", ["true", "unknown"])
    ('unknown', 'false')
    """
    decisive: Truth = "false" if kind == "all" else "true"
    if decisive in answers:
        return "true" if kind == "any" else "false"
    if "unknown" in answers:
        return "unknown"
    return "false" if kind == "any" else "true"


def joined(raw: object) -> list[str]:
    """Return the members of *raw* that make it a tree; none for any other rule.

    >>> joined({"any": ["a", "b"]}), joined({"key": "any"})
    (['any'], [])
    """
    return [name for name in JOINS if name in raw] if isinstance(raw, Mapping) else []


def named(raw: object) -> Iterator[str]:
    """Yield the fact keys and tokens that a rule names, and `ABSENCE` where it applies.

    >>> sorted(set(named({"all": ["t", {"key": "k", "operator": "missing"}]})))
    ['', 'k', 't']
    """
    # A stack instead of recursion: imported rules may be nested without measure.
    pending = [raw]
    while pending:
        one = pending.pop()
        if isinstance(one, str):
            yield one
        elif isinstance(one, Mapping):
            for kind in joined(one):
                parts = one[kind]
                pending += parts if isinstance(parts, list | tuple) else []
            yield from _key(one)


def _key(rule: Mapping[object, object]) -> Iterator[str]:
    key = rule.get("key")
    if isinstance(key, str):
        yield key
        operator = str(rule.get("operator")).strip().lower()
        if operator in WITHOUT_VALUE:
            yield ABSENCE
