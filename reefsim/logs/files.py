"""Places of a run folder, local or at an address, and files that are whole or absent there.

A local file is written under a temporary name (a draft) beside its place, brought to the disk, and
then renamed: after a crash or a power cut it is whole or absent. Object stores put a file in place
at once, so nothing is renamed there.

Addresses are those of fsspec (`s3://bucket/runs/first`); they need the extra `reefsim[remote]`.
`file://` is a local folder like any other.
"""

from __future__ import annotations

import contextlib
import os
import re
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import unquote, urlsplit

from reefsim.errors import RunError

if TYPE_CHECKING:
    import pyarrow as pa
    from pyarrow.fs import FileSystem

_ADDRESS = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_DRAFT = re.compile(r"\..+\.(\d+(-\d+)?(\.part)?|part)")


class _Gate:
    """Lets files be written until it is closed; closing waits for those being written."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._writing, self._is_closed = 0, False

    @contextlib.contextmanager
    def passing(self) -> Iterator[None]:
        with self._changed:
            if self._is_closed:
                raise RunError("the run was stopped.")
            self._writing += 1
        try:
            yield
        finally:
            with self._changed:
                self._writing -= 1
                self._changed.notify_all()

    def close(self) -> None:
        with self._changed:
            self._is_closed = True
            self._changed.wait_for(lambda: self._writing == 0, timeout=10.0)

    def open(self) -> None:
        with self._changed:
            self._is_closed = False


GATE = _Gate()  # of this process


def is_address(text: str | os.PathLike[str]) -> bool:
    """Whether text names a place by its address, such as s3://bucket/runs."""
    return _ADDRESS.match(os.fspath(text)) is not None


def find_place(folder: str | os.PathLike[str]) -> Path:
    """The folder that text names: a local one, or one at an address.

    Raises
    ------
    RunError : if reefsim cannot write to such an address here
    """
    if not isinstance(folder, str | Path):
        return cast(Path, folder)  # a place already
    text = os.fspath(folder)
    found = _ADDRESS.match(text)
    if found is None:
        return Path(text)
    if found[1].lower() == "file":
        return Path(unquote(urlsplit(text).path))
    try:
        from upath import UPath

        place = UPath(text)
        _ = place.fs
    except ImportError as error:
        what = f"{text}: this place needs a package that is not installed ({error})."
        raise RunError(f'{what} Try: pip install "reefsim[remote]"') from error
    except Exception as error:  # of any of fsspec's file systems
        what = " ".join(str(error).split())
        raise RunError(f"{text}: this place cannot be used: {what}.") from error
    return cast(Path, place)


def is_local(place: Path) -> bool:
    """Whether a place is on this machine's disks."""
    return isinstance(place, Path)


def is_shared(place: Path) -> bool:
    """Whether other processes of this machine see what is written there."""
    return is_local(place) or cast(Any, place).protocol != "memory"


def arrow_place(place: Path) -> tuple[FileSystem, str]:
    """The file system and the name by which pyarrow knows a place."""
    from pyarrow.fs import FSSpecHandler, LocalFileSystem, PyFileSystem

    if is_local(place):  # named so, because pyarrow takes some names of folders for addresses
        return LocalFileSystem(), str(place.absolute())
    remote = cast(Any, place)
    return PyFileSystem(FSSpecHandler(remote.fs)), str(remote.path)


def draft_of(path: Path) -> Path:
    """The temporary name of a local file while it is written."""
    return path.with_name(f".{path.name}.{os.getpid()}-{threading.get_ident()}")


def write_whole(path: Path, content: bytes | pa.Buffer) -> None:
    """Write a file of a run at once: readers see the whole file or none, also after a power cut.

    Raises
    ------
    RunError : if the file cannot be written, as on a full disk, or the run was stopped
    """
    with GATE.passing():
        if is_local(path):
            write_local(path, content)
            return
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(bytes(content))
        except OSError as error:
            raise unwritable(path, error) from error


def write_local(path: Path, content: bytes | pa.Buffer) -> None:
    """Write a local file at once, whether or not a run was stopped.

    Raises
    ------
    RunError : if the file cannot be written
    """
    draft = draft_of(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with draft.open("wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # a renamed file must not be empty after a power cut
        draft.replace(path)
    except OSError as error:
        raise unwritable(path, error) from error
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def unwritable(path: Path, error: OSError) -> RunError:
    """The error of a file that cannot be written, with the system's reason."""
    why = os.strerror(error.errno) if error.errno else str(error)
    return RunError(f"{path}: cannot be written: {why}.")


def check_writable(folder: Path) -> None:
    """Check that a local folder can be made, or written to if it is there; nothing is left behind.

    Raises
    ------
    RunError : if it cannot
    """
    if is_local(folder):
        there = next(place for place in (folder, *folder.absolute().parents) if place.exists())
        try:
            Path(tempfile.mkdtemp(dir=there)).rmdir()
        except OSError as error:
            raise unwritable(folder, error) from error


def remove_drafts(folder: Path) -> int:
    """Remove the drafts that killed processes left; nobody else may be writing to the folder."""
    if not is_local(folder):
        return 0
    drafts = [path for path in folder.rglob(".*") if _DRAFT.fullmatch(path.name)]
    for draft in drafts:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)
    return len(drafts)
