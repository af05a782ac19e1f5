"""Tasks at a shell: one command for each verb, and commands whose output is kept."""

import json
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result

Cli = Callable[..., Result]
Shell = Callable[..., subprocess.CompletedProcess[str]]
FAILING = (sys.executable, "-c", "print('quicksilver leaked'); raise SystemExit(3)")


def _json(cli: Cli, *arguments: str) -> dict[str, Any]:
    """Run a command for JSON."""
    done = cli("--json", "--project", "acme/one", *arguments)
    assert done.exit_code == 0, done.output
    reply: dict[str, Any] = json.loads(done.output)
    return reply


def test_a_task_goes_through_its_life_at_a_shell(cli: Cli) -> None:
    """Every command says where the task stands then."""
    steps = [
        ("start", "Move it", "--next-actions", "pump", "--write-scope", "src"),
        ("update", "--tags", "a", "--tags", "b"),
        ("block", "no disk"),
        ("unblock", "the disk came"),
        ("verify", "pending"),
        ("park",),
    ]
    seen = [_json(cli, "task", *step)["task"] for step in steps]
    task = seen[0]["id"]
    seen.append(_json(cli, "task", "switch", task)["task"])
    evidence = _json(cli, "evidence", "add", "42 passed", "--kind", "test")["id"]
    said = ("--evidence", evidence, "--summary", "ok")
    seen.append(_json(cli, "task", "finalize", "passed", *said)["task"])

    assert [
        "active", "active", "blocked", "active", "active", "parked", "active", "completed",
    ] == [one["status"] for one in seen]  # fmt: skip
    passport = _json(cli, "task", "status", task)["passport"]
    assert [evidence] == passport["verification"]["evidence"]
    assert ["a", "b"] == passport["tags"]


def test_every_reader_prints_for_people(cli: Cli) -> None:
    """No Python and no JSON."""
    cli("--project", "acme/one", "task", "start", "Move it", "--next-actions", "pump")
    printed = {
        name: cli("--project", "acme/one", "task", name).output
        for name in ("status", "list", "handoff", "audit")
    }

    assert "Move it: task_" in printed["status"]
    assert "next: pump" in printed["status"]
    assert "active" in printed["list"]
    assert "- pump" in printed["handoff"]
    assert "WARN scope" in printed["audit"]
    assert not [text for text in printed.values() if "{'" in text or '{"' in text]


def test_an_abandoned_task_needs_a_reason(cli: Cli) -> None:
    """The argument is required, and closes the task."""
    cli("--project", "acme/one", "task", "start", "Move it")
    without = cli("--project", "acme/one", "task", "abandon")
    done = _json(cli, "task", "abandon", "overtaken")

    assert 2 == without.exit_code
    assert "abandoned" == done["task"]["status"]


def test_run_behaves_like_the_command_and_keeps_its_output(shell: Shell) -> None:
    """Output and exit status are the command's; the rest goes to stderr."""
    shell("--project", "acme/one", "task", "start", "Move it")
    done = shell("--project", "acme/one", "run", "--kind", "test", "--", *FAILING)
    found = json.loads(
        shell(
            "--json", "--project", "acme/one", "search", "leaked", "--detail", "full"
        ).stdout
    )["items"]

    assert (3, "quicksilver leaked\n") == (done.returncode, done.stdout)
    assert "--record" in done.stderr
    record = found[0]["record"]
    assert ("evidence", 3, "quicksilver leaked\n") == (
        record["kind"], record["exitCode"], record["content"],
    )  # fmt: skip
    assert record["durationMs"] >= 0
    assert record["taskId"].startswith("task_")


def test_run_records_a_failure_as_an_attempt_on_request(shell: Shell) -> None:
    """With the end of the output as result, and the evidence beside it."""
    said = ("--record", "--reason", "a seal broke")
    done = shell("--project", "acme/one", "run", *said, "--", *FAILING)
    call = ("--json", "--project", "acme/one", "search", "leaked", "--kind", "attempt")
    record = json.loads(shell(*call, "--detail", "full").stdout)["items"][0]["record"]

    assert 3 == done.returncode
    assert ("failed", "a seal broke") == (record["resultClass"], record["reason"])
    assert "exit status 3\nquicksilver leaked" == record["result"]
    assert record["relatedTo"][0].startswith("evidence_")


def test_run_records_no_attempt_for_a_success(shell: Shell) -> None:
    """Whatever was asked for."""
    words = (sys.executable, "-c", "print('fine')")
    done = shell("--project", "acme/one", "run", "--record", "--", *words)
    found = shell("--json", "--project", "acme/one", "search", "--kind", "attempt").stdout

    assert (0, "fine\n") == (done.returncode, done.stdout)
    assert [] == json.loads(found)["items"]


def test_run_for_json_leaves_stdout_to_the_reply(shell: Shell) -> None:
    """What the command prints goes to stderr then."""
    done = shell("--json", "--project", "acme/one", "run", "--", *FAILING)
    reply = json.loads(done.stdout)

    assert (3, 3) == (done.returncode, reply["exitCode"])
    assert reply["id"].startswith("evidence_")
    assert "quicksilver leaked" in done.stderr


def test_run_keeps_beginning_and_end_of_an_endless_output(shell: Shell) -> None:
    """All of it is passed on; the middle is not kept."""
    program = "print('first'); print('x' * 400_000); print('last quicksilver')"
    done = shell("--project", "acme/one", "run", "--", sys.executable, "-c", program)
    call = ("--json", "--project", "acme/one", "search", "quicksilver", "--detail", "full")
    content = json.loads(shell(*call).stdout)["items"][0]["record"]["content"]

    assert len(done.stdout) > 400_000
    assert len(content) < 200_000
    assert content.startswith("first\n")
    assert content.endswith("last quicksilver\n")


def test_a_command_that_is_not_there_ends_with_127(shell: Shell) -> None:
    """As in a shell, and it is evidence, too."""
    done = shell("--project", "acme/one", "run", "--", "no-such-command-anywhere")

    assert 127 == done.returncode
    assert "kept as evidence_" in done.stderr


@pytest.mark.parametrize("names", [("a", "b")])
def test_two_sessions_of_a_shell_have_a_task_each(
    shell: Shell, names: tuple[str, str]
) -> None:
    """SHADOWGRAPH_SESSION tells them apart."""
    for name in names:
        shell("--project", "p", "task", "start", name, SHADOWGRAPH_SESSION=name)
    titles = [
        json.loads(
            shell(
                "--json", "--project", "p", "task", "status", SHADOWGRAPH_SESSION=n
            ).stdout
        )["task"]["title"]
        for n in names
    ]

    assert list(names) == titles
