"""What a read asks for beside its words."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Filter:
    """Conditions every hit fulfils; an empty one asks for everything."""

    owner: str | None = None
    "Owner key; None reads across owners."
    kinds: tuple[str, ...] = ()
    "Kinds, any of which; empty for all."
    statuses: tuple[str, ...] = ()
    "Stored states, any of which."
    result_classes: tuple[str, ...] = ()
    "Classes of an attempt's result, declared or read from its wording."
    source_classes: tuple[str, ...] = ()
    "Claimed origin classes."
    environment: str = ""
    "Every word of it stands in the record's environment."
    min_confidence: float | None = None
    "Smallest current confidence, 0 to 1."
    since: int | None = None
    "Earliest creation, milliseconds since 1970, inclusive."
    until: int | None = None
    "Latest creation, milliseconds since 1970, exclusive."
