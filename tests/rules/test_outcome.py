"""Whether an attempt failed: declared, observed, or read from its wording."""

from pathlib import Path

import pytest

from shadowgraph.errors import DefinitionError
from shadowgraph.rules.ending import LISTS
from shadowgraph.rules.outcome import Outcome, classify, parse_failure_words

LIST_FOLDER = Path(__file__).parents[2] / "index" / "words"
TEXTS = {name: (LIST_FOLDER / f"{name}.txt").read_text(encoding="utf-8") for name in LISTS}
WORDS = parse_failure_words(TEXTS)

FAILED = [
    "Tests green, no exceptions. All reminders went out forty minutes late.",
    "No error in the log, and the search finds nothing",
    "Passed review and CI. Every parcel was billed twice.",
    "All checks clean, but we had to rebuild the index by hand",
    "No warnings; half of the users got no mail",
    "Saved without an error, and is always empty afterwards",
    "crashed",
    "The worker crashed after 40 minutes of load",
    "timed out",
    "Timed out even though the build succeeded",
    "OOMKilled",
    "pod was OOMKilled at 2 GiB",
    "hangs",
    "hangs on the second request",
    "broke prod",
    "reverted",
    "Reverted the next day",
    "does not work",
    "It doesn’t work on Windows",
    "did not help",
    "rejected",
    "rejected by the reviewers",
    "Traceback (most recent call last)",
    "panic",
    "thread 'main' panicked at src/lib.rs:4",
    "segfault",
    "exit code 1",
    "exited with code 137",
    "exit status 2",
    "HTTP 500",
    "HTTP 500 on every call",
    "The API returned 502",
    "never became ready",
    "connection reset by peer",
    "the fix did not hold",
    "Fixed the leak but introduced a deadlock",
    "upstream answered with HTTP/1.1 503",
    "ValueError: could not convert string to float",
    "sqlite3.OperationalError: database is locked",
    "error[E0382]: borrow of moved value",
    "p99 regression of 30 %",
    "3 failed, 9 passed",
    "12 passed, 1 failed",
    "10 errors",
    "0.5 errors per request is too many errors",
    "Worked locally but crashed in production",
    "no errors, but it hung",
    "Tests pass. Memory leaked in production.",
    "not faster",
    "tests did not pass",
    "never worked",
    "The deploy was not successful",
    "0 passed",
    "made no difference",
    "no improvement in latency",
    "could not reproduce the speedup",
    "could not be resolved",
    "unable to start the container",
    "The error was not fixed",
    "Not sure why it failed",
    "no idea why it crashes",
    "error handling added, still crashes",
    "failover failed",
    "Deadlock between the two writers",
    "lock timeout during the migration",
    "rolled back after ten minutes",
    "blocked by the security team",
    "connection refused",
    "segmentation fault (core dumped)",
    "flaky on CI",
    "unbounded map ran out of memory",
    "cache served stale results",
    "function hit the hard timeout",
    "interrupted multi-file write left half a store",
    "alert-only review missed a bearing fault",
    "slower than the baseline",
    "had to roll back",
    "stopped working after the upgrade",
    "gave up after two days",
    "not only failed, it took the cluster down",
    "without the lock it crashed",
    "fehlgeschlagen",
    "Der Build schlug fehl",
    "funktioniert nicht",
    "Absturz beim Start",
    "falló con errores",
    "no funciona en producción",
    "se agotó el tiempo",
    "Échec du déploiement",
    "ne marche pas",
    "部署失败了",
    "服务崩溃",
    "请求超时",
    "ビルドに失敗した",
    "エラーが出た",
    "動かなかった",
]

