"""Which index directory is in use, and how a rebuilt one takes its place.

`index/<build digest>/` holds generations; the file `CURRENT` names the one in use and is
replaced atomically. A new index definition therefore builds beside the old one, two
versions of the package can share a home, and a rebuild disturbs no reader: processes
notice the changed name at their next read. A generation that is no longer named is removed
by the next rebuild, so a reader that still has it open finishes first.
"""

import os
from contextlib import suppress
from pathlib import Path

from shadowgraph.errors import HomeNotWritableError, IndexDamagedError

CURRENT = "CURRENT"


class Generations:
    """The index directories of one build digest."""

    def __init__(self, home: Path, build_digest: str) -> None:
        """Look after `home/index/<build_digest>`."""
        self.root = home / "index" / build_digest
        self._current = self.root / CURRENT
        self._seen: tuple[tuple[int, int, int], Path] = ((0, 0, 0), self.root)

    def current(self) -> str | None:
        """Return the name of the generation in use; None before the first.

        Raises:
            IndexDamagedError: the name file holds no name of a generation.
        """
        try:
            # A look at the file's identity: it is replaced, never written to.
            stat = self._current.stat()
            seen = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if seen == self._seen[0] and self._seen[1].is_dir():
                return self._seen[1].name
            name = self._current.read_text(encoding="ascii").strip()
        except FileNotFoundError:
            return None
        except (OSError, ValueError) as error:
            raise IndexDamagedError(f"{self._current}: {error}.") from error
        if not name.startswith("g-") or not (self.root / name).is_dir():
            raise IndexDamagedError(f"{self._current} names no generation.")
        self._seen = (seen, self.root / name)
        return name

    def path(self, name: str) -> Path:
        """Return the directory of a generation."""
        return self.root / name

    def prepare(self) -> None:
        """Make the directory that holds the generations.

        Raises:
            HomeNotWritableError: it cannot be made.
        """
        try:
            # One by one: a mode is not passed on to parents that are made on the way.
            self.root.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.root.mkdir(mode=0o700, exist_ok=True)
        except OSError as error:
            raise HomeNotWritableError(
                f"{self.root} cannot be made: {error.strerror}."
            ) from error

    def new(self) -> str:
        """Return the name of a generation that does not exist yet."""
        return f"g-{os.urandom(6).hex()}"

    def switch(self, name: str) -> None:
        """Name a complete generation as the one in use, atomically."""
        beside = self.root / f"{CURRENT}.{name}"
        with beside.open("w", encoding="ascii") as handle:
            handle.write(name + "\n")
            handle.flush()
            os.fsync(handle.fileno())
        beside.replace(self.root / CURRENT)

    def discard(self, name: str) -> None:
        """Remove a generation that never came into use."""
        _remove(self.path(name))

    def sweep(self, keep: set[str]) -> None:
        """Remove generations that are neither in *keep* nor in use.

        On Windows a directory that a reader has open stays until the next sweep.
        """
        with suppress(OSError):
            for found in self.root.glob("g-*"):
                if found.name not in keep:
                    _remove(found)
            # Of a process that died before it could name its generation.
            for found in self.root.glob(f"{CURRENT}.g-*"):
                found.unlink(missing_ok=True)

    def others(self) -> list[Path]:
        """Return the directories of other definitions in the same home."""
        with suppress(OSError):
            found = sorted(self.root.parent.iterdir())
            return [one for one in found if one.name != self.root.name and one.is_dir()]
        return []

    def sweep_definitions(self) -> int:
        """Remove the indexes of other definitions; whoever uses one builds it again.

        Returns how many there were.
        """
        others = self.others()
        for found in others:
            _remove(found)
        return len(others)


def _remove(directory: Path) -> None:
    # Imported here: 3 ms that only a rebuild need pay.
    from shutil import rmtree  # noqa: PLC0415

    rmtree(directory, ignore_errors=True)
