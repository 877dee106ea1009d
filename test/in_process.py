"""Runs our command line tools, and filecheck, inside the test process: it saves a start-up for each of many tests."""

from __future__ import annotations

import contextlib
import importlib
import io
import os
import sys
from collections.abc import Generator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

TOOLS = {
    "hologram-opt": "hologram.tools.opt.command",
    "hologram-run": "hologram.tools.run.command",
    "hologram-compile": "hologram.tools.compile.command",
    "hologram-doctor": "hologram.tools.doctor",
}


@dataclass(frozen=True)
class Outcome:
    """The exit code and the output of a command."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        return self.out.decode()

    @property
    def errors(self) -> str:
        return self.err.decode()


class _Capture(io.TextIOWrapper):
    def __init__(self, data: bytes = b""):
        self.bytes = io.BytesIO(data)
        super().__init__(self.bytes, encoding="utf-8", write_through=True)


@contextlib.contextmanager
def captured(stdin: bytes = b"", merged: bool = False) -> Generator[tuple[_Capture, _Capture]]:
    """The standard streams, standard input with `stdin`, the others to be read afterwards."""
    old = sys.stdin, sys.stdout, sys.stderr
    out = _Capture()
    err = out if merged else _Capture()
    sys.stdin, sys.stdout, sys.stderr = _Capture(stdin), out, err
    try:
        yield out, err
    finally:
        sys.stdin, sys.stdout, sys.stderr = old


def run_tool(
    name: str,
    args: Sequence[str | Path],
    *,
    stdin: bytes = b"",
    merged: bool = False,
    cwd: Path | None = None,
    **streams: Any,
) -> Outcome:
    """Runs one of our tools; `merged` lets standard error go where standard output goes, and `stdout` is another one,
    or None if it is closed."""
    module = importlib.import_module(TOOLS[name])
    with captured(stdin, merged) as (out, err), contextlib.chdir(cwd or os.getcwd()):
        sys.stdout = streams.get("stdout", sys.stdout)
        code = _exit_code(lambda: module.main([str(arg) for arg in args]))
    return Outcome(code, out.bytes.getvalue(), b"" if merged else err.bytes.getvalue())


def _exit_code(call: Any) -> int:
    try:
        result = call()
    except SystemExit as stop:
        result = stop.code
    if isinstance(result, str):
        sys.stderr.write(result)
        return 1
    return result or 0


def run_filecheck(args: Sequence[str], stdin: bytes) -> Outcome:
    """Runs the filecheck command on `stdin`."""
    from filecheck.error import ParseError
    from filecheck.finput import FInput
    from filecheck.matcher import Matcher
    from filecheck.options import parse_argv_options
    from filecheck.parser import Parser

    with captured(stdin, False) as (out, err):
        options = parse_argv_options(["filecheck", *args])
        text = FInput.canonicalize_line_ends(stdin.decode("utf-8", "replace"))
        try:
            code = Matcher(options, FInput("-", text), Parser.from_opts(options)).run()
        except ParseError as error:
            sys.stderr.write(str(error))
            code = 1
    return Outcome(code, out.bytes.getvalue(), err.bytes.getvalue())


def opt(text: str, *args: str | Path) -> Outcome:
    """`hologram-opt` on a text as its standard input."""
    return run_tool("hologram-opt", ["-", *args], stdin=text.encode())
