"""What a verdict could rest on better, in proportion to what a fault would cost.

Advice never blocks and never changes a verdict. It is lexical: it sees whether a review
says what was attacked, how, and what is left, not whether that is true. A low risk asks for
any output at all; a medium or high one for a review whose labels are filled in, bound to
the commit of the verdict unless only documents may be written.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, Final

REVIEWS: Final = frozenset({"review", "adversarial-review", "challenge"})
"Kinds of evidence that count as a review."
LABELS: Final = (
    "claim attacked",
    "counterexample check",
    "observed result",
    "unresolved findings",
    "residual risk",
)
"Lines of a review that have to be filled in."
_WORDS: Final = 6
_CHARACTERS: Final = 32
_MODE: Final = re.compile(
    r"^\W*review mode\W+independent read-only\b", re.IGNORECASE | re.MULTILINE
)
_TYPE: Final = re.compile(
    r"^\W*check type\W.*\b(negative|differential|operational|rollback)\b",
    re.IGNORECASE | re.MULTILINE,
)
_HEAD: Final = re.compile(
    r"^\W*reviewed head\W+([0-9a-f]{40})\b", re.IGNORECASE | re.MULTILINE
)
_STOCK: Final = frozenset(
    {"ok", "done", "passed", "tests pass", "lgtm", "looks good", "n/a"}
)
_DOCUMENTS: Final = frozenset({".md", ".rst", ".txt", ".adoc"})


def on_evidence(
    task: Mapping[str, Any], head: str | None, evidence: Sequence[Mapping[str, Any]]
) -> list[str]:
    """Return what the evidence of a verdict lacks for the risk of its task.

    >>> on_evidence({"risk": "low"}, None, [{"content": "42 passed in 3.1s"}])
    []
    """
    risk = task.get("risk")
    if risk == "low":
        says = any(_says(str(one.get("content") or "")) for one in evidence)
        return [] if says else ["no output or note shows what was checked"]
    if risk not in ("medium", "high"):
        return ["the risk is unknown; task_update sets it, and it says what to show"]
    reviews = [one for one in evidence if one.get("evidenceKind") in REVIEWS]
    if not reviews:
        return [f"{risk} risk without evidence of kind review; its lines: {_template()}"]
    lacking = min((_lacking(task, head, one) for one in reviews), key=len)
    return [f"the fullest review lacks: {', '.join(lacking)}"] if lacking else []


def _says(text: str) -> bool:
    """Return whether a text is more than a stock phrase or a bare commit."""
    bare = " ".join(text.split()).strip(" .!").lower()
    return bool(bare) and bare not in _STOCK and not re.fullmatch(r"[0-9a-f]{7,40}", bare)


def _lacking(
    task: Mapping[str, Any], head: str | None, review: Mapping[str, Any]
) -> list[str]:
    """Return the lines that a review lacks."""
    text = str(review.get("content") or "")
    lacking = [label for label in LABELS if not _filled(label, text)]
    lacking += [] if _MODE.search(text) else ["review mode: independent read-only"]
    lacking += [] if _TYPE.search(text) else ["check type"]
    if head and not _only_documents(task):
        read = _HEAD.search(text)
        fits = read is not None and read[1].lower() == head.lower()
        lacking += [] if fits else ["reviewed HEAD of the verdict"]
    return lacking


def _filled(label: str, text: str) -> bool:
    """Return whether a labelled line says more than a phrase."""
    found = re.search(rf"^\W*{label}\W*[:\-]\s*(.+)$", text, re.IGNORECASE | re.MULTILINE)
    said = found[1].strip() if found else ""
    return len(said) >= _CHARACTERS and len(said.split()) >= _WORDS and "<" not in said


def _only_documents(task: Mapping[str, Any]) -> bool:
    """Return whether a task may write to documents alone."""
    scope = task.get("writeScope")
    paths: Iterable[Any] = scope if isinstance(scope, list) else ()
    held = [PurePosixPath(str(path)) for path in paths]
    return bool(held) and all(
        path.suffix.lower() in _DOCUMENTS or path.parts[:1] == ("docs",) for path in held
    )


def _template() -> str:
    return "; ".join([*LABELS, "review mode", "check type", "reviewed HEAD"])
