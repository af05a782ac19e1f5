"""What pydantic found, in sentences of ours.

Its own messages name types of Python and a website with its version; a caller needs the
field and what would be right.
"""

from typing import Any

_SENTENCES = {
    "missing": "{path} is required.",
    "extra_forbidden": "{path} is not known there.",
    "string_too_short": "{path} must not be empty.",
    "string_pattern_mismatch": "{path} must not be empty.",
    "string_too_long": "{path} may have {max_length} characters.",
    "too_long": "{path} may have {max_length} items.",
    "too_short": "{path} must have at least {min_length} item.",
    "literal_error": "{path} must be one of {expected}.",
    "greater_than_equal": "{path} must be at least {ge}.",
    "less_than_equal": "{path} must be at most {le}.",
}
"Sentence by the type of finding."


def path_of(location: tuple[int | str, ...]) -> str:
    """Return a place in a value as it would be written.

    >>> path_of(("alternatives", 0, "label"))
    'alternatives[0].label'
    """
    text = ""
    for step in location:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return text


def sentence(found: Any) -> str:
    """Return one finding of a `ValidationError` as a sentence."""
    path = path_of(found["loc"])
    known = _SENTENCES.get(found["type"])
    if known is not None:
        return known.format(path=path, **found.get("ctx", {}))
    return f"{path}: {str(found['msg']).removeprefix('Value error, ')}."
