"""How well credentials are told from what looks like them: `python -m bench.secrets`.

Both are made from the descriptions in `fixtures/secrets`, with twenty seeds; how, and what
counts as found and as wrongly masked, is in `tests.credentials`. What the figures were is
in `bench/README.md`.
"""
# ruff: noqa: A005 - the command is called by what it measures

import time

from tests.credentials import CORPUS, is_found, is_kept, made

from shadowgraph.masking import packaged

SEEDS = 20


def measured(prefix: str = "") -> tuple[float, float, int, int]:
    """Return precision, recall, and how many credentials and look-alikes were made."""
    found = missed = wrong = alike = 0
    for seed in range(SEEDS):
        for one in made(f"{prefix}secrets.jsonl", seed):
            hit = is_found(one)
            found += hit
            missed += not hit
            wrong += hit and not is_kept(one)
            if seed == 0 and not (hit and is_kept(one)):
                print("  missed:", one.kind, packaged().mask(one.text))
        for one in made(f"{prefix}lookalikes.jsonl", seed):
            alike += 1
            kept = is_kept(one)
            wrong += not kept
            if seed == 0 and not kept:
                print("  wrongly masked:", packaged().mask(one.text)[0][:160])
    return found / (found + wrong), found / (found + missed), found + missed, alike


def main() -> None:
    """Print precision, recall and the time that a large text takes."""
    for prefix in ("", "held-out-"):
        if not (CORPUS / f"{prefix}secrets.jsonl").is_file():
            continue
        precision, recall, secrets, alike = measured(prefix)
        print(f"{prefix or 'corpus'}: {secrets} credentials, {alike} look-alikes")
        print(f"  precision {precision:.4f}, recall {recall:.4f}")
    guide = (CORPUS.parents[1] / "docs" / "guide.md").read_text(encoding="utf-8")
    text = (guide * 20)[: 256 * 1024]
    packaged().mask(text)
    begun = time.perf_counter()
    packaged().mask(text)
    print(f"256 KiB of the guide: {(time.perf_counter() - begun) * 1000:.1f} ms")


if __name__ == "__main__":
    main()
