"""Reads cases of wrong inputs, runs them, and says what is wrong with the messages that they get.

::

    === a pass of another name                          one sentence, the name of the case
    $ hologram-opt in.mlir -p canonicalise              one of our tools, or: python program.py
    --- in.mlir                                         any number of files; one of standard input is called <stdin>
    func.func @f() { return }
    --- expect
    exit 2
    error: there is no pass 'canonicalise' [pass-unknown]
    hint: did you mean 'canonicalize'?                  left out where there is none
    at: -p:1:1                                          left out where the message names no place
    --- follow                                          what a user does who follows the hint: it must succeed
    $ hologram-opt in.mlir -p canonicalize

Environment variables stand before the command (`$ HOLOGRAM_DEBUG=x hologram-run f.py`), and `> FILE` or `>&-` behind
it. A file whose name has `(expression)` behind it is what that Python expression gives, of text or of bytes; one whose
name ends in `/` is a folder. Messages and hints are whole, and hold regular expressions in double braces:
`error: 'x' can't be read: {{.*}} [code]`. A second error begins with `error:` anew. `leaves: NAME` allows a file to be
left. Files before the first case belong to all cases. A `follow` has the files of its case and those that it replaces,
and the same command if it names none.
"""

from __future__ import annotations

import contextlib
import difflib
import linecache
import os
import re
import runpy
import shlex
import sys
import traceback
from collections.abc import Generator, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from unittest import mock

from hologram.errors import HologramError, plain_text, render
from in_process import TOOLS, Outcome, captured, run_tool
from plugin_state import fresh_plugins

FOLDER = Path(__file__).parent
STDIN = "<stdin>"
_HEAD = re.compile(r"(?:(?P<place>.+?): )?error: (?P<message>.* \[[a-z0-9-]+\])")
_PLACE = re.compile(r"(?P<file>.*?)(?::(?P<line>\d+))?(?::(?P<column>\d+))?")
_MEANT = re.compile(r"did you mean '([^']+)'")
_HOLE = re.compile(r"\{\{(.*?)\}\}")


@dataclass
class Said:
    """One error message: as it is expected, or as it came."""

    message: str
    """With its code."""
    hint: str = ""
    at: str = ""
    """`file:line:column` as far as it is known."""
    source: str | None = None
    """The line that it showed."""
    start: int = 0
    """The column of the caret, from 0, and how many there are."""
    width: int = 0


@dataclass(frozen=True)
class Case:
    """A command with its files, and what must come of it."""

    group: str
    title: str
    command: str
    files: dict[str, str]
    """Their texts by their names, as written."""
    exit: int = 1
    said: tuple[Said, ...] = ()
    leaves: tuple[str, ...] = ()
    follow: Case | None = None

    def contents(self) -> dict[str, bytes]:
        """The files, without folders, that the command finds, by the names that it knows them by."""
        found: dict[str, bytes] = {}
        for name, text in self.files.items():
            plain, is_expression = name.removesuffix(" (expression)"), name.endswith(" (expression)")
            value: str | bytes = eval(text, {}) if is_expression else text.rstrip("\n") + "\n" * bool(text.strip())
            if not name.endswith("/"):
                found[plain] = value.encode() if isinstance(value, str) else value
        return found


def classes() -> dict[str, Path]:
    """The files of cases by the names of their classes."""
    return {path.stem: path for path in sorted(FOLDER.glob("*.cases"))}


def read_cases(path: Path) -> list[Case]:
    """The cases of a file."""
    common, *parts = re.split(r"^=== (.*)\n", path.read_text(encoding="utf-8"), flags=re.MULTILINE)
    return [_read_case(path.stem, t.strip(), body, common) for t, body in zip(parts[::2], parts[1::2], strict=True)]


def _read_case(group: str, title: str, body: str, common: str) -> Case:
    head, *rest = re.split(r"^--- (.*)\n", body, flags=re.MULTILINE)
    _, *shared = re.split(r"^--- (.*)\n", common, flags=re.MULTILINE)
    case = Case(group, title, _command(head), dict(zip(map(str.strip, shared[::2]), shared[1::2], strict=True)))
    later: Case | None = None
    for name, text in zip(map(str.strip, rest[::2]), rest[1::2], strict=True):
        if name == "follow":
            later = replace(case, command=_command(text) or case.command, files=dict(case.files), follow=None)
        elif name == "expect":
            case = _expectation(case, text)
        else:
            (later or case).files[name] = text
    if not case.command:
        raise ValueError(f"{group}/{title}: there is no line '$ command'")
    return replace(case, follow=later)


def _command(text: str) -> str:
    return next((line[2:].strip() for line in text.splitlines() if line.startswith("$ ")), "")


def _expectation(case: Case, text: str) -> Case:
    said: list[Said] = []
    exit_code, leaves = 1, list[str]()
    for line in filter(str.strip, text.splitlines()):
        key, value = line.split(" ", 1)
        match key:
            case "exit":
                exit_code = int(value)
            case "error:":
                said.append(Said(value))
            case "hint:":
                said[-1].hint = value
            case "at:":
                said[-1].at = value
            case "leaves:":
                leaves.append(value)
            case _:
                raise ValueError(f"{case.group}/{case.title}: what is '{line}'?")
    return replace(case, exit=exit_code, said=tuple(said), leaves=tuple(leaves))


