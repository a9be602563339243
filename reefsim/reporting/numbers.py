"""Numbers as a reader sees them: one way to write each kind, in the terminal and in reports."""

from __future__ import annotations

import math

NBSP = "\u00a0"  # keeps a number and its unit on one line
DASH = "\N{EN DASH}"
MINUS = "\N{MINUS SIGN}"
NONE = "\N{EM DASH}"
LEVEL = f"95{NBSP}%{NBSP}"  # stands before every interval


def count(number: float) -> str:
    """Whole number with groups of thousands.

    >>> count(10700).replace(NBSP, " ")
    '10 700'
    """
    return NONE if math.isnan(number) else f"{number:,.0f}".replace(",", NBSP)


def decimal(number: float, digits: int = 1) -> str:
    """Write a number with a true minus sign, and infinity in words.

    >>> decimal(-0.04), decimal(2.345, 2)
    ('0.0', '2.35')
    """
    if math.isnan(number):
        return NONE
    if math.isinf(number):
        return "no limit"
    text = f"{number:.{digits}f}"
    if float(text) == 0:
        text = text.removeprefix("-")
    return text.replace("-", MINUS)


def signed(number: float, digits: int = 1) -> str:
    """Difference, with its sign.

    >>> signed(1.23), signed(0.0)
    ('+1.2', '0.0')
    """
    text = decimal(number, digits)
    return f"+{text}" if number > 0 and float(f"{number:.{digits}f}") > 0 else text


def percent(share: float, digits: int = 1) -> str:
    """Share in [0, 1] as a percentage.

    >>> percent(0.346).replace(NBSP, " ")
    '34.6 %'
    """
    return NONE if math.isnan(share) else f"{decimal(100 * share, digits)}{NBSP}%"


def span(low: float, high: float, scale: float = 1.0, digits: int = 1) -> str:
    """Interval; with 'to' where a sign could be read as a dash.

    >>> span(0.337, 0.355, 100) == "33.7" + DASH + "35.5"
    True
    """
    if math.isnan(low) or math.isnan(high):
        return "no interval"
    ends = decimal(scale * low, digits), decimal(scale * high, digits)
    return f"{ends[0]}{' to ' if low < 0 else DASH}{ends[1]}"


def whole(number: float) -> str:
    """Length or score that is a whole number, or infinite.

    >>> whole(16.0)
    '16'
    """
    return decimal(number, 0)