SUCCEEDED = [
    "The node crashed twice during the drill. Not one error reached the users.",
    "The upstream crashed for an hour; customers noticed nothing",
    "The failure drill passed",
    "no errors",
    "No errors in a week of traffic",
    "did not fail",
    "didn't crash once",
    "0 regressions",
    "zero downtime",
    "without errors",
    "without any visible errors",
    "failover works",
    "error handling works as expected",
    "no longer hangs",
    "never crashed",
    "no errors or crashes",
    "not a single request failed",
    "0 failed, 12 passed",
    "12 passed, 0 failed",
    "failures: 0, passed: 12",
    "errors = 0",
    "fixed the crash",
    "Nothing broke",
    "handled the failure of one node without data loss",
    "recovers from a crash in 3 s",
    "Passed without a single error",
    "Fixed all intermittent timeouts",
    "the crash is gone",
    "failing tests now pass",
    "Failed at first, then passed with a larger pool",
    "prevents the data loss",
    "all tests pass",
    "p99 improved by 30 %",
    "faster and stable",
    "exit code 0",
    "merged and shipped",
    "fail-safe mode works",
    "regression tests pass",
    "works",
    "keine Fehler",
    "ohne Fehler durchgelaufen",
    "sin errores",
    "aucune erreur",
    "没有错误",
    "部署成功",
    "エラーなし",
    "失敗しなかった",
]

UNDETERMINED = [
    "",
    "error handling added",
    "Added an error message and a crash report",
    "Documented the failure modes",
    "Measured for a week",
    "linear regression over the samples",
    "the timeout is 30 s",
    "runs on failure",
    "Fehlerbehandlung ergänzt",
    "添加了错误处理",
    "エラーメッセージを追加",
    "terror and mirror are other words",
]


@pytest.mark.parametrize("result", FAILED)
def test_a_result_that_tells_of_a_failure_is_failed(result: str) -> None:
    """What broke, hung, was undone or did not help has failed."""
    outcome = classify({"result": result}, WORDS)

    assert ("failed", "wording") == (outcome.cls, outcome.basis), outcome


@pytest.mark.parametrize("result", SUCCEEDED)
def test_a_result_that_tells_of_no_failure_is_succeeded(result: str) -> None:
    """Success, and a failure that is denied or removed, count as success."""
    outcome = classify({"result": result}, WORDS)

    assert ("succeeded", "wording") == (outcome.cls, outcome.basis), outcome


@pytest.mark.parametrize("result", UNDETERMINED)
def test_a_result_without_a_cue_is_undetermined(result: str) -> None:
    """Names that hold a failure word say nothing about the outcome."""
    assert Outcome("undetermined", "none") == classify({"result": result}, WORDS)


@pytest.mark.parametrize("declared", ["failed", "succeeded", "inconclusive"])
def test_a_declared_class_outranks_everything(declared: str) -> None:
    """The caller's own word wins over an exit status and over the wording."""
    attempt = {
        "resultClass": declared.upper(),
        "outcomeEvidence": {"state": "observed", "exitStatus": 1},
        "result": "crashed, then worked",
    }

    assert Outcome(declared, "declared") == classify(attempt, WORDS)  # type: ignore[arg-type]


@pytest.mark.parametrize(("status", "cls"), [(0, "succeeded"), (137, "failed")])
def test_an_observed_exit_status_outranks_the_wording(status: int, cls: str) -> None:
    """A program's exit status is harder than what was written about it."""
    attempt = {"outcomeEvidence": {"exitStatus": status}, "result": "unclear, crashed"}

    outcome = classify(attempt, WORDS)

    assert (cls, "exit_status") == (outcome.cls, outcome.basis)
    assert f"exit status {status}" == outcome.cue


@pytest.mark.parametrize(
    "evidence",
    [
        None,
        "1",
        {"state": "absent", "exitStatus": 1},
        {"exitStatus": True},
        {"exitStatus": None},
    ],
)
def test_an_exit_status_that_was_not_observed_is_ignored(evidence: object) -> None:
    """Absent or malformed evidence falls through to the wording."""
    attempt = {"outcomeEvidence": evidence, "resultClass": None, "result": "works"}

    assert Outcome("succeeded", "wording", "works") == classify(attempt, WORDS)


