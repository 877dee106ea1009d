"""The checks of the corpus find what they are for: programs that are refused wrongly, and what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from wrong_inputs.cases import Case, faults, read_cases, skeleton

RAISE = """from hologram.errors import InputError, Where
raise InputError("code", {message!r}, hint={hint!r}, where={where})
"""
EXPECT = "error: a message [code]\nat: program.py:2:1\n"


def read(folder: Path, text: str) -> Case:
    """The one case of a text."""
    path = folder / "group.cases"
    path.write_text(text, encoding="utf-8")
    (case,) = read_cases(path)
    return case


def raised(folder: Path, expect: str = EXPECT, *, message: str = "a message", hint: str = "", where: str = "") -> str:
    """Return what is wrong with a program that raises an error at its second line."""
    program = RAISE.format(message=message, hint=hint or None, where=where or "Where('program.py', 2, 1, 5)")
    case = read(folder, f"=== name\n$ python program.py\n--- program.py\n{program}--- expect\n{expect}")
    (folder / "run").mkdir()
    return "\n".join(faults(case, folder / "run"))


def test_a_message_as_expected_passes(tmp_path: Path):
    assert raised(tmp_path) == ""


@pytest.mark.parametrize(
    ("expect", "fault"),
    [
        ("exit 2\n" + EXPECT, "the exit code is 1 and not 2"),
        ("error: another message [code]\nat: program.py:2:1\n", "the message is not as expected"),
        ("error: a {{mes+}} [code]\nat: program.py:2:1\n", "the message is not as expected"),
        ("error: a message [code]\n", "the at is not as expected"),
        (EXPECT + "hint: nothing\n", "the hint is not as expected"),
        (EXPECT + EXPECT, "there are 1 errors and not 2"),
    ],
)
def test_what_differs_is_a_fault(expect: str, fault: str, tmp_path: Path):
    assert fault in raised(tmp_path, expect)


@pytest.mark.parametrize(
    ("where", "fault"),
    [
        ("Where('program.py', 9, 1, source='x')", "has no line 9"),
        ("Where('program.py', 2, 1, source='x')", "line 2 of 'program.py' is not 'x'"),
        ("Where('other.py', 2, 1, source='x')", "neither in a file of the case nor in the command"),
        ("Where('program.py', 2, 900)", "the caret of program.py:2:900 is not in the line"),
    ],
)
def test_a_place_that_is_not_there_is_a_fault(where: str, fault: str, tmp_path: Path):
    assert fault in raised(tmp_path, "error: a message [code]\nat: {{.*}}\n", where=where)


def test_a_hint_that_leads_nowhere_is_a_fault(tmp_path: Path):
    program = "# a zebra\nfrom hologram.errors import InputError, Where\nat = Where('program.py', 1, 5, 5)\n"
    program += "raise InputError('c', \"no 'zebra'\", hint={}, where=at)\n"
    expect = "error: no 'zebra' [c]\nhint: {{.*}}\nat: {{.*}}\n"
    found: list[str] = []
    for hint in ("did you mean 'zebras'?", "did you mean 'horse'?", "a horse"):
        folder = tmp_path / str(len(found))
        folder.mkdir()
        text = program.format(repr(hint))
        case = read(folder, f"=== name\n$ python program.py\n--- program.py\n{text}--- expect\n{expect}")
        found.append("\n".join(faults(case, folder)))
    assert found == [
        f"the hint leads nowhere: with '{word}' the same message comes" for word in ("zebras", "horse")
    ] + [""]


def test_a_hint_in_place_of_nothing_is_a_fault(tmp_path: Path):
    expect = "error: {{.*}} [code]\nhint: {{.*}}\nat: {{.*}}\n"
    found = raised(tmp_path, expect, message="none such", hint="did you mean 'zebras'?", where="Where('nowhere')")
    assert "nobody knows in place of what" in found


@pytest.mark.parametrize(
    ("command", "files", "fault"),
    [
        ("hologram-opt in.mlir", "func.func @f() { return }\n", "the input is accepted"),
        ("python in.mlir", "raise TypeError\n", "there is a traceback"),
        ("hologram-opt in.mlir -p nothing", "", "who follows the hint fails again"),
        ("python in.mlir", "open('left', 'w').close()\nimport hologram.errors as e\n"
         "raise e.InputError('c', 'm')\n", "'left' was written"),
    ],
)  # fmt: skip
def test_what_no_input_may_get_is_a_fault(command: str, files: str, fault: str, tmp_path: Path):
    case = read(tmp_path, f"=== name\n$ {command}\n--- in.mlir\n{files}--- expect\nerror: {{{{.*}}}}\n--- follow\n")
    assert fault in "\n".join(faults(case, tmp_path))


def test_cases_of_other_names_have_one_skeleton(tmp_path: Path):
    one, two = (
        skeleton(read(tmp_path, f"=== n\n$ hologram-opt {name}\n--- expect\nerror: no '{name}' [c]\n"))
        for name in ("in.mlir", "other-1.mlir")
    )
    assert one == two
    other = skeleton(read(tmp_path, "=== n\n$ hologram-opt in.mlir\n--- expect\nerror: not 'in.mlir' [c]\n"))
    assert other != one