def expectation_text(code: int, said: Sequence[Said], leaves: Sequence[str] = ()) -> str:
    """The `expect` block that says what came."""
    lines = [f"exit {code}"]
    for one in said:
        lines += [f"error: {one.message}", *([f"hint: {one.hint}"] if one.hint else [])]
        lines += [f"at: {one.at}"] if one.at else []
    return "\n".join(["--- expect", *lines, *(f"leaves: {name}" for name in leaves)]) + "\n"


# Running


def run_case(case: Case, folder: Path) -> Outcome:
    """Runs the command of a case in a new folder with its files."""
    contents = case.contents()
    for name in case.files:
        path = folder / name.removesuffix(" (expression)")
        if name.removesuffix(" (expression)") == STDIN:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        path.mkdir() if name.endswith("/") else path.write_bytes(contents[name.removesuffix(" (expression)")])
    words = shlex.split(case.command)
    settings = dict(word.split("=", 1) for word in _before_command(words))
    words = words[len(settings) :]
    output: str | None = None
    if words[-1] == ">&-":
        output = words.pop()
    elif len(words) > 2 and words[-2] == ">":
        output, words = words[-1], words[:-2]
    with fresh_plugins(), mock.patch.dict(os.environ, settings):
        if words[0] == "python":
            return _run_python(folder / words[1], folder)
        with _output(output) as stream:
            stdin = contents.get(STDIN, b"")
            return run_tool(words[0], words[1:], stdin=stdin, cwd=folder, **stream)


def _before_command(words: Sequence[str]) -> Iterator[str]:
    for word in words:
        if word in TOOLS or word == "python":
            return
        yield word


@contextlib.contextmanager
def _output(name: str | None) -> Generator[dict[str, Any]]:
    """Where standard output goes, as an option of `run_tool`: a file, nowhere, or to the tests."""
    if name is None:
        yield {}
    elif name == ">&-":
        yield {"stdout": None}
    else:
        stream = open(name, "w", encoding="utf-8")
        try:
            yield {"stdout": stream}
        finally:
            with contextlib.suppress(OSError):
                stream.close()


def _run_python(program: Path, folder: Path) -> Outcome:
    """Runs a program, and shows the error that ends it as the tools do; another exception is a traceback."""
    before, path = set(sys.modules), list(sys.path)
    linecache.clearcache()
    code, text = 0, ""
    with captured() as (out, err), contextlib.chdir(folder):
        sys.path.insert(0, str(folder))
        try:
            runpy.run_path(str(program), run_name="__main__")
        except HologramError as error:
            code, text = error.exit_code, render(error) + "\n"
        except Exception:
            code, text = 1, traceback.format_exc()
        finally:
            sys.path[:] = path
            for name in set(sys.modules) - before:
                if str(getattr(sys.modules[name], "__file__", None) or "").startswith(str(folder)):
                    del sys.modules[name]
    return Outcome(code, out.bytes.getvalue(), err.bytes.getvalue() + text.replace(f"{folder}/", "").encode())


def read_errors(text: str) -> list[Said]:
    """The messages in what a tool wrote to standard error."""
    found: list[Said] = []
    for line in text.splitlines():
        if not line.startswith("  ") and (match := _HEAD.fullmatch(line)) is not None:
            found.append(Said(match["message"], at=match["place"] or ""))
        elif not found:
            continue
        elif line.startswith("hint: "):
            found[-1].hint = line.removeprefix("hint: ")
        elif found[-1].source is None and line.startswith("  "):
            found[-1].source = line[2:]
        elif line.startswith("  ") and line.strip("\t ").strip("^") == "":
            found[-1].start, found[-1].width = len(line) - len(line.lstrip("\t ")) - 2, line.count("^")
    return found


# What is wrong


def faults(case: Case, folder: Path) -> Iterator[str]:
    """Everything that is wrong with what a case gets; its files go to folders in `folder`."""
    first = folder / "first"
    first.mkdir()
    outcome = run_case(case, first)
    said = read_errors(outcome.errors)
    yield from outright(case, first, outcome, said)
    if outcome.code != case.exit:
        yield f"the exit code is {outcome.code} and not {case.exit}"
    if len(said) != len(case.said):
        yield f"there are {len(said)} errors and not {len(case.said)}"
    for came, wanted in zip(said, case.said, strict=False):
        for what in ("message", "hint", "at"):
            if not _fits(getattr(wanted, what), getattr(came, what)):
                yield f"the {what} is not as expected:\n  {getattr(came, what)}\n  {getattr(wanted, what)}"
    if case.follow is not None:
        second = folder / "second"
        second.mkdir()
        if (done := run_case(case.follow, second)).code != 0:
            yield f"who follows the hint fails again:\n{done.errors}"
    elif said and (meant := _MEANT.search(said[0].hint)) is not None:
        yield from _meant_faults(case, said[0], meant[1], folder / "second")


