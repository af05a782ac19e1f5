"""Running a function in a child process that is killed at its nth step.

Two kinds of steps: the first execution of every *line* of the product, which works
everywhere, and every system *call* that changes a file, SQLite's and the engine's included,
where `ptrace` works. The child is a fork, so a step costs no start of an interpreter. What
the child acknowledged before it died comes back with the result.
"""

import json
import os
import signal
import sys
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from tests.faults import ptrace

import shadowgraph

PRODUCT = str(Path(shadowgraph.__file__).parent)
Tell = Callable[[Any], None]
"Given to a child: what it is called with has reached the parent."


@dataclass(frozen=True, slots=True)
class Ended:
    """How a child ended."""

    steps: int
    "Steps it was seen to make."
    killed: bool
    told: list[Any]
    "What it acknowledged, in order."
    at: str = ""
    "The step it was killed at."
    failure: str = ""
    "The traceback when it failed by itself."


def by_lines(act: Callable[[Tell], None], at: int | None = None) -> Ended:
    """Run *act* in a child that is killed when it comes to its new line number *at*."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _behave(act, writing, lambda: _count_lines(writing, at))
    os.close(writing)
    lines = _lines(reading)
    status = os.waitpid(child, 0)[1]
    passed = [line[1] for line in lines if line[0] == "at"]
    steps = next((line[1] for line in lines if line[0] == "steps"), at or 0)
    return _ended(lines, status, int(steps), passed[-1] if passed else "")


def by_calls(act: Callable[[Tell], None], at: int | None = None) -> Ended:
    """Run *act* in a child that is killed before its changing system call number *at*."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _behave(act, writing, ptrace.wait_to_be_followed)
    os.close(writing)
    steps, last, status = 0, "", None
    for name in ptrace.stops(child):
        steps += 1
        if steps == at:
            last = name
            os.kill(child, signal.SIGKILL)
            status = signal.SIGKILL
    return _ended(_lines(reading), status, steps, last)


def in_child(act: Callable[[Tell], None]) -> Ended:
    """Run *act* in a child to its end, so that its threads and caches are its own."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _behave(act, writing, lambda: None)
    os.close(writing)
    lines = _lines(reading)
    return _ended(lines, os.waitpid(child, 0)[1], 0, "")


def _behave(
    act: Callable[[Tell], None],
    writing: int,
    begin: Callable[[], Callable[[], None] | None],
) -> NoReturn:
    """Be the child."""
    try:
        finish = begin()
        act(lambda value: _say(writing, "told", value))
        if finish is not None:
            finish()
    except BaseException:  # noqa: BLE001 - the parent reports it
        sys.settrace(None)
        _say(writing, "failed", traceback.format_exc())
    finally:
        os._exit(0)


def _say(writing: int, word: str, value: Any) -> None:
    """Tell the parent a word and a value."""
    os.write(writing, (json.dumps([word, value]) + "\n").encode())


def _lines(reading: int) -> list[Any]:
    """Return what a child told, whole lines only."""
    with os.fdopen(reading, "rb") as pipe:
        return [json.loads(line) for line in pipe if line.endswith(b"\n")]


def _ended(lines: list[Any], status: int | None, steps: int, at: str) -> Ended:
    """Return how a child ended."""
    killed = status is not None and bool(status) and os.WTERMSIG(status) == signal.SIGKILL
    return Ended(
        steps=steps,
        killed=killed,
        told=[value for word, value in lines if word == "told"],
        at=at,
        failure=next((value for word, value in lines if word == "failed"), ""),
    )


def _count_lines(writing: int, at: int | None) -> Callable[[], None]:
    """Follow this process's lines of the product; die at the new one number *at*."""
    seen: set[tuple[str, int]] = set()

    def follow(frame: Any, event: str, _: Any) -> Any:
        if not frame.f_code.co_filename.startswith(PRODUCT):
            return None
        place = (frame.f_code.co_filename, frame.f_lineno)
        if event == "line" and place not in seen:
            seen.add(place)
            if len(seen) == at:
                _say(writing, "at", f"{Path(place[0]).name}:{place[1]}")
                os.kill(os.getpid(), signal.SIGKILL)
        return follow

    def finish() -> None:
        sys.settrace(None)
        _say(writing, "steps", len(seen))

    threading.settrace(follow)
    sys.settrace(follow)
    return finish
