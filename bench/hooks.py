"""How long a hook takes as a process: `python -m bench.hooks --home COPY [--runs 40]`.

Every event is piped into a process of its own, as a host does it, over a home that may be
large; the home is written to, so give a copy. p50 and p95 in milliseconds are printed, beside
what the bare interpreter takes on the same machine at the same moment, and the processor
time, which other work on the machine does not lengthen.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

LIMIT = 250
"Milliseconds that p95 may take."
BASH = {"session_id": "bench", "cwd": "/", "tool_name": "Bash"}
FAILED = {"tool_input": {"command": "npm ci"}, "error": "Exit code 1\nnpm ERR! code EACCES"}
EVENTS: dict[str, list[dict[str, Any]]] = {
    "session-start": [{"session_id": "bench", "source": "startup"}],
    "user-prompt": [
        {"prompt": "the database migration fails in docker compose with a timeout"},
        {"prompt": "write the release notes of the last two weeks and keep them short"},
    ],
    "pre-tool-use": [
        {**BASH, "tool_input": {"command": "docker compose up -d postgres --wait"}},
        {
            **BASH,
            "tool_name": "Edit",
            "tool_input": {"file_path": "a.py", "new_string": "x"},
        },
    ],
    "post-tool-use": [
        {
            **BASH,
            "tool_input": {"command": "npm run build"},
            "tool_response": {"stdout": "ok"},
        }
    ],
    "post-tool-use-failure": [{**BASH, **FAILED}],
    "pre-compact": [{"session_id": "bench", "trigger": "auto"}],
    "session-end": [{"session_id": "bench", "reason": "exit"}],
}


def timed(
    command: list[str], given: str, environment: dict[str, str]
) -> tuple[float, float]:
    """Return elapsed and processor milliseconds of one process."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    begun = time.perf_counter()
    subprocess.run(
        command, input=given, text=True, check=True, capture_output=True, env=environment
    )
    elapsed = time.perf_counter() - begun
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return elapsed * 1000, used * 1000


def told(name: str, times: list[tuple[float, float]]) -> float:
    """Print one line and return p95."""
    elapsed = [one[0] for one in times]
    used = statistics.median(one[1] for one in times)
    p95 = statistics.quantiles(elapsed, n=20)[-1]
    print(
        f"{name:<22} p50 {statistics.median(elapsed):4.0f}  p95 {p95:4.0f}  cpu {used:4.0f} ms"
    )
    return p95


def main() -> None:
    """Measure every event and say whether p95 keeps the limit."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--home", required=True, type=Path)
    parser.add_argument("--project", default="acme/bench")
    parser.add_argument("--runs", type=int, default=40)
    asked = parser.parse_args()
    environment = {
        **os.environ,
        "SHADOWGRAPH_HOME": str(asked.home),
        "SHADOWGRAPH_PROJECT": asked.project,
    }
    bare = [sys.executable, "-c", "pass"]
    told("(bare interpreter)", [timed(bare, "", environment) for _ in range(asked.runs)])
    script = str(Path(sys.executable).with_name("shadowgraph"))
    worst = 0.0
    for name, payloads in EVENTS.items():
        command = [script, "hook", name]
        given = [json.dumps(payloads[n % len(payloads)]) for n in range(asked.runs)]
        timed(command, given[0], environment)
        worst = max(worst, told(name, [timed(command, one, environment) for one in given]))
    print(
        f"worst p95 {worst:.0f} ms, limit {LIMIT}: {'kept' if worst <= LIMIT else 'MISSED'}"
    )


if __name__ == "__main__":
    main()
