"""No credential that a write is given reaches the store, and the reply says how many."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.credentials import made

from shadowgraph import Library
from shadowgraph.exchange import import_lines
from shadowgraph.masking import IDENTIFYING
from shadowgraph.operations import REGISTRY, Caller, invoke
from shadowgraph.operations.calling import read_request
from shadowgraph.operations.schemas import input_schema
from shadowgraph.upstream import import_file

Ask = Callable[..., dict[str, Any]]
TOKEN = next(one.secret for one in made("secrets.jsonl", 3) if one.kind == "gitlab-token")
MASK = "[secret:gitlab-token]"
WRITES = sorted(name for name, operation in REGISTRY.items() if not operation.read_only)


def _texts(schema: dict[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield the path of every argument that is free text, inner ones included."""
    for name, inner in schema.get("properties", {}).items():
        if name in IDENTIFYING or name.endswith(("Id", "Ids")) or "enum" in inner:
            continue
        if inner.get("type") == "string":
            yield (*path, name)
        yield from _texts(inner, (*path, name))


PLACES = [(name, path) for name in WRITES for path in _texts(input_schema(REGISTRY[name]))]


@pytest.mark.parametrize(("name", "path"), PLACES)
def test_every_text_of_every_write_is_masked(name: str, path: tuple[str, ...]) -> None:
    """Whatever the operation and the field, inner fields included."""
    value: Any = f"before {TOKEN} after"
    for step in reversed(path):
        value = {step: value}
    try:
        request, told = read_request(
            REGISTRY[name], {**REGISTRY[name].example, **value}, mask=True
        )
    except Exception as error:  # noqa: BLE001 - what is no text here is refused in words
        assert TOKEN not in str(error)  # noqa: PT017 - masked before it is quoted
        return

    assert TOKEN not in request.model_dump_json()
    assert {"gitlab-token": 1} == told["masked"]


def test_a_reply_counts_what_was_masked_by_kind(ask: Ask) -> None:
    """Two texts, three credentials."""
    reply = ask(
        "record_attempt",
        solution=f"Pushed with {TOKEN}",
        result=f"remote rejected {TOKEN}",
        environment="PGPASSWORD=s3same9x in the shell",
    )

    assert {"gitlab-token": 2, "password": 1} == reply["masked"]
    assert f"remote rejected {MASK}" == reply["result"]


def test_a_write_without_credentials_says_nothing_of_it(ask: Ask) -> None:
    """A member that is always there would be read over."""
    assert "masked" not in ask("record_attempt", solution="s", result="r")


def test_a_fact_whose_key_names_a_credential_has_its_value_masked(ask: Ask) -> None:
    """The value alone does not look like one."""
    assert (
        "[secret:password]"
        == ask("record_fact", key="db.password", value="s3same")["value"]
    )


def test_a_fact_about_a_credential_keeps_its_value(ask: Ask) -> None:
    """Its length is no secret, and neither is a number."""
    assert 12 == ask("record_fact", key="password.min_length", value=12)["value"]
    assert "90d" == ask("record_fact", key="token", value="90d")["value"]


def test_the_files_of_a_home_hold_nothing_of_it(
    library: Library, ask: Ask, tmp_path: Path
) -> None:
    """Record, journal, retry keys and index."""
    made_ = ask("record_attempt", solution=f"tried {TOKEN}", result="failed")
    ask("amend", id=made_["id"], changes={"reason": f"because of {TOKEN}"})
    ask("remember", memoryType="note", key="k", text=f"use {TOKEN}")
    library.sync.view()
    library.close()

    held = [f for f in (tmp_path / "home").rglob("*") if f.is_file()]
    assert held
    assert [] == [f.name for f in held if TOKEN.encode() in f.read_bytes()]


def test_a_masked_record_is_found_by_the_words_around_and_by_the_kind(ask: Ask) -> None:
    """The text stays readable."""
    ask("record_attempt", solution=f"Pushed with {TOKEN}", result="protected branch")

    assert 1 == ask("search", query="gitlab-token")["page"]["total"]
    assert 1 == ask("search", query="pushed protected")["page"]["total"]


def test_a_retry_finds_the_first_record_though_both_held_a_credential(ask: Ask) -> None:
    """The same request is masked in the same way."""
    first, second = (
        ask("record_attempt", solution=TOKEN, result="r", idempotencyKey="k")
        for _ in range(2)
    )

    assert first["id"] == second["id"]
    assert second["replayed"] is True


