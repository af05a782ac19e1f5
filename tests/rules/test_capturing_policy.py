"""The capture policy: in which order grounds count, and that nothing breaks it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shadowgraph.errors import InvalidInputError
from shadowgraph.hosts.policy import packaged, policy_of
from shadowgraph.rules.capturing import Policy
from shadowgraph.rules.recurrence import command_identity, failure_identity


@given(
    st.text(max_size=200), st.one_of(st.none(), st.integers(-9, 300)), st.text(max_size=300)
)
def test_every_command_and_output_gets_a_ruling(
    command: str, status: int | None, output: str
) -> None:
    """And what did not fail is never kept."""
    ruling = packaged().rule(command, status, output)

    assert ruling.ground
    if not status or not command.strip():
        assert not ruling.keep


@pytest.mark.parametrize(
    ("command", "status", "output", "ground"),
    [
        ("pip install x", 1, "anything", "kept-program"),
        ("sudo pip install x", 1, "anything", "kept-program"),
        ("cd app && A=1 timeout 60 pip install x", 1, "anything", "kept-program"),
        ("/usr/bin/grep x y", 1, "", "answer"),
        ("grep x y | sort", 1, "", "answer"),
        ("pytest -q", 1, "E assert 1 == 2", "check"),
        ("pytest -q", 1, "sqlite3.OperationalError: database is locked", "trap"),
        ("grep 'database is locked' log.txt", 1, "database is locked", "answer"),
        ("npm run biuld", 1, 'Missing script: "biuld"', "slip"),
        ("curl http://localhost:1", 7, "curl: (7) Connection refused", "state"),
        ("tool", 127, "bash: tool: command not found", "missing-tool"),
        ("gti log", 127, "bash: gti: command not found", "typo"),
        ("tool", 137, "", "fatal-status"),
        ("tool", 130, "", "stopped"),
        ("npm run dev", 143, "Command timed out after 2m 0.0s", "timeout"),
        ("tool", 1, "something", "no-ground"),
        ("tool 'open quote", 1, "", "no-ground"),
    ],
)
def test_the_first_ground_that_holds_counts(
    command: str, status: int, output: str, ground: str
) -> None:
    """Wrappers, paths and earlier steps of a line do not hide a program."""
    assert ground == packaged().rule(command, status, output).ground


def test_a_phrase_with_a_gap_holds_on_one_line() -> None:
    """What stands on two lines are two things."""
    policy = Policy.read({"output": {"traps": ["linker …not found"]}})

    assert policy.rule("a", 1, "linker `cc` not found").keep
    assert not policy.rule("a", 1, "linker\nnot found").keep


def test_a_home_may_have_a_policy_of_its_own(tmp_path: object) -> None:
    """It replaces the packaged one; a broken one is refused with its name."""
    from pathlib import Path  # noqa: PLC0415

    home = Path(str(tmp_path))
    file = home / "capture.toml"
    file.write_text('[commands]\nkept = ["tool"]\n', encoding="utf-8")
    assert policy_of(home).rule("tool x", 1, "").keep

    file.write_text("[[[", encoding="utf-8")
    with pytest.raises(InvalidInputError, match=r"capture\.toml"):
        policy_of(home)


@given(st.text(min_size=1, max_size=80))
def test_white_space_makes_no_other_command(command: str) -> None:
    """A command is its words."""
    assert command_identity(command) == command_identity(f"  {command}\t")


def test_a_failure_that_says_little_is_known_by_its_command() -> None:
    """`error: failed` alone would make one of everything."""
    one = failure_identity("make", "make a", 2, "error: failed")

    assert one == failure_identity("make", "make  a", 2, "error: failed")
    assert one != failure_identity("make", "make b", 2, "error: failed")
    assert one != failure_identity("make", "make a", 3, "error: failed")


def test_a_failure_that_says_enough_is_known_by_its_error() -> None:
    """Whatever changes from run to run."""
    text = (
        "psycopg2.OperationalError: connection to server at 10.0.0.{} port {} was refused"
    )

    first = failure_identity(
        "alembic upgrade", "alembic upgrade head", 1, text.format(4, 5432)
    )
    again = failure_identity(
        "alembic upgrade", "alembic upgrade +1", 1, text.format(9, 6432)
    )
    other = failure_identity("psql -c", "psql -c x", 1, text.format(4, 5432))

    assert first == again != other
