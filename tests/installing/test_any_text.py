"""Whatever a host's file holds: installing and uninstalling gives it back, byte for byte."""

import json
import tempfile
import tomllib
from pathlib import Path
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from tests.installing.texts import json_texts, toml_texts

from shadowgraph.installing import jsonedit, tomledit
from shadowgraph.installing.entries import (
    Ours,
    Part,
    Target,
    applied,
    found,
    wanted,
    withdrawn,
)
from shadowgraph.installing.hosts import HOSTS, SCOPES
from shadowgraph.installing.jsontext import NOWHERE, read
from shadowgraph.installing.launch import Launch
from shadowgraph.installing.places import Places
from shadowgraph.installing.planning import install, uninstall, write

LAUNCH = Launch("/opt/bin/shadowgraph", options=("--home", "/srv/a memory"))
BOTH: frozenset[Part] = frozenset({"server", "hooks"})
STRICT = Target(HOSTS["claude-code"], Path("x.json"), BOTH)
RELAXED = Target(HOSTS["gemini"], Path("x.json"), BOTH)
FLAT = Target(HOSTS["cursor"], Path("x.json"), BOTH)
TOML = Target(HOSTS["codex"], Path("x.toml"), frozenset({"server"}))
JSON_TARGETS = st.sampled_from([RELAXED, FLAT])
strict, commented = json_texts(comments=False), json_texts(comments=True)


def _installed(text: str, target: Target) -> str:
    """Return a text with the server and the hooks."""
    return applied(text, target, wanted(target, LAUNCH, Ours()))


def _value(text: str) -> Any:
    """Return what a text with comments says, by our own reader."""
    return read(text, relaxed=True).value


def _filled(text: str) -> dict[str, Any]:
    """Return what a text says, without objects that hold nothing and Cursor's number."""
    value = {key: one for key, one in _value(text).items() if key != "version"}
    if not any(value.get("hooks", {}).values()):
        value.pop("hooks", None)
    return {key: one for key, one in value.items() if key != "mcpServers" or one}


@given(strict)
def test_the_reader_reads_what_the_library_reads(text: str) -> None:
    """With all places, with those of one member, and without."""
    readings = [None, "mcpServers", NOWHERE]

    values = [read(text, relaxed=False, within=one).value for one in readings]
    assert [json.loads(text)] * 3 == values


@given(commented, JSON_TARGETS)
def test_everything_else_in_json_stays_as_it_was(text: str, target: Target) -> None:
    """Every character of the text is still there, in its order."""
    made = iter(_installed(text, target))

    assert all(sign in made for sign in text)


@given(commented, JSON_TARGETS)
def test_what_json_said_before_it_says_after(text: str, target: Target) -> None:
    """Beside our entry and our hooks."""
    before, after = _value(text), _value(_installed(text, target))
    servers = after["mcpServers"]
    assert servers.pop("shadowgraph") == wanted(target, LAUNCH, Ours()).server
    rest = {k: v for k, v in after.items() if k not in ("hooks", "version", "mcpServers")}

    assert before.get("mcpServers", {}) == servers
    assert {k: v for k, v in before.items() if k != "mcpServers"} == rest


@given(strict)
def test_json_without_comments_stays_json_without_comments(text: str) -> None:
    """A host that reads no more than JSON reads it still."""
    assert "shadowgraph" in json.loads(_installed(text, STRICT))["mcpServers"]


@given(commented, JSON_TARGETS)
def test_installing_into_json_twice_is_installing_once(text: str, target: Target) -> None:
    """The second time changes nothing."""
    once = _installed(text, target)

    assert once == _installed(once, target)


@given(commented, JSON_TARGETS)
def test_without_a_backup_only_what_is_ours_goes(text: str, target: Target) -> None:
    """Emptied objects may stay; everything else is as it was."""
    left = withdrawn(_installed(text, target), target, None)

    assert not found(left, target)
    assert _filled(text) == _filled(left)


@given(commented, JSON_TARGETS, st.sampled_from([("mcpServers", "mine"), ("mine",)]))
def test_what_others_add_to_json_stays(
    text: str, target: Target, path: tuple[str, ...]
) -> None:
    """A member that came since is there after uninstall, and nothing else changed."""
    added = jsonedit.put(_installed(text, target), path, {"command": "m"}, relaxed=True)
    left = withdrawn(added, target, text)

    expected = _value(jsonedit.put(text, path, {"command": "m"}, relaxed=True))
    assert expected == _value(left)


@given(commented, st.sampled_from([("theme",), ("mcpServers", "github")]))
def test_a_member_that_is_put_and_dropped_leaves_the_value(
    text: str, path: tuple[str, ...]
) -> None:
    """Comments never swallow what follows."""
    without = jsonedit.drop(text, path, relaxed=True)
    expected = _value(text)
    held = expected
    for step in path[:-1]:
        held = held.get(step, {})
    held.pop(path[-1], None)

    assert expected == _value(without)


@given(commented, JSON_TARGETS)
def test_an_update_of_json_is_what_a_first_install_would_be(
    text: str, target: Target
) -> None:
    """Nothing of the older entry and hooks is left, and nothing has moved."""
    older = Launch("/old/shadowgraph", ("-m", "shadowgraph"), LAUNCH.options)
    first = applied(text, target, wanted(target, older, Ours()))

    update = wanted(target, LAUNCH, found(first, target))
    assert _installed(text, target) == applied(first, target, update)


