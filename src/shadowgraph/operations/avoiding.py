"""Judging one action by the attempts near it; shadowgraph_check and the hooks share it.

The verdict rests on attempts that are close to the action, not on the best of bad matches.
Unknown never permits: *clear* needs an attempt that worked, or a failed one whose
conditions for another try all hold now, or of which a later run of the same command is
known to have worked (`resolvedBy`). An attempt that worked and is closer than any that
failed speaks for the action, and what failed beside it is still shown.

No request and no reply is declared here, so that a hook, which has a quarter of a second,
need not load the machinery of schemas.
"""

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from shadowgraph.library import Library, Nearby
from shadowgraph.operations.present import clip
from shadowgraph.store import StoredRecord
from shadowgraph.sync import PATIENCE, View

Verdict = Literal["avoid", "caution", "clear", "unknown"]


class Judged(NamedTuple):
    """One nearby attempt and what it says of the action."""

    near: Nearby
    retry: str
    "true, false or unknown: do its conditions for another try hold; none without any."
    elsewhere: bool
    "True when it happened in an environment that shares nothing with the caller's."

    @property
    def score(self) -> float:
        """How likely the action is the same thing, 0 to 1."""
        return self.near.closeness.score

    @property
    def resolved(self) -> bool:
        """Whether the same command is known to have worked since."""
        return bool(self.near.record.body.get("resolvedBy"))

    @property
    def failed(self) -> bool:
        """Whether it speaks against the action."""
        ended = self.near.outcome.cls == "failed"
        return ended and self.retry != "true" and not self.resolved

    @property
    def worked(self) -> bool:
        """Whether it speaks for the action; an outcome that nothing tells does not."""
        return self.near.outcome.cls in ("succeeded", "failed") and not self.failed


class Judgement(NamedTuple):
    """What the attempts near an action say together."""

    verdict: Verdict
    shown: tuple[Judged, ...]
    "Those close enough to be shown, closest first."
    view: View

    @property
    def advice(self) -> str:
        """What to do, in one line."""
        return _advice(self.verdict, self.shown)


def judge_action(
    library: Library,
    action: str,
    owner: str | None,
    environment: str = "",
    facts: Mapping[str, Any] | None = None,
    *,
    patience: float = PATIENCE,
) -> Judgement:
    """Judge an action by the attempts of *owner* near it."""
    nearby, view = library.nearby(action, owner, environment, patience=patience)
    judged = [
        Judged(
            near,
            _retry(library, owner or "", near.record, facts or {}),
            elsewhere=near.same_environment is False,
        )
        for near in nearby
    ]
    settings = library.definition.ranking["check"]
    verdict = _verdict(judged, settings["avoid"], settings["caution"])
    shown = tuple(one for one in judged if one.score >= settings["caution"])
    return Judgement(verdict, shown, view)


def _retry(
    library: Library, owner: str, record: StoredRecord, facts: Mapping[str, Any]
) -> str:
    """Return whether an attempt's conditions for another try hold; none without any."""
    if not record.body.get("reusableWhen"):
        return "none"
    # Imported here: most attempts have no condition, and its grammar costs a hook 13 ms.
    from shadowgraph.operations.reviewing import retry_verdict  # noqa: PLC0415

    return retry_verdict(library.store, owner, record, facts, library.clock())


def _verdict(judged: list[Judged], avoid: float, caution: float) -> Verdict:
    """Return what the nearest attempts say together."""
    against = [one for one in judged if one.failed]
    for_it = [one for one in judged if one.worked]
    worst = max((one.score for one in against), default=0.0)
    best = max((one.score for one in for_it), default=0.0)
    doubt = max((one.score for one in judged if one not in for_it), default=0.0)
    if worst >= avoid and worst >= best:
        nearest = max(against, key=lambda one: one.score)
        return "caution" if nearest.elsewhere else "avoid"
    if best >= caution and best >= doubt:
        return "clear"
    return "caution" if max(worst, doubt) >= caution else "unknown"


def _advice(verdict: Verdict, shown: tuple[Judged, ...]) -> str:
    if verdict == "unknown":
        return "Nothing like this is recorded here; that is no sign that it works."
    body = shown[0].near.record.body if shown else {}
    why = clip(str(body.get("reason") or body.get("result") or ""), 160)
    if verdict == "avoid":
        return f"This failed before: {why}"
    if verdict == "clear":
        return "This worked before; record how it goes this time if anything differs."
    return f"Something like this was tried; read the matches first: {why}"
