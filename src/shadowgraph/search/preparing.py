"""Preparing many records at once, on two cores where there are two.

Preparing is one thread of Python, and the engine indexes beside it in its own. A rebuild of
a large store therefore asks a second process to prepare every other page: pages go to it
and documents come back as they are, over its standard input and output. It is a helper
and nothing more. It reads no store, it ends with its input, and when it is lost the pages
are prepared here. Small stores are done before it would have started.

Only the packaged definition is prepared beside: the other process reads its own copy.
"""

import logging
import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack
from types import TracebackType
from typing import Any, Self, TypeAlias

from shadowgraph.search.analyzer import Analyzer
from shadowgraph.search.definition import Definition, packaged
from shadowgraph.search.documents import prepare
from shadowgraph.search.schema import Document

WORTH_A_PROCESS = 20_000
"Records from which on a second process pays for its start."

Page: TypeAlias = Sequence[tuple[int, Any]]
"Row numbers and bodies."

log = logging.getLogger(__name__)


def prepare_page(page: Page, definition: Definition, analyzer: Analyzer) -> list[Document]:
    """Return the documents of a page, in its order."""
    return [prepare(row, body, definition, analyzer) for row, body in page]


def prepared(
    pages: Iterable[Page], total: int, definition: Definition, analyzer: Analyzer
) -> Iterator[list[Document]]:
    """Yield the documents of all *pages*, page by page, in any order of pages.

    *total* says how many records there are about.
    """
    with ExitStack() as stack:
        beside = _beside(total, definition)
        if beside is not None:
            stack.enter_context(beside)
        waiting: tuple[Page, Future[list[Document]]] | None = None
        for page in pages:
            if beside is not None and waiting is None:
                waiting = page, beside.ask(page)
                continue
            yield prepare_page(page, definition, analyzer)
            if waiting is not None and waiting[1].done():
                documents, lost = _taken(waiting, definition, analyzer)
                yield documents
                waiting, beside = None, None if lost else beside
        if waiting is not None:
            yield _taken(waiting, definition, analyzer)[0]


def _beside(total: int, definition: Definition) -> "Beside | None":
    """Start a helper when it is worth it; None when it cannot be."""
    if total < WORTH_A_PROCESS or _cores() < 2 or definition is not packaged():
        return None
    try:
        return Beside()
    except OSError as error:
        log.warning("preparing in one process: %s", error)
        return None


def _taken(
    waiting: tuple[Page, "Future[list[Document]]"],
    definition: Definition,
    analyzer: Analyzer,
) -> tuple[list[Document], bool]:
    """Return the documents that were asked for, and whether the helper is lost."""
    page, answer = waiting
    try:
        return answer.result(), False
    except (OSError, EOFError, pickle.PickleError) as error:
        log.warning("preparing goes on in one process: %s", error or "the other one ended")
        return prepare_page(page, definition, analyzer), True


def _cores() -> int:
    """Return how many cores this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class Beside:
    """A second process that prepares pages."""

    def __init__(self) -> None:
        """Start it; what goes wrong later shows at the first answer.

        Raises:
            OSError: no process can be started.
        """
        self._asking = ThreadPoolExecutor(1, "shadowgraph-preparing")
        self._child = subprocess.Popen(  # noqa: S603 - this module, with this interpreter
            [sys.executable, "-c", f"from {__name__} import serve; serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
        )

    def __enter__(self) -> Self:
        """Return the helper."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End it and wait for it."""
        # Killed, not asked: what it prepares now nobody waits for.
        self._child.kill()
        self._asking.shutdown()
        self._child.communicate()

    def ask(self, page: Page) -> "Future[list[Document]]":
        """Send a page; the answer comes later."""
        return self._asking.submit(self._exchange, page)

    def _exchange(self, page: Page) -> list[Document]:
        to, back = self._child.stdin, self._child.stdout
        if to is None or back is None:
            raise EOFError("no pipes")
        pickle.dump(page, to)
        to.flush()
        documents: list[Document] = pickle.load(back)  # noqa: S301 - our own child
        return documents


def serve() -> None:
    """Prepare pages from standard input until it ends."""
    definition = packaged()
    analyzer = Analyzer(definition.analysis)
    while True:
        try:
            page: Page = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our parent
            pickle.dump(prepare_page(page, definition, analyzer), sys.stdout.buffer)
            sys.stdout.buffer.flush()
        except (EOFError, KeyboardInterrupt, BrokenPipeError):
            return
