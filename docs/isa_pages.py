"""The pages of the instructions, a group each, from the declarations; `docs/generate.py` writes them.

What a scalar instruction gives is found by running the example; `docs/isa/examples` holds the programs of the others.
"""

from __future__ import annotations

import inspect
import re
import runpy
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "docs" / "isa"

HELPER = '''\
import numpy as np

from hologram import isa
from hologram.dialects import make_context
from hologram.lowering.machine.lift_machine import LiftMachinePass
from hologram.runtime.dtypes import dtype
from hologram.interpreter import interpret_program

np.set_printoptions(precision=4, suppress=True)


def run(line, types, *operands):
    """One instruction in three lanes, by the reference: `types` are those of the result and the operands."""
    names = types.split()
    arrays = [np.array(v, dtype(t).numpy) for v, t in zip([[0, 0, 0], *operands], names, strict=True)]
    text = ".program one(" + ", ".join(f"buf{i}: {t}[?]" for i, t in enumerate(names)) + ") {\\n"
    text += "  .launch block(3, 1, 1)\\n"
    for i in (*range(1, len(names)), 0):
        text += line + "\\n" if i == 0 else ""
        register = f"{'p' if names[i] == 'bool' else 'r'}{i}"
        text += f"  mov_imm.u64 r10, {arrays[i].itemsize}\\n  mul.u64 r10, r10, r255\\n"
        place = f"[buf{i} + r10]"
        text += f"  ldg.{names[i]} {register}, {place}\\n" if i else f"  stg.{names[0]} {place}, {register}\\n"
    module = isa.assemble(text + "}\\n")
    LiftMachinePass().apply(make_context(), module)
    interpret_program(module, "one", arrays)
    return arrays[0]
'''
"""Runs the examples, on the pages and here."""

SAMPLES: dict[str, list[list[Any]]] = {
    "i32": [[7, -7, 2147483647], [2, 2, 1], [3, -3, 5]],
    "u32": [[5, 1, 95], [0, 1, 7], [1, 2, 3]],
    "f32": [[0.5, -2.0, 2.5], [2.0, 3.0, -0.5], [1.0, 0.25, 4.0]],
    "bool": [[True, True, False], [True, False, False], [True, False, True]],
}
AMOUNTS, FLAGS = [1, 31, 33], [True, False, True]


@dataclass(frozen=True)
class Group:
    """A page: the instructions that it has, and the program that shows those that are not scalar."""

    name: str
    title: str
    about: str
    holds: Callable[[str], bool]
    program: str = ""
    run: str = ""


def _instruction(name: str) -> Any:
    """The declaration of a scalar instruction; None for any other."""
    from hologram.dialects.atlas.dialect import Atlas

    return next((i for op in Atlas.operations if (i := getattr(op, "INSTRUCTION", None)) and i.name == name), None)


def _module(name: str) -> str:
    """The module that declares an instruction."""
    from hologram.dialects.atlas.dialect import Atlas
    from hologram.dialects.atlas.instructions.form import form_of

    op = next((op for op in Atlas.operations if (f := form_of(op)) is not None and f.name == name), None)
    return "" if op is None else op.__module__.rpartition(".")[2]


def _is_logic(name: str) -> bool:
    from hologram.dialects.atlas.instructions.types import BOOL, FLOATS

    found = _instruction(name)
    return found is not None and (not found.types & FLOATS or bool(found.types & BOOL))


def _is_bounded(name: str) -> bool:
    found = _instruction(name)
    return found is not None and not found.exact


def _is_state(name: str) -> bool:
    found = _instruction(name)
    return _module(name) in ("state", "class_memory") or bool(found and "class" in (found.traps or ""))


def _is_control(name: str) -> bool:
    from hologram.dialects.machine.listing import CONTROL

    return name in CONTROL or name in ("bar.sync", "memfence", "assert")