@given(toml_texts())
def test_an_update_of_toml_is_what_a_first_install_would_be(text: str) -> None:
    """Also with a table below it, which a person added, that stays."""
    older = Launch("/old/shadowgraph", (), LAUNCH.options)
    first = applied(text, TOML, wanted(TOML, older, Ours()))
    grown = first + '\n[mcp_servers.shadowgraph.env]\nA = "1"\n'

    plain = applied(first, TOML, wanted(TOML, LAUNCH, found(first, TOML)))
    assert _installed(text, TOML) == plain
    update = applied(grown, TOML, wanted(TOML, LAUNCH, found(grown, TOML)))
    entry = tomllib.loads(update)["mcp_servers"]["shadowgraph"]
    assert ({"A": "1"}, LAUNCH.command) == (entry["env"], entry["command"])


@given(toml_texts())
def test_what_toml_said_before_it_says_after(text: str) -> None:
    """Beside our table."""
    before, after = tomllib.loads(text), tomllib.loads(_installed(text, TOML))
    entry = after["mcp_servers"].pop("shadowgraph")

    assert wanted(TOML, LAUNCH, Ours()).server == entry
    # As texts, since a number that is none is unequal to itself.
    rest = {k: v for k, v in after.items() if v != {} or k in before}
    assert repr(before) == repr(rest)


@given(toml_texts())
def test_everything_else_in_toml_stays_as_it_was(text: str) -> None:
    """The text is the beginning of what is made of it."""
    assert _installed(text, TOML).startswith(text)


@given(toml_texts())
def test_installing_into_toml_twice_is_installing_once(text: str) -> None:
    """The second time changes nothing."""
    once = _installed(text, TOML)

    assert once == _installed(once, TOML)


@given(toml_texts(), st.sampled_from(["\n[later]\na = 1\n", "\n# the end\n"]))
def test_what_others_add_to_toml_stays(text: str, later: str) -> None:
    """Tables and comments behind ours included."""
    left = withdrawn(_installed(text, TOML) + later, TOML, text)

    assert left.endswith(later.lstrip("\n"))
    assert left.startswith(text.rstrip())
    assert tomledit.at(tomllib.loads(left), ("mcp_servers", "shadowgraph")) is None


FILES = st.one_of(
    st.tuples(st.just("claude-code"), strict),
    st.tuples(st.sampled_from(["cursor", "vscode", "gemini", "zed"]), commented),
    st.tuples(st.just("codex"), toml_texts()),
    st.tuples(st.just("gemini"), st.sampled_from(["", " \n", "{}", "{\n}", "{ }\r\n"])),
)


@given(FILES, st.booleans(), st.booleans(), st.booleans())
def test_uninstall_gives_back_every_byte(
    file: tuple[str, str], mark: bool, hooks: bool, twice: bool
) -> None:
    """With a mark of UTF-8 or without, with hooks or without, after one install or two."""
    name, text = file
    with tempfile.TemporaryDirectory() as directory:
        places = Places(Path(directory), Path(directory) / "project", "linux")
        host = HOSTS[name]
        plan = install([host], "user", places, LAUNCH, hooks=False, force=False)
        path = plan[0].path
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = (b"\xef\xbb\xbf" if mark else b"") + text.encode()
        path.write_bytes(raw)
        before = {p: p.is_file() and p.read_bytes() for p in Path(directory).rglob("*")}

        for with_hooks in [False, hooks] if twice else [hooks]:
            plan = install([host], "user", places, LAUNCH, hooks=with_hooks, force=False)
            write(plan, places)
        assert b"shadowgraph" in path.read_bytes()
        write(uninstall([host], SCOPES, places), places)

        after = {p: p.is_file() and p.read_bytes() for p in Path(directory).rglob("*")}
        assert before == after


def _files(directory: str) -> dict[Path, bytes | bool]:
    """Return what is below a directory, with the bytes of every file."""
    return {p: p.is_file() and p.read_bytes() for p in Path(directory).rglob("*")}


@given(FILES, st.booleans())
def test_uninstalling_the_hooks_leaves_what_install_without_them_makes(
    file: tuple[str, str], twice: bool
) -> None:
    """Byte for byte, with what is kept beside the files; then the server leaves as well."""
    name, text = file
    with tempfile.TemporaryDirectory() as directory:
        places = Places(Path(directory), Path(directory) / "project", "linux")
        host = HOSTS[name]
        plan = install([host], "user", places, LAUNCH, hooks=False, force=False)
        plan[0].path.parent.mkdir(parents=True, exist_ok=True)
        plan[0].path.write_bytes(text.encode())
        before = _files(directory)
        write(install([host], "user", places, LAUNCH, hooks=False, force=False), places)
        without = _files(directory)
        if not twice:
            write(uninstall([host], SCOPES, places), places)

        write(install([host], "user", places, LAUNCH, hooks=True, force=False), places)
        write(uninstall([host], SCOPES, places, only_hooks=True), places)
        assert without == _files(directory)
        write(uninstall([host], SCOPES, places), places)
        assert before == _files(directory)
