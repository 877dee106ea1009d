"""What goes wrong in plug-ins, in words, and where."""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection
from itertools import islice
from types import FrameType

from hologram.errors import Where
from hologram.plugins import LOADED


def described(error: BaseException) -> str:
    """An exception in one line."""
    text = getattr(error, "message", None) or getattr(error, "msg", None) or str(error)
    return f"{type(error).__name__}: {' '.join(str(text).split())}".rstrip(": ")


def place_of(error: BaseException, files: Collection[str]) -> Where | None:
    """The innermost place of an exception in one of these files, or in any that is no part of Python or of ours."""
    if isinstance(error, SyntaxError) and error.filename:
        return _where(error.filename, error.lineno or 0, error.offset or 0)
    found: Where | None = None
    trace = error.__traceback__
    while trace is not None:
        name = trace.tb_frame.f_code.co_filename
        if name in files or (not files and _is_outside(trace.tb_frame)):
            found = _where(name, trace.tb_lineno)
        trace = trace.tb_next
    return found


def blamed(error: BaseException) -> tuple[str, Where] | None:
    """The plug-in that raised an exception, and where; None if it comes from none."""
    found: tuple[str, Where] | None = None
    trace = error.__traceback__
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if (name := plugin_of(file)) is not None:
            found = name, _where(file, trace.tb_lineno)
        trace = trace.tb_next
    return found


def plugin_of(file: str) -> str | None:
    """The plug-in that a file is of."""
    for plugin in LOADED.values():
        if any(file == part or file.startswith(part + os.sep) for part in plugin.files):
            return plugin.name
    return None


def caller(files: Collection[str]) -> Where | None:
    """The place in one of these files that called us."""
    frame: FrameType | None = inspect.currentframe()
    while frame is not None:
        if frame.f_code.co_filename in files:
            return _where(frame.f_code.co_filename, frame.f_lineno)
        frame = frame.f_back
    return None


def _where(path: str, line: int, column: int = 0) -> Where:
    """A place with its line as it is in the file now, whatever else is called by the name that is shown."""
    try:
        with open(path, encoding="utf-8") as file:
            text = next(islice(file, max(line - 1, 0), None), "").rstrip("\n")
    except (OSError, ValueError):
        text = ""
    return Where(shown(path), line, column, source=text or None)


def shown(path: str) -> str:
    """A path as users know it: in the current folder or below, the part behind that."""
    try:
        here = os.getcwd() + os.sep
    except OSError:
        return path
    return path.removeprefix(here)


def _is_outside(frame: FrameType) -> bool:
    module = str(frame.f_globals.get("__name__", ""))
    return not module.startswith(("hologram.", "importlib", "xdsl.")) and not frame.f_code.co_filename.startswith("<")
