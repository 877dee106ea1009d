"""Errors that help: one base class, a stable code each, the place in the user's text, the reason and what to do.

Every user-facing error carries a literal `code` (kebab-case, unique to its raise site); `test/fail/` holds a must-fail
input for each code and a test compares both lists. This module imports nothing heavy: errors that are xDSL's too
come with `of_ir` when they are first asked for.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Collection, Iterable
from importlib import import_module
from itertools import islice
from types import CodeType
from typing import TYPE_CHECKING, Any, NoReturn

from hologram.support.record import Record
from hologram.support.regular_files import read_file

if TYPE_CHECKING:
    from xdsl.ir import Operation
    from xdsl.parser import AttrParser

    from hologram.errors.of_ir import PassError as PassError
    from hologram.errors.of_ir import VerifyError as VerifyError

EXIT_INPUT = 1
EXIT_USAGE = 2
EXIT_INTERNAL = 70


def __getattr__(name: str) -> Any:
    if name not in ("PassError", "VerifyError"):
        raise missing_name("hologram.errors", name, globals())
    return getattr(import_module("hologram.errors.of_ir"), name)


class Where(Record):
    """A place in a user's text. Lines and columns count from 1; 0 means not known."""

    file: str
    line: int = 0
    column: int = 0
    width: int = 1
    """How many characters the caret line underlines."""
    source: str | None = None
    """The text of the line, where known; otherwise it is looked up in the registered sources or the file. Empty: it is
    not shown."""