def test_only_what_comes_later_and_reached_nobody_outweighs_a_failure() -> None:
    """Calm before the failure, or errors that nobody speaks of the reach of, do not."""
    for result in (
        "No errors reached the users for a day. Then the worker crashed.",
        "The worker crashed. No errors in its log.",
    ):
        assert "failed" == classify({"result": result}, WORDS).cls


def test_the_reason_and_the_solution_are_not_read() -> None:
    """They speak of failures that the attempt was meant to cure."""
    attempt = {"solution": "fix the crash", "reason": "it failed", "result": "measured"}

    assert "undetermined" == classify(attempt, WORDS).cls


def test_the_cue_shows_the_words_it_rests_on() -> None:
    """A reader can see what was taken for a failure or for its denial."""
    texts = ["It Crashed.", "there were no new errors", "did not pass"]
    cues = [classify({"result": text}, WORDS).cue for text in texts]

    assert ["crashed", "no new errors", "not pass"] == cues


@pytest.mark.parametrize("name", LISTS)
def test_a_missing_list_is_a_definition_error(name: str) -> None:
    """Without one of its lists the wording cannot be judged."""
    texts = {key: text for key, text in TEXTS.items() if key != name}

    with pytest.raises(DefinitionError, match=name):
        parse_failure_words(texts)


@pytest.mark.parametrize("line", ["cr*sh", "*", "*error", "er*", "-"])
def test_a_malformed_entry_is_named_with_its_line(line: str) -> None:
    """The message leads to the place to correct."""
    with pytest.raises(DefinitionError, match=r"success\.txt line 2"):
        parse_failure_words({**TEXTS, "success": f"# words\n{line}\n"})


def test_file_names_with_their_ending_are_accepted_as_names() -> None:
    """The texts may be keyed the way a folder lists them."""
    texts = {f"{name}.txt": text for name, text in TEXTS.items()}

    assert WORDS == parse_failure_words(texts)


def test_no_entry_stands_twice_in_its_list() -> None:
    """A repeated entry is an editing slip."""
    for name, text in TEXTS.items():
        lines = [line for line in text.splitlines() if line and line[0] != "#"]

        assert sorted(set(lines)) == sorted(lines), name


def test_no_entry_means_failure_and_success_at_once() -> None:
    """The two lists contradict each other nowhere."""
    failure, success = (set(TEXTS[name].splitlines()) for name in LISTS[:2])

    assert {""} == {line for line in failure & success if line[:1] != "#"}


def test_a_hostile_text_is_read_in_one_pass() -> None:
    """Long runs of cues, spaces and brackets end in an answer."""
    for text in (
        "no " * 5000,
        "error " * 2000,
        "x" * 20000 + "error:",
        "((((" * 5000,
        "no errors " * 9000,
    ):
        assert classify({"result": text}, WORDS).basis in ("wording", "none")


@pytest.mark.parametrize(
    "result",
    [
        "Full crawl of 86 000 URLs: errors 0, and faster",
        "Sunday: failures 0",
        "The crash of the driver that developers saw is gone",
        "The timeout which users met has disappeared",
    ],
)
def test_a_failure_counted_zero_or_said_to_be_gone_is_a_success(result: str) -> None:
    """A count needs no colon, and a relative clause is still about the failure."""
    assert "succeeded" == classify({"result": result}, WORDS).cls


@pytest.mark.parametrize(
    "result",
    [
        "Error 0 was returned",
        "Failures 0 of 20 on Monday, then a crash",
        "A crash that we see when the cache is gone",
        "It crashed in errors 0x80070005",
    ],
)
def test_a_code_or_another_subject_takes_no_failure_away(result: str) -> None:
    """Error 0 is a code, and what is gone may be something else."""
    assert "failed" == classify({"result": result}, WORDS).cls