def outright(case: Case, folder: Path, outcome: Outcome, said: Sequence[Said]) -> Iterator[str]:
    """Return what no message may be, whatever the case: a traceback, a fault of ours, a wrong place, a left-over."""
    text = outcome.errors + outcome.out.decode("utf-8", "replace")
    if "Traceback (most recent call last)" in text:
        yield f"there is a traceback:\n{text}"
    if outcome.code == 70:
        yield f"the exit code is that of a fault of ours:\n{text}"
    if outcome.code == 0:
        yield "the input is accepted"
    elif not said:
        yield f"there is no message:\n{text}"
    for one in said:
        yield from _misplaced(case, one)
    contents = {name: data for name, data in case.contents().items() if name != STDIN}
    for path in sorted(p for p in folder.rglob("*") if p.is_file() and "__pycache__" not in p.parts):
        name = path.relative_to(folder).as_posix()
        if name not in case.leaves and contents.get(name) != path.read_bytes():
            yield f"'{name}' was written"


def _misplaced(case: Case, one: Said) -> Iterator[str]:
    """Return whether the place that a message names is there and shows what it says."""
    place = _PLACE.fullmatch(one.at)
    if place is None or not one.at:
        return
    contents, name, line = case.contents(), place["file"], int(place["line"] or 0)
    shown = one.source
    if name in contents and line:
        lines = _text(contents[name]).split("\n")
        if line > len(lines):
            yield f"'{name}' has no line {line}"
        elif shown is not None and not _shows(shown, lines[line - 1]):
            yield f"line {line} of '{name}' is not '{shown}'"
    elif name.startswith("<") and shown is not None and any(shown in _text(data) for data in contents.values()):
        pass  # It is in a text that a program holds.
    elif name not in contents and line and (shown is None or not _in_command(case, shown)):
        yield f"'{one.at}' is neither in a file of the case nor in the command"
    if shown is not None and place["column"]:
        cropped = shown.startswith("\u2026")
        if (
            (int(place["column"]) != one.start + 1 and not cropped)
            or one.start + one.width > len(shown) + 1
            or not one.width
        ):
            yield f"the caret of {one.at} is not in the line"


def _shows(shown: str, line: str) -> bool:
    """Return whether a line is shown, or a part of a long one."""
    line = plain_text(line)
    return shown == line or ("\u2026" in (shown[:1], shown[-1:]) and shown.strip("\u2026") in line)


def _text(data: bytes) -> str:
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _in_command(case: Case, text: str) -> bool:
    return any(text and text.strip("\u2026") in word.replace("\n", " ") for word in shlex.split(case.command))


def _fits(wanted: str, came: str) -> bool:
    parts = _HOLE.split(wanted)
    return re.fullmatch("".join(p if i % 2 else re.escape(p) for i, p in enumerate(parts)), came) is not None


def _meant_faults(case: Case, one: Said, meant: str, folder: Path) -> Iterator[str]:
    """Takes the word that a hint proposes in place of the one that it blames: another message must come, or none."""
    mended = _mended(case, one, meant)
    if mended is None:
        yield f"nobody knows in place of what to write '{meant}'; say it by '--- follow'"
        return
    folder.mkdir()
    again = read_errors(run_case(mended, folder).errors)
    if again and again[0].message == one.message:
        yield f"the hint leads nowhere: with '{meant}' the same message comes"


def _mended(case: Case, one: Said, meant: str) -> Case | None:
    place = _PLACE.fullmatch(one.at)
    under = one.source[one.start : one.start + one.width] if one.source is not None else ""
    blamed = [word for word in [under, *re.findall(r"['\"]([^'\"]+)['\"]", one.message)] if word]
    for word in sorted(blamed, key=lambda w: -difflib.SequenceMatcher(None, w, meant).ratio()):
        if place is not None and place["line"] and place["file"] in case.files:
            lines = case.files[place["file"]].split("\n")
            number = int(place["line"]) - 1
            at = lines[number].find(word, max(0, one.start - len(word)))
            if at >= 0:
                lines[number] = lines[number][:at] + meant + lines[number][at + len(word) :]
                return replace(case, files={**case.files, place["file"]: "\n".join(lines)})
        if word in case.command:
            return replace(case, command=case.command.replace(word, meant))
        for name, text in case.files.items():
            if word in text:
                return replace(case, files={**case.files, name: text.replace(word, meant, 1)})
    return None


# The corpus


def skeleton(case: Case) -> str:
    """Return what a case is but for names and numbers: two cases of one skeleton try the same thing."""
    texts = [case.command, *case.files.values()]
    messages = [re.sub(r"'[^']*'", "''", one.message) for one in case.said]
    return "\n".join(_plain(text) for text in texts) + "\n" + "\n".join(re.sub(r"\d+", "0", m) for m in messages)


def _plain(text: str) -> str:
    words = re.sub(r"\w+(?:[.-]\w+)*", lambda m: "0" if m[0][0].isdigit() else "x", text)
    return " ".join(words.split())
