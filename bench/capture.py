"""How well the capture policy tells what is worth keeping: `python -m bench.capture`.

Three sets are reported apart: the events the policy was tuned on, a third that was held out,
and commands that really ran on some machine. With `--wrong` every event that is judged
otherwise is shown.
"""

import sys

from tests.captures import SETS, measured


def main() -> None:
    """Print precision and recall of every set."""
    for name in SETS:
        found = measured(name)
        print(f"{name}: {found.events} events")
        print(f"  precision {found.precision:.3f}, recall {found.recall:.3f}")
        if "--wrong" in sys.argv:
            print(*(f"  {one}" for one in found.wrong), sep="\n")


if __name__ == "__main__":
    main()