STATE = """\
import hologram

x, y, n = np.array([1, 2, 3, 4], np.float32), np.zeros(4, np.float32), np.zeros(4, np.uint32)
launched = hologram.Executor().compile("state.atlas").launch(x, y, n, 1, 1, 1)
print(y, n, launched.resonance[:4])
"""
CONTROL_FLOW = """\
import hologram

x, y = np.array([0, 1, 5, 10], np.uint32), np.zeros(4, np.uint32)
hologram.compile("control.atlas")(x, y, 1, 1, 1)
print(y)
"""
ATOMICS = """\
import hologram

x, y = np.array([3, 5, 6, 7], np.uint32), np.array([0, 99, 0, 15, 0, 0, 1, 0], np.uint32)
hologram.compile("atomics.atlas")(x, y, 1, 1, 1)
print(y)
"""
REDUCTIONS = """\
import hologram

x, y = np.array([1, 2, 3, 4, 0.5, -1, 8, 2], np.float32), np.zeros(16, np.float32)
hologram.compile("reductions.atlas")(x, y, 1, 1, 1)
print(y.reshape(4, 4))
"""
MEMORY = """\
import hologram

x, y = np.arange(8, dtype=np.float32), np.zeros(8, np.float32)
hologram.compile("memory.atlas")(x, y, 1, 1, 1)
print(y)
"""

GROUPS = (
    Group("state", "Atlas state", "Classes, phases, class memory, and R.", _is_state, "state", STATE),
    Group(
        "control", "Control and synchronisation", "Branches, loops, calls, barriers and fences.", _is_control,
        "control", CONTROL_FLOW,
    ),
    Group(
        "atomics", "Atomics", "One step that no other lane sees half done.", lambda n: n.startswith("atom."),
        "atomics", ATOMICS,
    ),
    Group(
        "reductions", "Reductions", "Over registers and over memory.", lambda n: n.startswith("reduce."),
        "reductions", REDUCTIONS,
    ),
    Group("conversions", "Conversions", "From type to type.", lambda n: n.startswith("cvt")),
    Group("logic", "Logic and comparisons", "Bits, shifts, conditions, selection.", _is_logic),
    Group("functions", "Functions", "Transcendentals and activations, with stated error bounds.", _is_bounded),
    Group("arithmetic", "Arithmetic", "Exact arithmetic and roundings.", lambda n: _instruction(n) is not None),
    Group("memory", "Data movement", "Constants, loads, stores, pointers and pools.", lambda n: True, "memory", MEMORY),
)  # fmt: skip
"""The pages; an instruction is on the first that has it."""


PROGRAM = re.compile(
    r"^```python\n(?:import numpy as np\n\n)?(import hologram\n.*?)```\n\n```text\n(.*?)```$", re.DOTALL | re.MULTILINE
)
"""The code of a group's program, and what it prints."""


class Results:
    """The output of the examples, from running them or from the existing pages, which tests check."""

    def __init__(self, fresh: bool):
        self.fresh = fresh
        self.kept: dict[str, str] = {}
        for path in FOLDER.glob("*.mdx"):
            text = path.read_text("utf-8")
            self.kept |= dict(re.findall(r"^print\((run\(.*\))\)  # (.*)$", text, re.MULTILINE))
            self.kept |= dict(PROGRAM.findall(text))

    def evaluated(self, call: str) -> str:
        """The result of the call of an example."""
        known = None if self.fresh else self.kept.get(call)
        return _evaluated(call) if known is None else known

    def printed(self, group: Group) -> str:
        """The output of the code of a group's program."""
        known = None if self.fresh else self.kept.get(group.run)
        return _printed(group) if known is None else known


def pages(page: Callable[..., str], markdown: Callable[[str], str], fresh: bool) -> dict[Path, str]:
    """Every page by its file; `fresh` runs every example, else only those that no page has yet."""
    from hologram.dialects.machine.instruction import FORMS
    from hologram.dialects.machine.listing import CONTROL

    left = [*CONTROL, *FORMS]
    made: dict[Path, str] = {}
    results = Results(fresh)
    for group in GROUPS:
        names = [n for n in left if group.holds(n)]
        left = [n for n in left if n not in names]
        made[FOLDER / f"{group.name}.mdx"] = page(group.title, group.about, _parts(group, names, markdown, results))
    made[FOLDER / "array-level.mdx"] = page(
        "Array level", "One instruction for the whole grid.", _array_level(markdown)
    )
    return made


