"""One process at a time plays into a run folder.

The system holds the lock for as long as the process lives, so none is left when it is killed; what
stands in the lock file only tells others who it is.
"""

from __future__ import annotations

import contextlib
import os
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from reefsim.errors import RunError
from reefsim.logs.files import is_local

NAME = ".lock"
_WHO = re.compile(r"process (\d+) on (.+)")


@contextlib.contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a run folder, which is made if it is not there.

    Folders at an address cannot be held: two processes there play the same games twice, and write
    the same bytes.

    Raises
    ------
    RunError : if another process holds it
    """
    if not is_local(folder):
        yield
        return
    file = _acquire(folder)
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            if _is_same(file, folder / NAME):
                (folder / NAME).unlink()  # whoever opened it meanwhile looks again
        file.close()


def is_held(folder: Path) -> bool:
    """Whether the process that the lock file names lives, on this machine; the lock is not touched.

    Of another machine that is not known: its file is believed.
    """
    try:
        who = (folder / NAME).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    found = _WHO.fullmatch(who.strip())
    if found is None or found[2] != socket.gethostname() or os.name == "nt":
        return found is not None
    try:
        os.kill(int(found[1]), 0)
    except (OSError, OverflowError) as error:
        return isinstance(error, PermissionError)
    return True


def _acquire(folder: Path) -> IO[str]:
    path = folder / NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        while True:
            file = path.open("a+", encoding="utf-8")
            if not _hold(file):
                file.seek(0)
                who = file.read(200).strip() or "it does not say which"
                file.close()
                raise RunError(
                    f"{folder}: another process is at work in this folder ({who}). "
                    "Wait until it ends, or stop it, or choose another 'out'."
                )
            if _is_same(file, path):
                break
            file.close()  # its last holder removed it between opening and holding
        file.truncate(0)
        file.write(f"process {os.getpid()} on {socket.gethostname()}\n")
        file.flush()
    except OSError as error:
        why = os.strerror(error.errno) if error.errno else str(error)
        raise RunError(f"{folder}: cannot be written: {why}.") from error
    return file


def _hold(file: IO[str]) -> bool:
    try:
        import fcntl
    except ImportError:  # Windows keeps others from removing an open file, and from locked bytes
        import msvcrt

        try:
            file.seek(1 << 20)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]
        except OSError:
            return False
        return True
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_same(file: IO[str], path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
