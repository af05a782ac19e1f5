"""The synthetic corpus: the same records and queries on every machine.

Words come from the notes in `fixtures/`, most frequent first, followed by generated
identifiers, paths, versions and error codes; they are drawn by Zipf's law, so that a few
words stand nearly everywhere and most are rare, as in real notes. A seed fixes everything:
the first thousand records of a large corpus are the whole of a small one.

All records belong to one project: the worst case, because a filter then spares nothing.
"""

import json
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import accumulate
from pathlib import Path
from random import Random
from typing import Any

NOTES = Path(__file__).parents[2] / "fixtures" / "notes"
PROJECT = "acme/bench"
SEED = 20_261_130
GENERATED = 40_000
"Identifiers and codes behind the words of the notes."
WORDS = 120
"About how many words a record has."
_FIRST = datetime(2024, 11, 1, tzinfo=UTC)
_SPAN_MINUTES = 2 * 365 * 24 * 60
_RESULTS = ("failed", "failed", "succeeded", "inconclusive", None)
_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_.'-]*[A-Za-z0-9]|[A-Za-z]")


def note_words() -> list[str]:
    """Return the distinct words of the notes, most frequent first."""
    counts: Counter[str] = Counter()
    for path in sorted(NOTES.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            body = json.loads(line)
            texts = [v for k, v in body.items() if isinstance(v, str) and k != "id"]
            counts.update(word for text in texts for word in _PLAIN.findall(text))
    return [word for word, _ in sorted(counts.items(), key=lambda one: (-one[1], one[0]))]


def generated_words(random: Random, stems: list[str], count: int) -> list[str]:
    """Return identifiers, paths, versions and codes made of *stems*."""
    return [_generated(random, stems) for _ in range(count)]


def _generated(random: Random, stems: list[str]) -> str:
    one, two, three = (random.choice(stems).lower() for _ in range(3))
    number = random.randrange(10_000)
    forms = (
        f"{one}_{two}",
        f"{one}{two.capitalize()}{three.capitalize()}",
        f"{one}/{two}/{three}.py",
        f"{one.upper()}_{two.upper()}",
        f"v{number % 9}.{number % 40}.{number % 7}",
        f"E{number:04}",
        f"ERR_{one.upper()}_{number % 100}",
        f"{random.getrandbits(40):010x}",
    )
    return random.choice(forms)


@dataclass
class Corpus:
    """A source of records and queries; two of one seed give the same ones."""

    seed: int = SEED
    _drawn: Random = field(init=False)

    def __post_init__(self) -> None:
        """Start at the first record."""
        self._drawn = Random(self.seed)

    @cached_property
    def vocabulary(self) -> list[str]:
        """All words, in order of rank."""
        words = note_words()
        stems = [word for word in words if word.isalpha() and len(word) > 3]
        return words + generated_words(Random(self.seed), stems, GENERATED)

    @cached_property
    def _weights(self) -> list[float]:
        ranks = range(len(self.vocabulary))
        return list(accumulate(1.0 / (rank + 2.7) for rank in ranks))

    def words(self, random: Random, count: int) -> list[str]:
        """Draw *count* words by Zipf's law."""
        return random.choices(self.vocabulary, cum_weights=self._weights, k=count)

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield records without an end."""
        number = 0
        while True:
            make = self._decision if number % 5 == 4 else self._attempt
            yield make(self._drawn, number)
            number += 1

    def _text(self, random: Random, count: int) -> str:
        return " ".join(self.words(random, count))

    def _stamp(self, random: Random) -> str:
        at = _FIRST + timedelta(minutes=random.randrange(_SPAN_MINUTES))
        return at.isoformat().replace("+00:00", "Z")

    def _attempt(self, random: Random, number: int) -> dict[str, Any]:
        result_class = random.choice(_RESULTS)
        return {
            "kind": "attempt",
            "id": f"attempt_bench-{number:07}",
            "project": PROJECT,
            "solution": self._text(random, 20),
            "result": f"{self._text(random, 35)}\n{self.error_line(random)}",
            **({"resultClass": result_class} if result_class else {}),
            "reason": self._text(random, 45),
            "environment": self._text(random, 6),
            "sourceClass": random.choice(("agent_claimed", "tool_observed")),
            "createdAt": self._stamp(random),
        }

    def _decision(self, random: Random, number: int) -> dict[str, Any]:
        rejected = [
            {"label": self._text(random, 5), "reasonRejected": self._text(random, 25)}
            for _ in range(2)
        ]
        return {
            "kind": "decision",
            "id": f"decision_bench-{number:07}",
            "project": PROJECT,
            "title": self._text(random, 8),
            "goal": self._text(random, 20),
            "chosen": self._text(random, 20),
            "confidence": {"current": round(random.uniform(0.2, 0.95), 2)},
            "status": random.choice(("proposed", "executed", "validated")),
            "assumptions": [self._text(random, 12)],
            "alternatives": rejected,
            "createdAt": self._stamp(random),
        }

    def error_line(self, random: Random) -> str:
        """Return a line as a program prints when it fails."""
        module, kind, *rest = self.words(random, 9)
        path, line = "/".join(rest[:2]), random.randrange(900)
        return f"{module}.{kind.title()}Error: {' '.join(rest)} ({path}.py:{line})"

    def queries(self, count: int, seed: int = 1) -> list[str]:
        """Return queries of 2 to 8 words, every fourth one an error line."""
        random = Random(self.seed * 31 + seed)
        return [
            self.error_line(random)
            if number % 4 == 3
            else " ".join(self.words(random, random.randint(2, 8)))
            for number in range(count)
        ]


def searched_text(body: dict[str, Any]) -> str:
    """Return every searched text of a record as one, for the other engines."""
    names = ("solution", "title", "result", "reason", "environment", "goal", "chosen")
    texts = [str(body[name]) for name in names if name in body]
    texts += body.get("assumptions", [])
    for option in body.get("alternatives", []):
        texts += [option["label"], option["reasonRejected"]]
    return "\n".join(texts)
