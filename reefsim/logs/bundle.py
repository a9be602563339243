"""A file that reproduces a fault: a zip file with a page that says what is in it.

Its bytes depend on its content alone. Names of home folders, which are those of users, stay out.
"""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

_HOME = re.compile(r"(?:[A-Za-z]:)?[\\/]+(?:home|Users)[\\/]+[^\\/\s\"':]+|/root(?=/)")


@dataclass
class Bundle:
    """What reproduces a fault.

    Attributes
    ----------
    name : for the file
    title : which game, of what
    story : what failed, in lines
    usage : how it is played again, in lines
    files : content by name, in order
    meanings : what each file holds
    """

    name: str
    title: str
    story: list[str] = field(default_factory=list)
    usage: list[str] = field(default_factory=list)
    files: dict[str, bytes] = field(default_factory=dict)
    meanings: dict[str, str] = field(default_factory=dict)

    def add(self, name: str, meaning: str, content: str | Mapping[str, Any]) -> None:
        """Add a file, without names of home folders."""
        if not isinstance(content, str):
            content = json.dumps(content, indent=2, ensure_ascii=False) + "\n"
        self.files[name] = without_homes(content).encode()
        self.meanings[name] = meaning

    def to_zip(self) -> bytes:
        """The bundle as a zip file."""
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in {"README.txt": self._readme().encode(), **self.files}.items():
                entry = zipfile.ZipInfo(name)  # of 1980: the same bytes whenever it is written
                entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
                entry.external_attr = 0o644 << 16
                archive.writestr(entry, content)
        return out.getvalue()

    def _readme(self) -> str:
        width = max(map(len, self.files))
        files = (f"  {name:{width}}  {self.meanings[name]}" for name in self.files)
        return without_homes("\n".join([self.title, "", *self.story, "", *files, "", *self.usage]))


def without_homes(text: str) -> str:
    """The text with `~` for home folders, which hold the names of users."""
    home = str(Path.home())
    return _HOME.sub("~", text.replace(home, "~") if len(home) > 1 else text)
