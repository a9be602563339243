"""How much is tested: REEFSIM_TEST_SIZE=small (the default, for every change) or full."""

from __future__ import annotations

import os
from typing import TypeVar

T = TypeVar("T")

SIZE = os.environ.get("REEFSIM_TEST_SIZE", "small")


def sized(small: T, full: T) -> T:
    """The value for the size in force."""
    return full if SIZE == "full" else small
