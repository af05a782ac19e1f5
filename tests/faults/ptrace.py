"""Stopping a child process at the system calls by which it changes files.

A wrapper around `ptrace` on Linux with x86-64, in `ctypes`: nothing has to be installed, and
the product has no hook for it. Every thread of the child is followed, so calls that the
engine makes from its own threads count as well. What is done at such a stop, and why, is in
`killing`.
"""

import ctypes
import os
import platform
import signal
import sys
from collections.abc import Iterator

CHANGES = {
    1: "write",
    18: "pwrite64",
    20: "writev",
    74: "fsync",
    75: "fdatasync",
    76: "truncate",
    77: "ftruncate",
    82: "rename",
    83: "mkdir",
    84: "rmdir",
    86: "link",
    87: "unlink",
    263: "unlinkat",
    264: "renameat",
    265: "linkat",
    285: "fallocate",
    316: "renameat2",
}
"System calls that change what a file system holds, by number."

_TRACEME, _CONT, _SYSCALL, _SETOPTIONS, _GET_INFO = 0, 7, 24, 0x4200, 0x420E
_MARKED, _CLONES, _FORKS, _EXITKILL = 0x1, 0x8, 0x6, 0x100000
_ENTRY = 1
_WALL = 0x40000000
_SYSCALL_STOP = signal.SIGTRAP | 0x80


class _Info(ctypes.Structure):
    """The beginning of the kernel's `ptrace_syscall_info`."""

    _fields_ = (
        ("op", ctypes.c_uint8),
        ("pad", ctypes.c_uint8 * 3),
        ("arch", ctypes.c_uint32),
        ("instruction", ctypes.c_uint64),
        ("stack", ctypes.c_uint64),
        ("number", ctypes.c_uint64),
        ("arguments", ctypes.c_uint64 * 8),
    )


_libc = ctypes.CDLL(None, use_errno=True)
_libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
_libc.ptrace.restype = ctypes.c_long


def _ptrace(request: int, process: int, address: int = 0, data: int = 0) -> int:
    """Call the system's ptrace; raise what it refuses."""
    done = int(_libc.ptrace(request, process, address, data))
    if done < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return done


def works() -> bool:
    """Say whether a child can be followed here; some containers forbid it."""
    if sys.platform != "linux" or platform.machine() != "x86_64":
        return False
    child = os.fork()
    if child == 0:
        try:
            _ptrace(_TRACEME, 0)
        except OSError:
            os._exit(1)
        os._exit(0)
    return os.waitpid(child, 0)[1] == 0


def wait_to_be_followed() -> None:
    """Called by the child: stop until `stops` goes on with it."""
    _ptrace(_TRACEME, 0)
    os.kill(os.getpid(), signal.SIGSTOP)


def stops(child: int) -> Iterator[str]:
    """Yield the name of every changing call of *child* before it happens; end with it.

    Whoever iterates may kill the child; the iteration then ends.
    """
    os.waitpid(child, 0)
    _ptrace(_SETOPTIONS, child, 0, _MARKED | _CLONES | _FORKS | _EXITKILL)
    _ptrace(_SYSCALL, child)
    while True:
        try:
            thread, status = os.waitpid(-1, _WALL)
        except ChildProcessError:
            return
        if not os.WIFSTOPPED(status):
            if thread == child:
                return
            continue
        given = os.WSTOPSIG(status)
        if given == _SYSCALL_STOP and (name := _change(thread)):
            yield name
        _go_on(thread, status, given)


def _change(thread: int) -> str | None:
    """Return the name of the changing call that a thread is about to make."""
    info = _Info()
    try:
        _ptrace(_GET_INFO, thread, ctypes.sizeof(info), ctypes.addressof(info))
    except OSError:
        return None
    return CHANGES.get(info.number) if info.op == _ENTRY else None


def _go_on(thread: int, status: int, given: int) -> None:
    """Let a stopped thread go on, with the signal it was given."""
    told = given not in {_SYSCALL_STOP, signal.SIGTRAP, signal.SIGSTOP}
    try:
        _ptrace(_SYSCALL, thread, 0, given if told and not status >> 16 else 0)
    except OSError:
        # Killed in between.
        return