class HologramError(Exception):
    """The base of every error of this project.

    `message` is a sentence for the user, `hint` what would help, `where` the place. `exit_code` is what a command line
    tool returns for it.
    """

    exit_code = EXIT_INPUT

    def __init__(self, code: str, message: str, *, hint: str | None = None, where: Where | None = None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.hint = hint
        self.where = where

    def __str__(self) -> str:
        return render(self)


class UsageError(HologramError):
    """The command line, or a call's options, are wrong."""

    exit_code = EXIT_USAGE


class ArgumentError(UsageError, TypeError):
    """An argument of a call is of a type that the function does not take. It is a TypeError too."""


class UnrolledLoopWarning(UserWarning):
    """A Python loop over a size in a tensor function, whose steps all become part of the program."""


class InputError(HologramError):
    """A file, text or value that was given is wrong."""


class CircuitError(InputError):
    """A text is no circuit.

    `offset` counts characters from 0; `line` and `column` count from 1, as in every error here. `where.source` is the
    text of the line.
    """

    def __init__(
        self, code: str, message: str, text: str, offset: int, *, name: str, width: int = 1, hint: str | None = None
    ):
        if offset >= len(ended := text.rstrip(" \t\n")):
            offset = len(ended)  # What is missing at the end is missing behind the last word.
        start = text.rfind("\n", 0, offset) + 1
        self.offset = offset
        self.line = text.count("\n", 0, offset) + 1
        self.column = offset - start + 1
        source = text[start:].partition("\n")[0]
        super().__init__(code, message, hint=hint, where=Where(name, self.line, self.column, width, source))


class MissingNameError(UsageError, AttributeError):
    """A module or an object has no such name. It is an AttributeError too."""


class MissingImportError(UsageError, ImportError):
    """A module has no name that is imported from it. It is an ImportError too."""


class MissingKeyError(UsageError, KeyError):
    """A table has no such key. It is a KeyError too."""


class RangeError(InputError, ValueError, IndexError):
    """A number is out of the range that it must be in. It is a ValueError and an IndexError too, as of Python."""


class LaunchError(InputError):
    """A call of a compiled kernel is refused: count, dtype, rank, shape, strides, writability or aliasing.

    Or there is no memory for what it needs while it runs.
    """


class TrapError(HologramError):
    """A lane trapped while the program ran (isa.md section 1)."""


class DeviceError(HologramError):
    """A named device is missing or failed."""


class InternalError(HologramError):
    """We are wrong: an invariant of ours broke. The tools write a reproducer for it."""

    exit_code = EXIT_INTERNAL


def refuse_at(code: str, message: str, hint: str | None, where: Where) -> NoReturn:
    """Raises an InputError at a place; for methods `fault` of readers, which are given the code of each error."""
    raise InputError(code, message, hint=hint, where=where)


_sources: dict[str, str] = {}
NAMELESS = "<text>"
"""The name of program texts that have none of their own."""
_COMMENT = re.compile(r'((?:[^"/]|"(?:\\.|[^"\\])*"|/(?!/))*)')
_LONG_WORD = re.compile(r"\S{120,}")


def register_source(name: str, text: str) -> None:
    """Remembers the text behind `name`, so that errors can show its lines: standard input can't be read again."""
    _sources[name] = text


def later(where: Where, source: tuple[str, bytes] | None) -> Where:
    """A place for an error that comes when other texts of the same name may have been read.

    `source` is the name and the text of the program, whose line is shown. Of another text without a name none is.
    """
    if source is None or source[0] != where.file:
        return where.changed(source="") if where.file == NAMELESS else where
    lines = source[1].decode(errors="replace").split("\n")
    return where.changed(source=lines[where.line - 1] if where.line <= len(lines) else "")


def at_text(where: Where, text: str) -> Where:
    """A place in a text; where nothing follows it, the end of what stands before it."""
    lines = text.split("\n")
    if not 0 < where.line <= len(lines) or lines[where.line - 1][max(where.column - 1, 0) :].strip():
        return where
    if any(map(str.strip, lines[where.line :])) or not text.strip():
        return where
    before = text.rstrip().split("\n")
    return where.changed(line=len(before), column=len(before[-1]) + 1, width=1)


def source_line(name: str, line: int) -> str | None:
    """The text of one line of a registered source or a readable file, or None."""
    text = _sources.get(name)
    if text is None:
        try:
            text = read_file(name).decode("utf-8-sig").replace("\r\n", "\n")
        except (OSError, ValueError):
            return None
    lines = text.split("\n")  # Other characters that end lines elsewhere don't count in places.
    return lines[line - 1] if 0 < line <= len(lines) else None


LONGEST = 240
"""How much of a line or a word is shown."""


def plain_text(text: str) -> str:
    """A line as a terminal can show it: what is no character to be seen is a box."""
    return "".join(c if c.isprintable() or c == "\t" else "\ufffd" for c in text)


def _cropped(text: str, column: int, width: int) -> tuple[str, int, int]:
    """A part of a long line around its caret, with the caret's place in it."""
    if len(text) <= LONGEST:
        return text, column, width
    start = max(0, column - 1 - LONGEST // 3)
    part = text[start : start + LONGEST]
    lead, tail = "\u2026" * (start > 0), "\u2026" * (start + LONGEST < len(text))
    return lead + part + tail, column - start + len(lead), width


def _shortened(message: str) -> str:
    """A message in which no word, as users may give it, is longer than a line."""
    if len(message) <= LONGEST:
        return plain_text(message)
    return plain_text(_LONG_WORD.sub(lambda m: f"{m[0][:60]}\u2026{m[0][-20:]}", message))


def render(error: HologramError) -> str:
    """`file:line:column: error: message [code]`, the line with a caret, and the hint; no place: the message."""
    where, message = error.where or caller(error), _shortened(error.message)
    if where is None:
        head = f"error: {message} [{error.code}]"
    else:
        place = ":".join([where.file, *(str(n) for n in (where.line, where.column) if n)])
        head = f"{place}: error: {message} [{error.code}]"
    lines = [head]
    if where is not None and where.line:
        text = where.source if where.source is not None else source_line(where.file, where.line)
        if text:
            text, column, width = _cropped(plain_text(text), where.column, where.width)
            lines.append(f"  {text}")
            if where.column:
                lead = "".join("\t" if c == "\t" else " " for c in text[: column - 1])
                lines.append(f"  {lead}{'^' * max(1, min(width, len(text) - column + 1))}")
    if error.hint:
        lines.append(f"hint: {error.hint}")
    return "\n".join(lines)


def caller(error: BaseException) -> Where | None:
    """The expression of a user's program that called what raised an error; None if no such program did."""
    found: tuple[CodeType, int] | None = None
    step = error.__traceback__
    while step is not None:
        if is_users(step.tb_frame.f_code.co_filename, step.tb_frame.f_globals.get("__name__", "")):
            found = step.tb_frame.f_code, step.tb_lasti
        step = step.tb_next
    if found is None:
        return None
    code, at = found
    line, end, column, last = next(islice(code.co_positions(), at // 2, None))
    if line is None or column is None or last is None:
        return Where(code.co_filename, line or 0)
    return Where(code.co_filename, line, column + 1, max(1, last - column) if end == line else 1)


def is_users(file: str, module: str) -> bool:
    """Return whether code is of a user's program, and not of this package or of what is installed."""
    root = module.partition(".")[0]
    return root != "hologram" and root not in sys.stdlib_module_names and "-packages" not in file


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint naming the nearest of `known`, or None if nothing is near."""
    near = nearest(name, known)
    return None if near is None else f"did you mean '{near}'?"


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The one of `known` that a slip of the fingers made `name` of, or that has it as a part; None if nothing is
    near."""
    from os.path import commonprefix

    known = list(dict.fromkeys(known))
    # A prefix that all have, such as a dialect's, makes none of them near.
    start = commonprefix([name, *known]).rfind(".") + 1
    ranked = sorted((r, i) for i, other in enumerate(known) if (r := _farness(name[start:], other[start:])) is not None)
    return known[ranked[0][1]] if ranked and known[ranked[0][1]] != name else None


def _farness(name: str, other: str) -> tuple[int, float] | None:
    """How far two names are apart, None if nobody would take one for the other."""
    a, b = (text.lower().replace("_", "-") for text in (name, other))
    from os.path import commonprefix

    short, long = sorted((a, b), key=len)
    if not short or len(long) > 200:
        return None
    allowed = 1 if len(long) <= 5 else len(long) // 3 if len(long) <= 12 else 4
    if len(long) - len(short) <= allowed and len(short) > 1:
        edits = _edits(a, b)
        if edits <= allowed and edits < len(short) and (len(long) > 3 or a[0] == b[0]):
            return edits, int(sorted(a) != sorted(b)) - len(commonprefix([a, b])) / 1000
    part = len(short) / len(long)
    if short in long and len(short) >= 4 and part >= (0.3 if long.startswith(short) else 0.5):
        return 5, -part
    letters = iter(long)
    if part >= 0.5 and len(short) >= 3 and a[0] == b[0] and all(letter in letters for letter in short):
        return 6, -part
    return None


def _edits(a: str, b: str) -> int:
    """How many letters are missing, too many, others, or in the other order."""
    before, row = list[int](), list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        last, before, row = before, row, [i]
        for j, y in enumerate(b, 1):
            least = min(before[j - 1] + (x != y), before[j] + 1, row[j - 1] + 1)
            if i > 1 and j > 1 and x == b[j - 2] and a[i - 2] == y:
                least = min(least, last[j - 2] + 1)
            row.append(least)
    return row[-1]


def missing_name(owner: str, name: str, known: Iterable[str], hint: str | None = None) -> AttributeError | ImportError:
    """The error for a name that a module or an object of ours does not have, made in `__getattr__`; plain for the
    names of protocols, which others look for. The hint is the near one of the known names, unless one is given."""
    if name.startswith("__"):
        return AttributeError(f"{owner} has no attribute '{name}'")
    from hologram.errors.names import missing

    return missing(owner, name, known, hint)


def where_of(op: Operation) -> Where | None:
    """The place an operation came from, through name, fused and call-site locations; None if it is unknown."""
    from xdsl.dialects.builtin import CallSiteLoc, FileLineColLoc, FusedLoc, NameLoc

    def first(loc: Any) -> Where | None:
        match loc:
            case FileLineColLoc():
                return Where(loc.filename.data, loc.line.data, loc.column.data)
            case CallSiteLoc():
                return first(loc.callee) or first(loc.caller)
            case NameLoc():
                return first(loc.location)
            case FusedLoc():
                parts: Any = loc.locations
                return next((w for part in parts if (w := first(part))), None)
            case _:
                return None

    node: Operation | None = op
    while node is not None:
        if (where := first(node.location)) is not None:
            return where
        node = node.parent_op()
    return None


def end_before(text: str, start: int) -> int | None:
    """Where the last line before `start` ends that says something, without its comment."""
    end = start
    while (line := text.rfind("\n", 0, end)) >= 0:
        first = text.rfind("\n", 0, line) + 1
        said = _COMMENT.match(text, first, line)
        stripped = said[0].rstrip() if said else ""
        if stripped:
            return first + len(stripped)
        end = line
    return None


def parse_error(
    parser: AttrParser, code: str, message: str, *, hint: str | None = None, at: int | None = None
) -> NoReturn:
    """Raises an InputError at the parser's position, or at character offset `at` of its input."""
    span = parser._current_token.span  # pyright: ignore[reportPrivateUsage]
    start = span.start if at is None else at
    text = span.input.content
    width = span.end - span.start if at is None else 1
    begins = at is None and not text[text.rfind("\n", 0, start) + 1 : start].strip()
    if begins and (before := end_before(text, start)) is not None:
        start, width = before, 1  # The next token begins a line: the one that was read is at fault.
    line = text.count("\n", 0, start) + 1
    column = start - (text.rfind("\n", 0, start) + 1) + 1
    raise InputError(code, message, hint=hint, where=Where(span.input.name, line, column, width))


def parse_word(parser: AttrParser, known: Collection[str], code: str, what: str, otherwise: str | None = None) -> str:
    """Parses a bare word of a known set; `what` it is stands in the message of the error of that code, the nearest of
    the known words in its hint, or what `otherwise` says."""
    start = parser.pos
    word = parser.parse_optional_identifier() or ""
    if word not in known:
        near = (did_you_mean(word, known) if word else None) or otherwise or f"it is one of {', '.join(known)}"
        parse_error(
            parser, code, f"expected {what}, found '{word}'" if word else f"expected {what} here", hint=near, at=start
        )
    return word