def _parts(group: Group, names: Sequence[str], markdown: Callable[[str], str], results: Results) -> Iterator[str]:
    yield "[Assembly](/isa/assembly) has the grammar, [the conformance table](/isa/conformance) what was run.\n"
    scalars = [n for n in names if _example(n)]
    if scalars:
        yield "## How the examples run\n\nWhat each example prints stands behind it.\n\n```python\n" + HELPER + "```\n"
    if group.program:
        text = (FOLDER / "examples" / f"{group.program}.atlas").read_text("utf-8")
        yield f'## A program with all of them\n\n```text title="{group.program}.atlas"\n{text}```\n'
        imports = "" if scalars else "import numpy as np\n\n"
        yield f"```python\n{imports}{group.run}```\n\n```text\n{results.printed(group)}```\n"
    yield "## Instructions\n"
    for name in names:
        yield _section(name, markdown, results)


def _section(name: str, markdown: Callable[[str], str], results: Results) -> str:
    from hologram.dialects.machine.instruction import FORMS
    from hologram.dialects.machine.numbers import numbers

    form, found = FORMS.get(name), _instruction(name)
    parts = [f"### {name}\n", markdown(_meaning(name))]
    parts.append(f"- assembly: {', '.join(f'`{s}`' for s in _spellings(name))}")
    for property, types in form.types.items() if form else ():
        parts.append(f"- {property.replace('_', ' ')}: {_types(types)}")
    if found is not None and found.traps:
        parts.append(f"- traps: {found.traps}")
    if (shown := _ssa(name)) is not None:
        parts.append(f"- in IR: `{shown}`")
    parts.append(f"- number in the binary: {numbers().opcodes[name]}\n")
    if example := _example(name):
        parts.append(f"```python\nprint({example})  # {results.evaluated(example)}\n```\n")
    return "\n".join(parts)


def _meaning(name: str) -> str:
    from hologram.dialects.machine import Machine
    from hologram.dialects.machine.instruction import INSTRUCTIONS

    if name in INSTRUCTIONS:
        return inspect.getdoc(INSTRUCTIONS[name]) or ""
    op = next(op for op in Machine.operations if op.name == f"machine.{name}")
    return (inspect.getdoc(op) or "").partition("\n\nExample")[0]


def _ssa(name: str) -> str | None:
    """The first line of the example of the operation in SSA form."""
    from hologram.dialects.atlas.dialect import Atlas
    from hologram.dialects.atlas.instructions.form import form_of

    op = next((op for op in Atlas.operations if (f := form_of(op)) is not None and f.name == name), None)
    if op is None:
        return None
    example = textwrap.dedent((inspect.getdoc(op) or "").partition("Example::")[2]).strip().splitlines()
    return next((line for line in example if f"atlas.{name}" in line), None)


def _types(types: frozenset[str]) -> str:
    from hologram.dialects.atlas.instructions.types import ALL, BOOL, DTYPES, FLOATS, INTEGERS, NUMBERS

    groups = {
        ALL: "all", NUMBERS: "all numbers", FLOATS: "all floats", INTEGERS: "all integers",
        INTEGERS | BOOL: "all integers, `bool`",
    }  # fmt: skip
    return groups.get(types) or " ".join(f"`{n}`" for n in DTYPES if n in types)


SHOWN = {"address": "[address]", "immediate": "n", "constant": "constant", "special": "%special", "pool": "pool0"}


def _spellings(name: str) -> list[str]:
    """The spellings of an instruction, with its modifiers and types in capitals."""
    from hologram.dialects.machine.instruction import FORMS
    from hologram.dialects.machine.numbers import CONTROL_SIGNATURES
    from hologram.dialects.machine.spelling import spell

    form = FORMS.get(name)
    if form is None:
        shown = {"bra": "[@[!]p] bra label", "loop": "loop[.TYPE] r, label", "call": "call function"}
        return [shown.get(name, CONTROL_SIGNATURES[name])]
    types = ["TYPE" if property == "type" else "SOURCE" for property in form.types]
    rows = product(*(m.choices for m in form.modifiers))
    operands = ", ".join(SHOWN.get(f.kind, f.name) for f in form.fields)
    return [f"{spell(form, row, types)} {operands}".strip() for row in rows]


# Examples


CONVERTED = {
    "cvt": ("i32", "[2.7, -1e10, 1e10]"),
    "cvt.bits": ("i32", "[1.0, -0.0, 2.5]"),
    "cvt.satfinite": ("f16", "[2.7, -1e10, 1e10]"),
}
"""The target and the numbers of the examples of conversions."""


