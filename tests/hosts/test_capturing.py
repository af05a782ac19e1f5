"""What hooks store: failures once and counted, and what worked later."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.conftest import StoppedClock
from tests.hosts.conftest import PROJECT, failed, worked

from shadowgraph import Library
from shadowgraph.exchange import export_lines, import_lines
from shadowgraph.hosts.capturing import SCHEMA_VERSION, excerpt
from shadowgraph.hosts.deciding import Desk
from shadowgraph.model import records as shapes
from shadowgraph.operations import Caller, invoke

Records = Callable[..., list[dict[str, Any]]]


def test_a_failure_worth_keeping_becomes_an_attempt(desk: Desk, records: Records) -> None:
    """Observed by a tool, failed by its exit status, with the line that says why."""
    captured = desk.take(failed())

    (attempt,) = records("attempt")
    assert ("recorded", attempt["id"]) == (captured.what, captured.record)
    assert "npm ci" == attempt["solution"]
    assert "failed" == attempt["resultClass"]
    assert "tool_observed" == attempt["sourceClass"]
    assert {"state": "observed", "exitStatus": 1} == attempt["outcomeEvidence"]
    assert "npm ERR! code EACCES" == attempt["reason"]
    assert (1, "s1", PROJECT) == (
        attempt["occurrences"], attempt["sessionId"], attempt["project"],
    )  # fmt: skip


def test_a_captured_attempt_has_the_shape_of_a_recorded_one(
    desk: Desk, home: Path, records: Records
) -> None:
    """Hooks build their records without the models; the two must not drift apart."""
    desk.take(failed())
    with Library(home) as library:
        given = {"solution": "s", "result": "r", "resultClass": "failed"}
        caller = Caller(PROJECT, actor="a", client="c", session_id="s")
        invoke(library, "shadowgraph_record_attempt", given, caller)

    captured, recorded = records("attempt")
    assert set() == set(recorded) - set(captured)
    assert {"occurrences", "lastSeenAt", "outcomeEvidence", "capturedBy"} == set(
        captured
    ) - set(recorded)
    assert SCHEMA_VERSION == shapes.SCHEMA_VERSION
    shapes.Attempt.model_validate(captured)


def test_a_relation_of_a_hook_has_the_shape_of_a_link(
    desk: Desk, home: Path, records: Records
) -> None:
    """The same holds for what links a success with its failure."""
    desk.take(failed())
    desk.take(worked())
    failure, success = records("attempt")
    with Library(home) as library:
        given = {"from": failure["id"], "to": success["id"], "relation": "led_to"}
        invoke(library, "shadowgraph_link", given, Caller(PROJECT, actor="a"))

    ours, theirs = records("relation")
    assert set(theirs) <= set(ours)
    assert (success["id"], failure["id"]) == (ours["from"], ours["to"])
    shapes.Relation.model_validate(ours)


def test_the_same_failure_again_is_counted(
    desk: Desk, clock: StoppedClock, records: Records
) -> None:
    """Other numbers, another directory, other options: still one record."""
    first = "ERROR: Could not find a version that satisfies the requirement torch in 3.1 s"
    desk.take(failed("pip install torch", first))
    clock.advance(hours=2)

    captured = desk.take(failed("pip install -q torch", first.replace("3.1", "9.7")))

    (attempt,) = records("attempt")
    assert ("counted", 2) == (captured.what, attempt["occurrences"])
    assert "2026-11-15T14:00:00.000Z" == attempt["lastSeenAt"]
    assert "pip install torch" == attempt["solution"]


def test_another_failure_of_the_same_command_is_another_record(
    desk: Desk, records: Records
) -> None:
    """The signature tells them apart."""
    desk.take(failed("npm ci", "npm ERR! Error: EACCES: permission denied, mkdir modules"))
    desk.take(failed("npm ci", "npm ERR! request failed: could not resolve host registry"))

    assert 2 == len(records("attempt"))


def test_a_later_success_of_the_command_is_linked(desk: Desk, records: Records) -> None:
    """Every failure of it is resolved, and the success says after how many."""
    desk.take(failed("npm ci", "npm ERR! Error: EACCES: permission denied, mkdir modules"))
    desk.take(failed("npm ci", "npm ERR! request failed: could not resolve host registry"))

    captured = desk.take(worked("npm  ci"))

    *failures, success = records("attempt")
    assert ("resolved", success["id"]) == (captured.what, captured.record)
    assert [success["id"]] * 2 == [one["resolvedBy"] for one in failures]
    assert [one["id"] for one in failures] == success["relatedTo"]
    assert "exit status 0, after 2 that failed" == success["result"]
    assert ["worked_after"] * 2 == [one["relation"] for one in records("relation")]


def test_a_success_without_a_failure_before_leaves_nothing(
    desk: Desk, home: Path, records: Records
) -> None:
    """Not even a home."""
    nothing = desk.take(worked("ls")), desk.take(worked("npm run build"))
    assert ["nothing"] * 2 == [one.what for one in nothing]
    assert not home.exists()

    desk.take(failed())
    assert "nothing" == desk.take(worked("npm run build")).what
    assert 1 == len(records())


def test_a_second_success_leaves_nothing(desk: Desk, records: Records) -> None:
    """What worked is recorded when it is news."""
    desk.take(failed())
    desk.take(worked())
    before = records()

    assert "nothing" == desk.take(worked()).what
    assert before == records()


def test_what_fails_again_after_it_worked_is_no_longer_resolved(
    desk: Desk, records: Records
) -> None:
    """And can be resolved once more."""
    desk.take(failed())
    desk.take(worked())
    desk.take(failed())

    assert "resolvedBy" not in records("attempt")[0]
    assert 2 == records("attempt")[0]["occurrences"]
    assert "resolved" == desk.take(worked()).what


def test_a_retracted_failure_stays_away(desk: Desk, home: Path, records: Records) -> None:
    """Somebody said that it is noise."""
    captured = desk.take(failed())
    with Library(home) as library:
        given = {"id": captured.record, "reason": "noise"}
        invoke(library, "shadowgraph_retract", given, Caller(PROJECT))

    assert "retracted" == desk.take(failed()).what
    assert "nothing" == desk.take(worked()).what
    assert [] == records("attempt")


def test_a_purged_failure_may_be_recorded_anew(
    desk: Desk, home: Path, records: Records
) -> None:
    """The purge took along by what it would have been known."""
    desk.take(failed())
    with Library(home) as library:
        given = {"project": PROJECT, "mode": "hard"}
        invoke(library, "shadowgraph_purge", given, Caller(PROJECT))
    assert [] == records("attempt")

    assert "recorded" == desk.take(failed()).what


def test_projects_do_not_share_their_failures(desk: Desk, records: Records) -> None:
    """The same command in another project is another failure."""
    from shadowgraph.model.scope import Scope  # noqa: PLC0415

    desk.take(failed())
    other = Desk(desk.home, Scope("acme/web-shop"), clock=desk.clock)

    assert "nothing" == other.take(worked()).what
    assert "recorded" == other.take(failed()).what
    assert {PROJECT, "acme/web-shop"} == {one["project"] for one in records("attempt")}


def test_credentials_are_masked_before_anything_is_stored(
    desk: Desk, home: Path, records: Records
) -> None:
    """In command, output and reason, and in every file of the home."""
    token = "ghp_" + "a1B2c3D4e5" * 4
    command = f"npm ci --token={token}"
    desk.take(failed(command, f"npm ERR! EACCES: permission denied for {token}"))

    (attempt,) = records("attempt")
    assert "[secret:" in attempt["solution"]
    assert "[secret:" in attempt["reason"]
    files = [file for file in home.rglob("*") if file.is_file()]
    assert [] == [file for file in files if token.encode() in file.read_bytes()]
    assert "resolved" == desk.take(worked(command)).what


def test_credentials_are_kept_when_that_is_wanted(desk: Desk, records: Records) -> None:
    """The setting counts for hooks as well."""
    token = "ghp_" + "a1B2c3D4e5" * 4
    Desk(desk.home, desk.scope, keep_secrets=True).take(failed(f"npm ci --token={token}"))

    assert token in records("attempt")[0]["solution"]


@pytest.mark.parametrize(
    ("event", "ground"),
    [
        (failed("grep -rn foo src", ""), "answer"),
        (failed("gti status", "gti: command not found", status=127), "typo"),
        (failed("pytest -q", "E  assert 1 == 2"), "check"),
        (failed(interrupted=True), "stopped"),
        (failed(status=130), "stopped"),
        (failed(status=None), "unknown"),
        (failed(command="", output=""), "no-command"),
    ],
)
def test_what_is_not_worth_keeping_leaves_nothing(
    event: Any, ground: str, desk: Desk, home: Path
) -> None:
    """The ground says why."""
    captured = desk.take(event)

    assert ("nothing", ground) == (captured.what, captured.ground)
    assert not home.exists()


def test_nothing_is_captured_when_capture_is_off(desk: Desk, home: Path) -> None:
    """The person decides."""
    captured = Desk(desk.home, desk.scope, capture=False).take(failed())

    assert "off" == captured.ground
    assert not home.exists()


def test_the_environment_is_what_costs_nothing_to_know(
    desk: Desk, tmp_path: Path, records: Records
) -> None:
    """Kernel, versions that files name, and the commit out of git's own files."""
    commit = "0123456789abcdef0123456789abcdef01234567"
    (tmp_path / ".nvmrc").write_text("20.11\n", encoding="utf-8")
    (tmp_path / ".tool-versions").write_text("terraform 1.7.5\n", encoding="utf-8")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    packed = f"# pack-refs\n{commit} refs/heads/main\n"
    (tmp_path / ".git" / "packed-refs").write_text(packed, encoding="utf-8")

    desk.take(failed(directory=tmp_path))

    (attempt,) = records("attempt")
    assert "node 20.11; terraform 1.7.5" in attempt["environment"]
    assert commit == attempt["gitHead"]


def test_captures_travel_with_an_export(
    desk: Desk, home: Path, tmp_path: Path, records: Records
) -> None:
    """With their counts, links and all else."""
    desk.take(failed())
    desk.take(worked())
    with Library(home) as library, Library(tmp_path / "other") as other:
        lines = list(export_lines(library, None))
        import_lines(other, lines)
        again = list(export_lines(other, None))

    assert lines == again
    assert 3 == len(records())


def test_a_long_output_is_kept_by_its_ends() -> None:
    """What failed stands at the beginning or at the end."""
    text = excerpt("\n".join(["first", *(f"line {n}" for n in range(9_000)), "last"]))

    assert len(text) <= 1_610
    assert text.startswith("first")
    assert text.endswith("last")
