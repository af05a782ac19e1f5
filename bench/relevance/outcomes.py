"""How well is the outcome of an attempt read from its wording?

`python -m bench.relevance.outcomes` reads every judged text of `fixtures/outcomes` and
prints accuracy by language: for the texts that the word lists were extended with, and for
two sets that nothing was ever tuned on. What to expect of new texts is the last figure.
"""

import json
from collections import Counter
from pathlib import Path

from shadowgraph.rules.outcome import classify
from shadowgraph.search.definition import packaged

OUTCOMES = Path(__file__).parents[2] / "fixtures" / "outcomes"


def rows(name: str) -> list[dict[str, str]]:
    """Return the judged texts of a file."""
    text = (OUTCOMES / name).read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines()]


def read_as(result: str) -> str:
    """Return the class that the wording of a result is read as."""
    attempt = {"kind": "attempt", "result": result}
    return classify(attempt, packaged().failure_words).cls


def main() -> None:
    """Print the tables."""
    print("| texts | language | number | accuracy |\n| --- | --- | --- | --- |")
    for name in ("judged.jsonl", "fresh.jsonl", "held-out.jsonl", "unseen.jsonl"):
        judged = rows(name)
        total = Counter(row["language"] for row in judged) + Counter(all=len(judged))
        right = Counter[str]()
        for row in judged:
            if read_as(row["result"]) == row["expect"]:
                right.update((row["language"], "all"))
        for language in total:
            share = right[language] / total[language]
            print(f"| {name} | {language} | {total[language]} | {share:.3f} |")


if __name__ == "__main__":
    main()