def _example(name: str) -> str | None:
    """The call that shows a scalar instruction, or a conversion; None for any other."""
    from hologram.dialects.atlas.instructions.types import DTYPES
    from hologram.dialects.machine.instruction import FORMS
    from hologram.dialects.machine.spelling import spell

    form, found = FORMS.get(name), _instruction(name)
    if name in CONVERTED:
        target, given = CONVERTED[name]
        return f'run("{name}.{target}.f32 r0, r1", "{target} f32", {given})'
    if form is None or found is None:
        return None
    type = next(t for t in (*SAMPLES, *DTYPES) if t in found.types)
    if type == "i32" and name in ("min", "max", "min.nan", "max.nan", "mad", "fma", "fms"):
        type = "f32"
    kinds = [type if kind == "T" else kind for kind in found.operands.values()]
    result = "bool" if found.result == "bool" else type
    samples, taken = SAMPLES.get(type) or SAMPLES["f32" if DTYPES[type].is_float else "u32"], 0
    given: list[list[Any]] = []
    for kind in found.operands.values():
        given.append(samples[taken % 3] if kind == "T" else AMOUNTS if kind == "u32" else FLAGS)
        taken += kind == "T"
    registers = [f"{'p' if kind == 'bool' else 'r'}{n}" for n, kind in enumerate([result, *kinds])]
    modifiers = ["lt" if m.name == "condition" else m.choices[0] for m in form.modifiers]
    line = f"{spell(form, modifiers, [type])} {', '.join(registers)}"
    return f'run("{line}", "{" ".join([result, *kinds])}", {", ".join(map(repr, given))})'


@cache
def _helper() -> dict[str, Any]:
    namespace: dict[str, Any] = {}
    exec(HELPER, namespace)
    return namespace


def _evaluated(call: str) -> str:
    import numpy as np

    found = eval(call, _helper())
    with np.printoptions(precision=4, suppress=True):
        return str(found)


def _printed(group: Group) -> str:
    """The output of the code of a group's program, from running it."""
    import contextlib
    import io
    import os

    printed, here = io.StringIO(), Path.cwd()
    try:
        os.chdir(FOLDER / "examples")
        with contextlib.redirect_stdout(printed):
            exec("import numpy as np\nnp.set_printoptions(precision=4, suppress=True)\n" + group.run, {})
    finally:
        os.chdir(here)
    return printed.getvalue()


# Array level


SUM = """\
func.func @sum(%x: memref<?xf32>, %y: memref<?xf32>) {
  atlas.map ins(%x, %y : memref<?xf32>, memref<?xf32>) outs(%y : memref<?xf32>)
    maps [affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>] {
  ^bb0(%u: f32, %v: f32):
    %r = atlas.add f32 %u, %v
    atlas.yield %r : f32
  }
  func.return
}
"""
RUN = """\
import numpy as np

import hologram

x, y = np.ones(4, np.float32), np.arange(4, dtype=np.float32)
hologram.compile("sum.mlir")(x, y)
print(y)
"""


def _array_level(markdown: Callable[[str], str]) -> Iterator[str]:
    examples = runpy.run_path(str(ROOT / "docs" / "array_assembly.py"))
    yield (
        "Operations over whole arrays, executed by all lanes of the grid. The general forms take a region of scalar\n"
        "instructions; [one program in every form](/isa/saxpy) begins with one. What stands below each are lines to\n"
        "read, in IR and in [assembly](/isa/assembly), where a region is a function; this one runs:\n"
    )
    yield f'```mlir title="sum.mlir"\n{SUM}```\n\n```python\n{RUN}```\n\n```text\n[1. 2. 3. 4.]\n```\n'
    for op in examples["array_operations"]():
        yield _array_section(op, markdown(op.__doc__ or ""), examples["assembly"](op))


def _array_section(op: Any, about: str, assembly: str) -> str:
    from hologram.dialects.machine.array_instruction import ARRAY_FORMS
    from hologram.dialects.machine.numbers import numbers
    from hologram.frontend.assembler.arrays import array_shape

    name = op.name.removeprefix("atlas.")
    form = ARRAY_FORMS[name]
    parts = [f"## {name}\n", about.rstrip() + "\n", f"```text\n{assembly}```\n"]
    parts.append(f"- assembly: `{array_shape(form)}`")
    if form.choice is not None:
        parts.append(f"- {form.choice.name}: {' '.join(f'`{c}`' for c in form.choice.choices)}")
    parts.append(f"- number in the binary: {numbers().opcodes[name]}\n")
    return "\n".join(parts)
