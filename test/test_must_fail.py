"""Every diagnostic has an input that it refuses: test/fail/AREA/CODE.mlir (or .py for errors of the Python interface).

The first lines of a file say how it is run and what must come::

    // RUN: hologram-opt %s -p some-pass
    // EXIT: 1
    // ERROR: a regular expression that standard error must hold

Python files are run as programs and must end in an uncaught HologramError.
"""

from __future__ import annotations

import ast
import re
import runpy
import shlex
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from hologram.errors import HologramError, render
from in_process import captured, run_tool
from plugin_state import fresh_plugins

ROOT = Path(__file__).resolve().parent.parent
FAIL = ROOT / "test" / "fail"
FILES = sorted(p for p in FAIL.rglob("*") if p.is_file() and "Inputs" not in p.parts and "__pycache__" not in p.parts)
FOLDERS: tuple[str, ...] = ("api", *runpy.run_path(str(ROOT / "setup.py"))["FOLDERS"])
RAISES = {
    **dict.fromkeys(
        (
            "HologramError",
            "VerifyError",
            "UsageError",
            "ArgumentError",
            "RangeError",
            "MissingImportError",
            "MissingKeyError",
            "MissingNameError",
            "InputError",
            "CircuitError",
            "LaunchError",
            "MachineError",
            "TrapError",
            "DeviceError",
            "MissingKernel",
        ),
        0,
    ),  # fmt: skip
    "InternalError": 0,
    "PassError": 1,
    "fault": 0,
    "parse_error": 1,
    "parse_word": 2,
}
"""The names that raise an error, and the position of the code among their arguments."""

UNREACHABLE = {
    "binary-number-missing": "an instruction that 'make docs' gave no number: a test of the table finds it first",
    "canonicalize-endless": "patterns that undo each other",
    "compile-entries-differ": "a target whose passes change what an entry takes",
    "compile-worker-died": "LLVM, or the system, that ends a process of hologram-compile",
    "dialect-broken": "a dialect's module that can't be imported",
    "dominance-detached": "an operand whose definition is not in the IR: text can't say that",
    "pass-broke-ir": "a pass that leaves invalid IR behind",
    "pass-crashed": "a pass that raises what it should not",
    "pass-missing": "a pass's module that can't be imported",
    "unexpected": "an exception that nothing foresaw",
}
"""Errors that no input causes unless we are wrong, and what would cause them."""

_DIRECTIVE = re.compile(r"^\s*(?://|#|;)\s*(RUN|EXIT|ERROR):\s*(.*?)\s*$", re.MULTILINE)


def directives(path: Path) -> dict[str, list[str]]:
    """The directives of a must-fail file by name."""
    found: dict[str, list[str]] = {"RUN": [], "EXIT": [], "ERROR": []}
    for match in _DIRECTIVE.finditer(path.read_text(encoding="utf-8", errors="replace")):
        found[match[1]].append(match[2])
    return found


def run_text(path: Path, line: str, scratch: Path) -> tuple[int, str]:
    """Runs the tool that a RUN line names."""
    line = re.sub(
        r"%[sSt]", lambda m: {"%s": str(path), "%S": str(path.parent), "%t": str(scratch / path.name)}[m[0]], line
    )
    tool, *args = shlex.split(line)
    outcome = run_tool(tool, args, cwd=scratch)
    return outcome.code, outcome.errors


def run_python(path: Path) -> tuple[int, str]:
    """Runs a Python program that must end in one of our errors."""
    with captured(), pytest.raises(HologramError) as caught:
        runpy.run_path(str(path), run_name="__main__")
    return caught.value.exit_code, render(caught.value)


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(FAIL)))
def test_must_fail(path: Path, tmp_path: Path):
    said = directives(path)
    assert said["ERROR"], f"{path} does not say which error must come"
    with fresh_plugins():
        code, errors = run_python(path) if path.suffix == ".py" else run_text(path, said["RUN"][0], tmp_path)
    expected = int(said["EXIT"][0]) if said["EXIT"] else 1
    assert code == expected, f"exit code {code}, expected {expected}:\n{errors}"
    assert f"[{path.stem}]" in errors, f"the error is not the one that the file is named for:\n{errors}"
    assert "Traceback" not in errors
    for pattern in said["ERROR"]:
        assert re.search(pattern, errors), f"/{pattern}/ is not in:\n{errors}"


# The list of diagnostics and the list of files

TOGETHER = pytest.mark.xdist_group("diagnostics")
"""One process reads the sources for all of them."""


@cache
def raise_sites() -> list[tuple[str, ast.expr | None, str]]:
    """The name of the error, the expression of its code, and the place, for each place that makes an error."""
    found: list[tuple[str, ast.expr | None, str]] = []
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            place = path.relative_to(ROOT).as_posix()
            if place in ("api/errors/__init__.py", "api/errors/of_ir.py"):
                continue
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if not isinstance(node, ast.Call):
                    continue
                name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
                if name in RAISES:
                    given = [k.value for k in node.keywords if k.arg == "code"] or node.args[RAISES[name] :]
                    found.append((name, given[0] if given else None, f"{place}:{node.lineno}"))
    return found


@cache
def codes() -> dict[str, list[str]]:
    """The places that raise each code."""
    found: dict[str, list[str]] = {}
    for _, code, place in raise_sites():
        if isinstance(code, ast.Constant) and isinstance(code.value, str):
            found.setdefault(code.value, []).append(place)
    return found


@TOGETHER
def test_codes_are_literals():
    loose = [p for _, code, p in raise_sites() if not (isinstance(code, ast.Constant) and isinstance(code.value, str))]
    assert not loose, "the code of an error must be a literal string"


@TOGETHER
def test_codes_are_kebab_case():
    assert not [c for c in codes() if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", c)]


@TOGETHER
def test_each_code_is_raised_in_one_place():
    assert not {code: places for code, places in codes().items() if len(places) > 1}


@TOGETHER
def test_each_diagnostic_has_a_must_fail_file():
    files = {path.stem for path in FILES}
    missing = {code: places[0] for code, places in codes().items() if code not in files and code not in UNREACHABLE}
    listed = "\n".join(f"{place}: {code}" for code, place in missing.items())
    assert not missing, f"{len(missing)} diagnostics have no file in test/fail:\n{listed}"


@TOGETHER
def test_each_must_fail_file_has_a_diagnostic():
    known = codes()
    assert not [str(p.relative_to(FAIL)) for p in FILES if p.stem not in known]
    assert not [stem for stem, count in Counter(p.stem for p in FILES).items() if count > 1]


@TOGETHER
def test_unreachable_codes_exist():
    assert not [code for code in UNREACHABLE if code not in codes()]
