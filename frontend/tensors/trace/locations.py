"""Places in the user's source where something is computed, and the errors that name them."""

from __future__ import annotations

import sys
from itertools import islice
from types import CodeType
from typing import Any, NamedTuple, NoReturn

from hologram.errors import Where, is_users, refuse_at
from hologram.plugins import LOADED
from hologram.plugins.faults import plugin_of


class Place(NamedTuple):
    """A file, a line and a column (from 1), and how many characters the expression has there."""

    file: str
    line: int
    column: int
    width: int

    @property
    def where(self) -> Where:
        return Where(self.file, self.line, self.column, self.width)


def here() -> Place:
    """The expression outside of this package, and of plug-ins, that is being computed."""
    frame: Any = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and (
        not is_users(frame.f_code.co_filename, frame.f_globals.get("__name__", ""))
        or (LOADED and plugin_of(frame.f_code.co_filename) is not None)
    ):
        frame = frame.f_back
    code = frame.f_code
    line, end, column, last = _position(code, frame.f_lasti)
    if line is None or column is None:
        return Place(code.co_filename, frame.f_lineno, 0, 1)
    return Place(code.co_filename, line, column + 1, max(1, last - column) if end == line and last is not None else 1)


def _position(code: CodeType, offset: int) -> tuple[int | None, int | None, int | None, int | None]:
    """The first and the last line, and the columns, of an instruction."""
    for position in islice(code.co_positions(), offset // 2, None):
        return position
    return None, None, None, None


def fault(code: str, message: str, hint: str | None = None) -> NoReturn:
    """Raises an InputError at the expression that is being computed."""
    refuse_at(code, message, hint, here().where)
