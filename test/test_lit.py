"""Runs the RUN lines of test/lit in this process; `lit test/lit` runs the same files, each in processes of its own.

Understood here: pipes of our tools, `filecheck`, `not` and `cat`, with `2>&1`, `>`, `2>` and `<`. Other lines go to a
shell.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from in_process import TOOLS, Outcome, run_filecheck, run_tool

ROOT = Path(__file__).resolve().parent / "lit"
SUFFIXES = (".mlir", ".circuit", ".ll", ".test")
FILES = sorted(
    p for p in ROOT.rglob("*") if p.suffix in SUFFIXES and "Output" not in p.parts and "Inputs" not in p.parts
)
OPTIONAL = ("mlir-opt", "mlir-translate", "spirv-val")
_RUN = re.compile(r"(?:^|\s)RUN:\s?(.*)$", re.MULTILINE)
_REQUIRES = re.compile(r"(?:^|\s)REQUIRES:\s*(.*)$", re.MULTILINE)
_HERE = ("filecheck", "FileCheck", "cat", *TOOLS)


@dataclass
class Command:
    """One command of a pipe."""

    words: list[str] = field(default_factory=list[str])
    negated: bool = False
    merged: bool = False
    stdin: str | None = None
    stdout: str | None = None
    stderr: str | None = None

    def run(self, data: bytes) -> Outcome:
        name, *args = self.words
        if self.stdin is not None:
            data = Path(self.stdin).read_bytes()
        if name == "cat":
            outcome = Outcome(0, b"".join(Path(a).read_bytes() for a in args) if args else data, b"")
        elif name in TOOLS:
            outcome = run_tool(name, args, stdin=data, merged=self.merged)
        else:
            outcome = run_filecheck(args, data)
        for target, written in ((self.stdout, outcome.out), (self.stderr, outcome.err)):
            if target is not None:
                Path(target).write_bytes(written)
        code = int(outcome.code == 0) if self.negated else outcome.code
        return Outcome(code, b"" if self.stdout else outcome.out, outcome.err)


def run_lines(text: str) -> list[str]:
    """The RUN lines of a test, those that end in a backslash joined with the next."""
    lines: list[str] = []
    open_line = ""
    for match in _RUN.finditer(text):
        line = open_line + match[1].rstrip()
        if line.endswith("\\"):
            open_line = line[:-1]
            continue
        open_line = ""
        lines.append(line)
    return lines


def substituted(line: str, path: Path, scratch: Path) -> str:
    """The line with lit's substitutions made."""
    values = {"%s": path, "%S": path.parent, "%t": scratch / path.name, "%T": scratch, "%%": "%"}
    return re.sub(r"%[sStT%](?![A-Za-z])", lambda m: str(values[m[0]]), line)


def parse(line: str) -> list[list[Command]] | None:
    """The pipes of a line, which `&&` separates; None if a shell must read it."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&;<>()")
    lexer.whitespace_split = True
    lexer.commenters = ""
    pipes, current = [[Command()]], Command()
    pipes[0][0] = current
    words = iter(list(lexer))
    for word in words:
        if word == "|":
            current = Command()
            pipes[-1].append(current)
        elif word == "&&":
            current = Command()
            pipes.append([current])
        elif word in (">", "<"):
            target = next(words, "")
            if current.words and current.words[-1] == "2" and word == ">":
                current.words.pop()
                current.stderr = target
            elif word == ">":
                current.stdout = target
            else:
                current.stdin = target
        elif word == ">&" and current.words and current.words[-1] == "2" and next(words, "") == "1":
            current.words.pop()
            current.merged = True
        elif word == "not" and not current.words:
            current.negated = True
        elif re.fullmatch(r"[|&;<>()]+", word):
            return None
        else:
            current.words.append(word)
    known = all(command.words and command.words[0] in _HERE for pipe in pipes for command in pipe)
    return pipes if known else None


def run_pipe(pipe: list[Command]) -> str | None:
    """The command that failed in a pipe, or None. As in lit, every command of a pipe must succeed."""
    data = b""
    for command in pipe:
        outcome = command.run(data)
        if outcome.code:
            said = (outcome.err or outcome.out).decode("utf-8", "replace")
            return f"'{' '.join(command.words)}' gave {outcome.code}:\n{said}"
        data = outcome.out
    return None


def run_shell(line: str, path: Path) -> str | None:
    """Runs a line by a shell that finds the tools of this environment."""
    environment = os.environ | {"PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    line = re.sub(r"(^|[|&;]\s*)not\s+", r"\1! ", line)
    ran = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {line}"], capture_output=True, env=environment, cwd=path.parent, timeout=60
    )
    return f"'{line}' gave {ran.returncode}:\n{ran.stderr.decode()}" if ran.returncode else None


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_lit(path: Path, tmp_path: Path):
    text = path.read_text(encoding="utf-8")
    for name in (n.strip() for m in _REQUIRES.finditer(text) for n in m[1].split(",")):
        if shutil.which(name) is None:
            pytest.skip(f"needs {name}")
    lines = run_lines(text)
    assert lines, f"{path} has no RUN line"
    for line in lines:
        ready = substituted(line, path, tmp_path)
        pipes = parse(ready)
        failures = [run_shell(ready, path)] if pipes is None else [run_pipe(pipe) for pipe in pipes]
        for failure in failures:
            if failure is not None:
                pytest.fail(f"RUN: {line}\n{failure}", pytrace=False)