def test_retry_keys_stay_as_they_are(library: Library, caller: Caller) -> None:
    """Two keys masked alike would be one key, and the second write would be lost."""
    tokens = [one.secret for one in made("secrets.jsonl", 3) if one.kind == "github-token"]
    ids = {
        invoke(
            library,
            "shadowgraph_record_fact",
            {"key": f"k{number}", "value": 1, "idempotencyKey": token},
            caller,
        )["id"]
        for number, token in enumerate(tokens)
    }

    assert len(tokens) == len(ids) > 1


def test_with_the_switch_credentials_are_stored_as_they_come(
    tmp_path: Path, caller: Caller
) -> None:
    """For those who keep a store where secrets may be."""
    with Library(tmp_path / "open", keep_secrets=True) as library:
        arguments = {"solution": TOKEN, "result": "r"}
        reply = invoke(library, "shadowgraph_record_attempt", arguments, caller)

    assert TOKEN == reply["solution"]
    assert "masked" not in reply


def test_an_import_of_lines_masks_and_counts(library: Library) -> None:
    """Unknown fields too; the second time nothing is new."""
    line = json.dumps(
        {"kind": "attempt", "id": "a1", "solution": "s", "result": TOKEN, "x": [TOKEN]}
    )
    first = import_lines(library, [line])
    second = import_lines(library, [line])

    with library.store.read() as selection:
        stored = selection.by_id("a1")
    assert stored is not None
    assert (MASK, [MASK]) == (stored.body["result"], stored.body["x"])
    assert {"gitlab-token": 2} == first.masked
    assert (0, 1) == (second.imported, second.unchanged)


def test_an_import_of_an_upstream_store_masks_and_counts(library: Library) -> None:
    """What is kept aside as well."""
    store = {
        "schemaVersion": 7,
        "records": [
            {
                "id": "a1",
                "kind": "attempt",
                "solution": "s",
                "result": TOKEN,
                "project": "p",
            }
        ],
        "facts": [],
        "relations": [],
        "reviewSignals": [],
        "other": {"note": f"the old token was {TOKEN}"},
    }
    report = import_file(library, json.dumps(store).encode(), None)

    bodies = [dict(r.body) for page in library.store.pages() for r in page]
    assert TOKEN not in json.dumps(bodies)
    assert {"gitlab-token": 2} == report.as_json()["masked"]


def test_a_search_for_a_leaked_credential_finds_it(tmp_path: Path, caller: Caller) -> None:
    """A store from before, or one that keeps them: what is read is not masked."""
    with Library(tmp_path / "open", keep_secrets=True) as library:
        arguments = {"solution": f"tried {TOKEN}", "result": "r"}
        invoke(library, "shadowgraph_record_attempt", arguments, caller)
    with Library(tmp_path / "open") as library:
        reply = invoke(library, "shadowgraph_search", {"query": TOKEN}, caller)

    assert 1 == reply["page"]["total"]


def test_one_failure_has_one_signature_whatever_credential_it_names(ask: Ask) -> None:
    """The signature is made of the masked text."""
    for one in made("secrets.jsonl", 8):
        if one.kind == "gitlab-token":
            error = f"RuntimeError: remote refused {one.secret} for the push"
            ask("record_attempt", solution="s", result=error)
    reply = ask("search", query=f"RuntimeError: remote refused {MASK} for the push")

    assert 2 == reply["page"]["total"]


def test_an_error_with_its_credential_finds_the_one_that_was_stored_without(
    ask: Ask,
) -> None:
    """Who pastes a failure anew has the same words, and the mask stood for the rest."""
    raw = f"AuthError: {TOKEN} refused by {TOKEN} for the push"
    same = ask("record_attempt", solution="s", result=raw)["id"]
    for number in range(3):
        other = f"AuthError: push refused for the other of {number} remotes by it"
        ask("record_attempt", solution="s", result=other)

    assert same == ask("search", query=raw)["items"][0]["record"]["id"]


def test_an_action_with_its_credential_is_judged_as_the_one_that_was_stored(
    ask: Ask,
) -> None:
    """A credential is no identifier that the record knows nothing of."""
    raw = f"git push https://oauth2:{TOKEN}@gitlab.example/team/app.git --force"
    same = ask("record_attempt", solution=raw, result="remote: forbidden")["id"]
    judged = ask("check", action=raw)

    assert (same, "avoid") == (judged["matches"][0]["id"], judged["verdict"])
    assert judged["matches"] == ask("check", action=raw.replace(TOKEN, MASK))["matches"]
