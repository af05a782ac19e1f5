"""Bundles: the same digest each time, planned first, and hostile files refused."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from shadowgraph import Library, ShadowgraphError
from shadowgraph.errors import ConflictError, InvalidInputError
from shadowgraph.operations import Caller, invoke
from shadowgraph.rules.bundles import digest_of, text_digest
from shadowgraph.rules.verdicts import NONE

Ask = Callable[..., dict[str, Any]]
Refused = Callable[..., ShadowgraphError]
FILE = "fixtures/continuity/handover.bundle.json"
TASK = "task_move-the-ledger"
DEAD_END = "attempt_copy-while-open"


def _raw() -> dict[str, Any]:
    """Return the bundle of the fixtures."""
    held: dict[str, Any] = json.loads(Path(FILE).read_text(encoding="utf-8"))
    return held


def _written(raw: dict[str, Any], *, fitting: bool = True) -> str:
    """Write a bundle, with the digest that fits it, and return its path."""
    if fitting:
        raw = raw | {"bundleId": digest_of(raw)}
    Path("other.bundle.json").write_text(json.dumps(raw), encoding="utf-8")
    return "other.bundle.json"


def test_a_task_arrives_parked_and_unverified(ask: Ask) -> None:
    """The verdict of elsewhere is kept as provenance."""
    reply = ask("bundle_import", path=FILE, write=True)

    (task,) = ask("get", ids=[TASK])["items"]
    assert ("create", TASK) == (reply["outcome"], reply["taskId"])
    assert "parked" == task["status"]
    assert NONE == task["verification"]
    assert "passed" == task["imported"]["originalVerification"]["status"]


def test_decisions_and_dead_ends_arrive_linked_to_the_task(ask: Ask) -> None:
    """Search finds them, and the context of the task shows them."""
    ask("bundle_import", path=FILE, write=True)

    found = ask("search", query="copied with cp while writing", kind="attempt")
    text = ask("load_context", taskId=TASK)["text"]
    assert DEAD_END == found["items"][0]["record"]["id"]
    assert "Copied ledger.db with cp" in text
    assert "VACUUM INTO" in text


def test_a_plan_writes_nothing_and_says_what_would_be_written(
    ask: Ask, library: Library
) -> None:
    """By record, with its action; an import without write is a plan."""
    plan = ask("bundle_import_plan", path=FILE)
    same = ask("bundle_import", path=FILE)

    assert 0 == library.store.revision()
    assert plan == same
    assert [] == plan["written"]
    assert ("create", "task", TASK) == tuple(
        plan["actions"][0][name] for name in ("action", "kind", "id")
    )
    assert {"skip"} == {a["action"] for a in plan["actions"] if a["kind"] == "source"}


def test_the_same_bundle_again_changes_nothing(ask: Ask, library: Library) -> None:
    """It is known by its digest."""
    ask("bundle_import", path=FILE, write=True)
    revision = library.store.revision()

    again = ask("bundle_import", path=FILE, write=True)

    assert ("idempotent", []) == (again["outcome"], again["written"])
    assert revision == library.store.revision()


def test_another_bundle_of_a_known_task_is_a_conflict(ask: Ask, refused: Refused) -> None:
    """Nothing is written, and the way on is named."""
    ask("bundle_import", path=FILE, write=True)
    raw = _raw()
    raw["task"]["objective"] = "Something else"
    path = _written(raw)

    assert "conflict" == ask("bundle_import_plan", path=path)["outcome"]
    error = refused("bundle_import", path=path, write=True)
    assert isinstance(error, ConflictError)
    assert "asNew" in error.hint


def test_as_new_gives_the_task_another_id_and_reuses_what_is_known(ask: Ask) -> None:
    """The id is made from the digest; known records are linked, not copied."""
    ask("bundle_import", path=FILE, write=True)

    reply = ask("bundle_import", path=FILE, write=True, asNew=True)

    digest = _raw()["bundleId"].removeprefix("sha256:")
    actions = {a["originId"]: a["action"] for a in reply["actions"]}
    assert f"{TASK}_import_{digest[:12]}" == reply["taskId"]
    assert "reuse" == actions[DEAD_END] == actions["evidence_replay-green"]
    again = ask("bundle_import", path=FILE, write=True, asNew=True)
    assert f"{reply['taskId']}_2" == again["taskId"]


def test_what_is_known_here_wins_over_the_bundle(ask: Ask) -> None:
    """A record under the same id keeps its text."""
    ask("bundle_import", path=FILE, write=True)
    ask("amend", id=DEAD_END, changes={"reason": "seen again here"})

    reply = ask("bundle_import", path=FILE, write=True, asNew=True)

    (kept,) = ask("get", ids=[DEAD_END])["items"]
    (told,) = [a for a in reply["actions"] if a["originId"] == DEAD_END]
    assert "seen again here" == kept["reason"]
    assert "stays" in told["reason"]


def test_a_source_arrives_when_its_file_is_the_same_here(ask: Ask) -> None:
    """By digest, whatever its time says."""
    Path("ledger").mkdir()
    text = "PATH = '/var/lib/ledger/ledger.db'\n"
    Path("ledger/store.py").write_text(text, encoding="utf-8")

    ask("bundle_import", path=FILE, write=True)

    (item,) = ask("source_status")["items"]
    assert ("ledger/store.py", "fresh") == (item["path"], item["status"])


def test_a_bundle_is_taken_by_two_projects_of_one_store(ask: Ask, library: Library) -> None:
    """Ids that the one has are made anew for the other, the same each time."""
    ask("bundle_import", path=FILE, write=True)
    other = Caller("acme/other", "server")
    call = {"path": FILE, "write": True}

    reply = invoke(library, "bundle_import", call, other)

    assert "create" == reply["outcome"]
    assert "idempotent" == invoke(library, "bundle_import", call, other)["outcome"]


def test_exporting_twice_gives_the_same_digest(ask: Ask) -> None:
    """It covers everything but itself and the time."""
    ask("bundle_import", path=FILE, write=True)

    one = ask("bundle_export", outputPath="one.json", taskId=TASK)
    other = ask("bundle_export", outputPath="other.json", taskId=TASK)

    assert one["bundleId"] == other["bundleId"]
    assert 1 == one["counts"]["decisions"] == one["counts"]["deadEnds"]
    assert one["bundleId"] == ask("bundle_inspect", path="one.json")["bundleId"]


def test_an_export_masks_secrets_and_the_path_of_the_checkout(ask: Ask) -> None:
    """A bundle leaves the machine."""
    ask("bundle_import", path=FILE, write=True)
    ask("checkpoint", summary=f"in {Path.cwd()}: Bearer abcd1234efgh", taskId=TASK)

    ask("bundle_export", outputPath="out.json", taskId=TASK)

    text = Path("out.json").read_text(encoding="utf-8")
    assert str(Path.cwd()) not in text
    assert "abcd1234efgh" not in text


@pytest.mark.parametrize(
    "path", ["../out.json", "/etc/out.json", ".git/x", "README.md", "no/x"]
)
def test_an_export_makes_only_a_new_file_inside_the_checkout(
    path: str, ask: Ask, refused: Refused
) -> None:
    """No file is overwritten and none made elsewhere."""
    ask("bundle_import", path=FILE, write=True)

    assert isinstance(
        refused("bundle_export", outputPath=path, taskId=TASK), InvalidInputError
    )


def _traversing(raw: dict[str, Any]) -> None:
    """Name a file outside."""
    raw["sources"][0]["path"] = "../../etc/passwd"


def _twice(raw: dict[str, Any]) -> None:
    """Name a decision twice."""
    raw["decisions"].append(raw["decisions"][0])


def _swollen(raw: dict[str, Any]) -> None:
    """Hold too many sources."""
    raw["sources"] = [raw["sources"][0] | {"path": f"f{n}"} for n in range(101)]


def _tampered(raw: dict[str, Any]) -> None:
    """Change evidence."""
    raw["evidence"][0]["content"] = "413 passed"


def _extended(raw: dict[str, Any]) -> None:
    """Add a member."""
    raw["command"] = "run me"


def _bearing(raw: dict[str, Any]) -> None:
    """Hold a secret."""
    raw["task"]["objective"] = "use Bearer abcd1234efgh"


@pytest.mark.parametrize(
    "spoil", [_traversing, _twice, _swollen, _tampered, _extended, _bearing]
)
def test_a_bundle_that_is_not_right_is_refused(
    spoil: Callable[[dict[str, Any]], None], refused: Refused, library: Library
) -> None:
    """Although its digest fits."""
    raw = _raw()
    spoil(raw)

    error = refused("bundle_import", path=_written(raw), write=True)

    assert isinstance(error, InvalidInputError)
    assert 0 == library.store.revision()


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"[]",
        b"{}",
        b'{"a": NaN}',
        b"[" * 100_000,
        b"\xff\xfe",
        b"x" * (2 * 1024 * 1024 + 1),
    ],
    ids=["empty", "list", "bare", "nan", "deep", "bytes", "huge"],
)
def test_a_file_that_is_no_bundle_is_refused(data: bytes, refused: Refused) -> None:
    """Whatever is in it."""
    Path("hostile.json").write_bytes(data)

    assert isinstance(refused("bundle_inspect", path="hostile.json"), InvalidInputError)


def test_a_changed_bundle_is_refused(refused: Refused) -> None:
    """Its digest does not fit any more."""
    raw = _raw()
    raw["task"]["title"] = "Another"

    error = refused("bundle_inspect", path=_written(raw, fitting=False))

    assert "digest" in error.message


def test_a_symbolic_link_is_not_followed(refused: Refused) -> None:
    """It may lead anywhere."""
    Path("link.json").symlink_to(Path(FILE).resolve())

    assert "symbolic link" in refused("bundle_inspect", path="link.json").message


def _upstream(**changes: Any) -> dict[str, Any]:
    """Return a bundle as the upstream tool writes it."""
    content = "42 passed"
    return {
        "kind": "agentpack.task-bundle",
        "schemaVersion": 1,
        "exportedAt": "2026-10-01T08:00:00.000Z",
        "producer": {"name": "agentpack", "version": "1.6.0"},
        "origin": {
            "projectName": "billing", "repository": "ssh://example.org/b.git",
            "branch": "main", "head": "0" * 40,
        },
        "task": {
            "id": "task_20261001_move", "title": "Move the ledger", "objective": "Off NFS",
            "constraints": ["no write is lost"], "writeScope": ["ledger"], "risk": "high",
            "tags": [], "nextActions": ["switch the path"], "originalStatus": "verifying",
            "originVerification": {"status": "passed", "evidence": ["evt_1"]},
        },
        "handoffMarkdown": "# Move the ledger\n",
        "checkpoint": {"id": "ckpt_1", "createdAt": "2026-10-01T07:00:00.000Z", "summary": "s"},
        "sources": [],
        "evidence": [
            {
                "originId": "evt_1", "kind": "test", "command": "make test", "exitCode": 0,
                "content": content, "contentDigest": f"sha256:{text_digest(content)}",
            }
        ],
        **changes,
    }  # fmt: skip


@pytest.mark.parametrize("prefix", ["sha256:", ""])
def test_a_bundle_of_the_upstream_tool_is_imported(prefix: str, ask: Ask) -> None:
    """Parked and unverified as well, with its evidence and its checkpoint."""
    raw = _upstream()
    digest = digest_of(raw).removeprefix("sha256:")
    path = _written(raw | {"bundleId": prefix + digest}, fitting=False)

    told = ask("bundle_inspect", path=path)
    ask("bundle_import", path=path, write=True)

    (task,) = ask("get", ids=["task_20261001_move"])["items"]
    (evidence,) = ask("get", ids=["evt_1"])["items"]
    assert {"sources": 0, "evidence": 1, "decisions": 0, "deadEnds": 0} == told["counts"]
    assert ("parked", NONE) == (task["status"], task["verification"])
    assert "passed" == task["imported"]["originalVerification"]["status"]
    assert ("42 passed", "test: make test") == (evidence["content"], evidence["summary"])
    assert "s" == ask("get", ids=["ckpt_1"])["items"][0]["summary"]


@pytest.mark.parametrize("change", [{"task": 5}, {"evidence": [5]}, {"origin": None}])
def test_a_bundle_that_only_claims_to_be_of_upstream_is_refused(
    change: dict[str, Any], refused: Refused
) -> None:
    """By the same rules as ours."""
    path = _written(_upstream(**change))

    assert isinstance(refused("bundle_inspect", path=path), InvalidInputError)
