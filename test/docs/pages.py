"""Runs the examples of pages in order, in a fresh process: `python test/docs/pages.py PAGE...`, in an empty folder.

What a page's code blocks mean:

- any block with `title="NAME"` is a file of that name, written before anything runs, but for `diff`: that is an edit of
  a file of the project, and its page runs in a copy where it was made (`test_tutorials.py`);
- `python` runs, all in one namespace;
- `sh` runs line by line: our commands in this process, a few harmless others by a shell; lines that install, build or
  fetch are not run, but for `pip install .`, whose entry points are known from then on. A comment `# exits with 1` says
  that a command must fail;
- the block that follows such a block holds its output, if it is `text`, `mlir`, `llvm`, `json` or `asm` and has no
  title. `...` stands for anything, alone on a line for any number of lines; numbers of values (`%12`) may differ;
- a comment behind a `print` call of a `python` block holds what it prints, and one behind another expression its value,
  as does one that looks like a value behind an assignment; `...` stands for anything. Where a block has such comments
  and no block of output, each line that it prints has one.
"""

from __future__ import annotations

import ast
import contextlib
import io
import linecache
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test"))

from in_process import TOOLS, run_tool  # noqa: E402

FENCE = re.compile(r"^```([\w-]*)(?: +title=\"([^\"]+)\")?[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
OUTPUTS = ("text", "mlir", "llvm", "json", "asm")
NOT_RUN = ("pip", "make", "git", "cd")
BY_SHELL = ("cat", "cp", "grep", "head", "ls", "sed")
EXIT = re.compile(r"\s+# exits with (\d+).*$")
COMMENT = re.compile(r"(?:^|\s+)#.*$")
NUMBERED = re.compile(r"%\d+\b")
TOLD = re.compile(r"\s*#\s(?P<value>.*)$")
VALUE = re.compile(r"[\[({\-\d]|(?:True|False|None|array|Coordinate)\b")
"""How a comment behind an assignment begins that tells its value."""


class Wrong(Exception):
    """An example does not do what the page says."""


@dataclass(frozen=True)
class Block:
    """A code block: where it starts, its language, the file it is, and its text."""

    line: int
    language: str
    title: str | None
    text: str
    output: Block | None = None


def blocks(text: str) -> Iterator[Block]:
    """The code blocks of a page; one that runs holds the block of its output."""
    found = [Block(text.count("\n", 0, m.start()) + 1, m[1], m[2], m[3]) for m in FENCE.finditer(text)]
    for block, following in zip(found, [*found, None][1:], strict=True):
        shown = following is not None and following.language in OUTPUTS and following.title is None
        yield Block(block.line, block.language, block.title, block.text, following if shown else None)


def has_examples(path: Path) -> bool:
    """Return whether a page has a block to run."""
    return any(b.language == "python" or b.language == "sh" for b in blocks(path.read_text(encoding="utf-8")))


def matches(expected: str, found: str) -> bool:
    """Return whether an output is as the page shows: `...` stands for anything, a numbered value for any other."""
    expected, found = (NUMBERED.sub("%0", text) for text in (expected, found))
    parts: list[str] = []
    for line in expected.rstrip().splitlines():
        escaped = re.escape(line.rstrip()).replace(re.escape("..."), ".*?")
        parts.append(r"(?:.*\n)*?" if line.strip() == "..." else escaped + r"[ \t]*\n")
    return re.fullmatch("".join(parts), found.rstrip() + "\n") is not None


def edited(text: str, block: Block) -> str:
    """A text after an edit: lines that start with + come in and those with - go, at the only place where the others
    and those that go stand together."""
    lines = block.text.splitlines()
    before = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("+"))
    after = "".join(f"{line[1:]}\n" for line in lines if not line.startswith("-"))
    if text.count(before) != 1:
        raise Wrong(f"these lines are {text.count(before)} times in '{block.title}':\n{before}")
    return text.replace(before, after)


def run_python(block: Block, namespace: dict[str, Any]) -> str:
    """Run a block of Python, hold what it prints and computes against its comments, and return its output."""
    text = "\n" * block.line + block.text
    lines = text.splitlines()
    # Python kernels are read from the text of their functions.
    linecache.cache["page"] = (len(text), None, text.splitlines(True), "page")
    written, untold, has_comments = "", "", False
    for statement in ast.parse(text).body:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            value = run_statement(statement, namespace)
        found = printed.getvalue()
        written += found
        comment = told(statement, lines)
        if comment is None:
            untold += found
            continue
        has_comments = True
        is_printed = isinstance(statement, ast.Expr) and ast.unparse(statement).startswith("print(")
        texts = [found] if is_printed else [f"{value}", f"{value!r}"]
        if not any(matches(comment, one) for one in texts):
            raise Wrong(f"in line {statement.end_lineno} the page shows:\n{comment}\nit gives:\n{texts[0]}")
    if has_comments and untold and block.output is None:
        raise Wrong(f"no comment shows what is written:\n{untold}")
    return written


