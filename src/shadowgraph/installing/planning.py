"""What an install or an uninstall changes, decided before anything is written.

A plan is a list of changes, one a file; it can be shown, and written later. Every file is
read and edited in memory first, so one that cannot be edited stops the whole plan.

Uninstall gives back the bytes from before install when the file is what install made of
them. When somebody changed it since, only what is ours goes.

Invariants: planning writes nothing; writing refuses a file that is not as it was planned
for; a plan over what is already so is empty of changes.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from shadowgraph.errors import HostFileError, InvalidInputError
from shadowgraph.installing import files
from shadowgraph.installing.changes import Change
from shadowgraph.installing.entries import (
    Ours,
    Part,
    Target,
    applied,
    found,
    wanted,
    withdrawn,
)
from shadowgraph.installing.hosts import (
    HOSTS,
    NAME,
    SCOPES,
    Host,
    Scope,
    hooks_file,
    present,
    server_file,
)
from shadowgraph.installing.launch import Launch
from shadowgraph.installing.places import Places


def targets(host: Host, scope: Scope, places: Places, *, hooks: bool) -> Iterator[Target]:
    """Yield the files of a host in which something of ours belongs."""
    parts: dict[Path, set[Part]] = {}
    server = server_file(host, scope, places)
    if server is not None:
        parts.setdefault(server, set()).add("server")
    hooked = hooks_file(host, scope, places) if hooks else None
    if hooked is not None:
        parts.setdefault(hooked, set()).add("hooks")
    for path, held in parts.items():
        yield Target(host, path, frozenset(held))


def chosen(names: Sequence[str], places: Places) -> list[Host]:
    """Return the named hosts, or without a name those that are used here.

    Raises:
        InvalidInputError: none was named, and none is used here.
    """
    if names:
        return [HOSTS[name] for name in dict.fromkeys(names)]
    used = [host for host in HOSTS.values() if present(host, places)]
    if not used:
        raise InvalidInputError(
            "No host was found here.", hint=f"Name one: {', '.join(HOSTS)}."
        )
    return used


def install(
    hosts: Iterable[Host],
    scope: Scope,
    places: Places,
    launch: Launch,
    *,
    hooks: bool,
    force: bool,
) -> list[Change]:
    """Return what puts shadowgraph into the hosts' files.

    Raises:
        HostFileError: a file cannot be edited; the message names it.
    """
    return [
        _installed(target, launch, force=force)
        for host in hosts
        for target in targets(host, scope, places, hooks=hooks)
    ]


def _installed(target: Target, launch: Launch, *, force: bool) -> Change:
    with named(target.path):
        before = files.content(target.path)
        text = files.text_of(before)
        whole = _whole(target)
        known = found(text, whole)
        made = applied(text, target, wanted(target, launch, known), force=force)
        after = before if made == text else files.bytes_of(made, before)
        # What is beside a file without anything of ours is of an install long gone.
        first = not known or files.kept(target.path) is None
    return Change(target.host.name, target.path, before, after, keep=first)


def uninstall(
    hosts: Iterable[Host],
    scopes: Iterable[Scope],
    places: Places,
    *,
    only_hooks: bool = False,
) -> list[Change]:
    """Return what takes shadowgraph, or its hooks alone, out of the hosts' files again.

    Raises:
        HostFileError: a file cannot be edited; the message names it.
    """
    take = _unhooked if only_hooks else _uninstalled
    asked = [(host, scope) for scope in scopes for host in hosts]
    return [
        change
        for host, scope in asked
        for target in targets(host, scope, places, hooks=True)
        if (change := take(target)) is not None
    ]


def _unhooked(target: Target) -> Change | None:
    """Return the change that takes the hooks out of a file; None when it has none of ours."""
    if "server" not in target.parts:
        return _uninstalled(target)
    with named(target.path):
        before = files.content(target.path)
        if "hooks" not in target.parts or before is None or not _holds(target, before):
            return None
        ours = found(files.text_of(before), target)
        if not ours.hooks:
            return None
        if ours.server is None:
            return _uninstalled(target)
        # What is kept beside the file stays: the server needs it to leave.
        after = _without_hooks(target, before, ours)
        return Change(target.host.name, target.path, before, after)


def _without_hooks(target: Target, before: bytes, ours: Ours) -> bytes | None:
    """Return the bytes of a file with the server alone, as install without hooks makes them."""
    kept = files.kept(target.path)
    if kept is not None and _made_of(kept.original, target, ours) == before:
        return _made_of(kept.original, target, replace(ours, hooks=()))
    original = None if kept is None else files.text_of(kept.original)
    hooked = replace(target, parts=frozenset({"hooks"}))
    return files.bytes_of(withdrawn(files.text_of(before), hooked, original), before)


def _uninstalled(target: Target) -> Change | None:
    """Return the change of one file; None when nothing of ours is in or beside it."""
    with named(target.path):
        before = after = files.content(target.path)
        kept = files.kept(target.path)
        if before is not None and _holds(target, before):
            after = _given_back(target, before, kept)
        elif kept is None:
            return None
    directories = kept.directories if kept is not None and after is None else ()
    return Change(
        target.host.name,
        target.path,
        before,
        after,
        forget=True,
        directories=directories,
    )


def _holds(target: Target, raw: bytes) -> bool:
    """Say whether a file holds something of ours; one that has nothing to do with us does not.

    Raises:
        HostFileError: it cannot be read, and it could.
    """
    try:
        return bool(found(files.text_of(raw), target))
    except HostFileError:
        if files.concern_us(target.path, NAME):
            raise
        return False


def _given_back(target: Target, before: bytes, kept: files.Kept | None) -> bytes | None:
    """Return the bytes that a file has after uninstall; None when it is removed."""
    text = files.text_of(before)
    if kept is None:
        return files.bytes_of(withdrawn(text, target, None), before)
    original = files.text_of(kept.original)
    ours = found(text, target)
    earlier = found(original, target)
    if not earlier and _made_of(kept.original, target, ours) == before:
        return kept.original
    left = withdrawn(text, target, original)
    if kept.original is None and left.split() in ([], ["{}"], ["{", "}"]):
        return None
    return files.bytes_of(left, before)


def _made_of(original: bytes | None, target: Target, ours: Ours) -> bytes | None:
    """Return what install makes of the bytes from before; None when it refuses them."""
    try:
        text = files.text_of(original)
        made = applied(text, target, ours, force=True)
    except HostFileError:
        return None
    return files.bytes_of(made, original)


def write(changes: Iterable[Change], places: Places) -> None:
    """Write a plan, file by file.

    Raises:
        HostFileError: a file is not as it was planned for.
        OperatorError: the system refused a file; those before it are written.
    """
    emptied: list[Path] = []
    for change in changes:
        if files.content(change.path) != change.before:
            raise HostFileError(
                f"{change.path} was changed meanwhile.", hint="Run the command again."
            )
        if change.kind == "removed":
            files.remove(change.path)
        elif change.kind != "unchanged":
            files.write(
                change.path, change.after or b"", keep=change.keep, before=change.before
            )
        if change.forget:
            files.forget(change.path)
        emptied += change.directories
    files.remove_directories(emptied, list(all_files(places)))


def all_files(places: Places) -> Iterator[Path]:
    """Yield every file of every host that install can write."""
    for scope in SCOPES:
        for host in HOSTS.values():
            for target in targets(host, scope, places, hooks=True):
                yield target.path


def _whole(target: Target) -> Target:
    """Return a target with everything that could be ours in its file."""
    return Target(target.host, target.path, frozenset({"server", "hooks"}))


@contextmanager
def named(path: Path) -> Iterator[None]:
    """Put the name of a file before what is said about it."""
    try:
        yield
    except HostFileError as error:
        if str(path) in error.message:
            raise
        raise HostFileError(f"{path}: {error.message}", hint=error.hint) from error
