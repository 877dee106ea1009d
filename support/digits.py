"""Numbers of any length in texts of users: Python refuses to read more than 4,300 digits by an exception of its own."""

from __future__ import annotations


def whole_number(text: str, most: int) -> int | None:
    """The number from 0 to `most` whose decimal digits a text is; None of any other text."""
    if not (text.isascii() and text.isdecimal()) or len(digits := text.lstrip("0")) > len(str(most)):
        return None
    number = int(digits or "0")
    return number if number <= most else None