def run_statement(statement: ast.stmt, namespace: dict[str, Any]) -> Any:
    """Run a statement and return its value: of an assignment to one name, what that is then."""
    if isinstance(statement, ast.Expr):
        return eval(compile(ast.Expression(statement.value), "page", "eval", dont_inherit=True), namespace)
    exec(compile(ast.Module([statement], []), "page", "exec", dont_inherit=True), namespace)
    return namespace.get(ast.unparse(statement.targets[0])) if isinstance(statement, ast.Assign) else None


def told(statement: ast.stmt, lines: list[str]) -> str | None:
    """The comment behind a statement that says what it prints or computes, if one does."""
    comment = TOLD.search(lines[(statement.end_lineno or 0) - 1][statement.end_col_offset or 0 :])
    if comment is None or not isinstance(statement, ast.Expr | ast.Assign):
        return None
    is_told = isinstance(statement, ast.Expr) or VALUE.match(comment["value"]) is not None
    return comment["value"].strip() if is_told else None


def run_shell(block: Block) -> str:
    """Run the lines of a shell block and return their output."""
    return "".join(run_line(line) for line in block.text.replace("\\\n", " ").splitlines() if COMMENT.sub("", line))


def run_line(line: str) -> str:
    """Run a line and return its output on both streams; its exit code must be the one that the line states."""
    wanted = int(m[1]) if (m := EXIT.search(line)) else 0
    line = COMMENT.sub("", line)
    first = shlex.split(line)[0]
    if line.strip() == "pip install .":
        install_here()
        return ""
    if first in NOT_RUN:
        return ""
    data, errors, code = b"", "", 0
    for part in line.split(" | "):
        words = shlex.split(part)
        if words[0] in TOOLS:
            outcome = run_tool(words[0], words[1:], stdin=data)
            data, errors, code = outcome.out, errors + outcome.errors, outcome.code
        elif words[0] in BY_SHELL:
            done = subprocess.run(words, input=data, capture_output=True)
            data, errors, code = done.stdout, errors + done.stderr.decode(), done.returncode
        elif words[0] == "python":
            done = subprocess.run([sys.executable, *words[1:]], input=data, capture_output=True)
            data, errors, code = done.stdout, errors + done.stderr.decode(), done.returncode
        else:
            raise Wrong(f"the examples may not run '{words[0]}'")
    if code != wanted:
        raise Wrong(f"'{line}' exits with {code}, not {wanted}:\n{errors}")
    return data.decode() + errors


def install_here() -> None:
    """Install the project in the current folder as `pip install .` does, but for this process alone: it is importable,
    with the entry points of its pyproject.toml."""
    project = tomllib.loads(Path("pyproject.toml").read_text(encoding="utf-8"))["project"]
    folder = Path(f"{project['name'].replace('-', '_')}-{project['version']}.dist-info")
    folder.mkdir()
    (folder / "METADATA").write_text(f"Name: {project['name']}\nVersion: {project['version']}\n", encoding="utf-8")
    groups = project.get("entry-points", {})
    lines = [f"[{group}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()) for group, points in groups.items()]
    (folder / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    sys.path.insert(0, str(Path.cwd()))


def check(block: Block, found: str) -> None:
    """Compares what a block wrote with what the page says."""
    if block.output is not None and not matches(block.output.text, found):
        raise Wrong(f"the page shows:\n{block.output.text}\nit writes:\n{found}")


def prepare(path: Path) -> None:
    """Puts into the current folder what the page's reader has there: the examples, of a page that edits the project
    its kernels, and the files that it shows."""
    shutil.copytree(ROOT / "examples", "examples", ignore=shutil.ignore_patterns("__pycache__"))
    text = path.read_text(encoding="utf-8")
    if any(block.language == "diff" for block in blocks(text)):
        Path("kernels").symlink_to(ROOT / "kernels")
    for block in blocks(text):
        if block.title is not None and block.language != "diff":
            Path(block.title).parent.mkdir(parents=True, exist_ok=True)
            Path(block.title).write_text(block.text, encoding="utf-8")


def run_page(path: Path) -> None:
    """Runs a page's blocks in the current folder."""
    prepare(path)
    module = sys.modules["page"] = ModuleType("page")
    for block in blocks(path.read_text(encoding="utf-8")):
        if block.title is not None and block.language != "python":
            continue
        try:
            if block.language == "python":
                check(block, run_python(block, module.__dict__))
            elif block.language == "sh":
                check(block, run_shell(block))
        except Exception as error:
            kind = "" if isinstance(error, Wrong) else f"{type(error).__name__}: "
            raise SystemExit(f"{path}:{block.line}: {kind}{error}") from error


if __name__ == "__main__":
    for name in sys.argv[1:]:
        with contextlib.chdir(tempfile.mkdtemp(dir=".")):
            run_page(Path(name))
