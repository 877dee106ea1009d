"""Writes the reference pages from the declarations: `python docs/generate.py`, or `make docs`.

A test (`make docs-check`) fails when a page differs from what this script would write.
"""

from __future__ import annotations

import ast
import inspect
import json
import re
import runpy
import textwrap
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

from hologram.dialects.marks import MARKS, Mark
from hologram.frontend.kernels.document import schema

ROOT = Path(__file__).resolve().parents[1]
REFERENCE = ROOT / "docs" / "reference"
FOLDERS: tuple[str, ...] = ("api", *runpy.run_path(str(ROOT / "setup.py"))["FOLDERS"])
ERRORS = {
    "HologramError": (0, 1), "VerifyError": (0, 1), "InputError": (0, 1), "CircuitError": (0, 1), "LaunchError": (0, 1),
    "TrapError": (0, 1), "DeviceError": (0, 1), "MachineError": (0, 1), "PassError": (1, 1), "parse_error": (1, 1),
    "parse_word": (2, 1), "UsageError": (0, 2), "InternalError": (0, 70), "fault": (0, 1),
}  # fmt: skip
"""The names that raise an error: the position of the code among the arguments, and the exit code."""


def page(title: str, description: str, parts: Iterator[str]) -> str:
    """A whole page."""
    head = f'---\ntitle: "{title}"\ndescription: "{description}"\n---\n\n'
    note = "This page is made from the declarations in the source by `make docs`.\n\n"
    return head + note + "\n".join(part.strip("\n") + "\n" for part in parts)


def escaped(text: str) -> str:
    """Prose with braces and < escaped outside code, since MDX reads them as its own syntax."""
    parts = re.split(r"(`[^`]*`)", text)
    outside = [re.sub(r"[{}<*_]", lambda m: f"&#{ord(m[0])};", p) if p[:1] != "`" else p for p in parts]
    return "".join(outside)


def markdown(doc: str | None) -> str:
    """A docstring as Markdown: indented paragraphs after a line that ends in `::` are code."""
    found: list[str] = []
    paragraphs = inspect.cleandoc(doc or "").split("\n\n")
    code: list[str] = []
    for paragraph in [*paragraphs, ""]:
        if paragraph.startswith("    "):
            code.append(paragraph)
            continue
        if code:
            found.append("```mlir\n" + textwrap.dedent("\n\n".join(code)) + "\n```")
            code = []
        found.append(escaped(re.sub(r"::$", ":", paragraph)))
    return "\n\n".join(found).replace("Example:\n\n", "").strip() + "\n"


def operations(dialect: str) -> str:
    """The page of a dialect."""
    from hologram.dialects import get_all_dialects

    loaded = get_all_dialects()[dialect]()
    return page(f"The {dialect} dialect", f"Every operation of {dialect}: meaning, types, an example.", _parts(loaded))


def _parts(dialect: Any) -> Iterator[str]:
    from hologram.dialects.atlas.instructions.types import DTYPES

    families: dict[str, list[Any]] = {}
    for op in dialect.operations:
        families.setdefault(op.__module__.rpartition(".")[2], []).append(op)
    for family, ops in families.items():
        yield f"## {TITLES.get(family, family)}\n"
        for op in ops:
            yield f"### {op.name}\n\n{markdown(op.__doc__)}"
            instruction = getattr(op, "INSTRUCTION", None)
            if instruction is not None:
                yield "Types: " + " ".join(f"`{n}`" for n in DTYPES if n in instruction.types) + "\n"
    if dialect.attributes:
        yield "## Attributes and types\n"
        for attribute in dialect.attributes:
            yield f"### {attribute.name}\n\n{markdown(attribute.__doc__)}"


TITLES = {
    "array_base": "Regions",
    "class_memory": "Class memory", "state": "Classes and the state of a lane",
    "constants": "Constants", "data": "Data and labels", "elements": "Lifting and routing", "tiles": "Class memory",
    "generators": "Generators", "derived": "Sums, products and convolutions", "coordinates": "Coordinates",
    "arrays": "Map and reduce", "checks": "Checks", "elementwise": "Element by element",
    "lane_control": "Lane programs: control", "lane_memory": "Lane programs: memory", "lanes": "Lane programs",
    "named": "Named array-level forms", "reductions": "Reductions and products", "scalar": "Scalar instructions",
    "tensors": "Making and moving tensors",
}  # fmt: skip
"""Headings of the modules that declare operations."""


def machine() -> str:
    """The page of the machine form's operations and of the numbers of the binary."""
    return page("The machine form", "Registers, control, directives, and the numbers of the binary.", _machine_parts())


def _machine_parts() -> Iterator[str]:
    from hologram.dialects.machine import Machine
    from hologram.dialects.machine.instruction import FORMS
    from hologram.dialects.machine.numbers import numbers

    yield "[Assembly](/isa/assembly) has the grammar, [the binary](/isa/binary) the layout of the container.\n"
    yield "## Operations\n\nBeside these, each instruction below is an operation `machine.NAME`.\n"
    for op in Machine.operations:
        if not hasattr(op, "FORM"):
            yield f"### {op.name}\n\n{markdown(op.__doc__)}"
    yield "## Types\n"
    for attribute in Machine.attributes:
        yield f"### {attribute.name}\n\n{markdown(attribute.__doc__)}"
    table = numbers()
    yield "## Instructions\n\n| number | mnemonic | operands | types |\n|---|---|---|---|\n" + "".join(
        f"| {number} | `{_mnemonic(name)}` | {_operands(name)} | {_types(FORMS.get(name))} |\n"
        for name, number in sorted(table.opcodes.items(), key=lambda row: row[1])
    )
    for title, rows in (("Types", table.types), ("Special registers", table.specials), ("Objects", table.objects)):
        listed = " ".join(f"`{name}` {number}," for name, number in rows.items())
        yield f"### {title} in the binary\n\n{listed.rstrip(',')}.\n"


def _mnemonic(name: str) -> str:
    from hologram.dialects.machine.instruction import FORMS

    form = FORMS.get(name)
    if form is None:
        return name
    shown = form.spelling or name
    for modifier in form.modifiers:
        choices = "/".join(c for c in modifier.choices if c)
        if "" in modifier.choices:
            shown += f"[.{choices}]"
        elif f"{{{modifier.name}}}" in shown:
            shown = shown.replace(f"{{{modifier.name}}}", f"({choices})")
        else:
            shown += f".({choices})"
    return shown


def _operands(name: str) -> str:
    from hologram.dialects.machine.array_instruction import ARRAY_FORMS
    from hologram.dialects.machine.instruction import FORMS
    from hologram.dialects.machine.numbers import CONTROL_SIGNATURES
    from hologram.frontend.assembler.arrays import array_shape

    form = FORMS.get(name)
    if name in ARRAY_FORMS:
        return array_shape(ARRAY_FORMS[name]).partition(" ")[2]
    if form is None:
        return ", ".join(part.partition(":")[0] for part in CONTROL_SIGNATURES[name].split()[1:] if ":" in part)
    return ", ".join(f"{f.name}: {f.value or f.kind}{f' times {f.times}' if f.times else ''}" for f in form.fields)


def _types(form: Any) -> str:
    from hologram.dialects.atlas.instructions.types import ALL, BOOL, DTYPES, FLOATS, INTEGERS, NUMBERS

    groups = {ALL: "all", NUMBERS: "numbers", FLOATS: "floats", INTEGERS: "integers", INTEGERS | BOOL: "integers, bool"}
    types = [] if form is None else list(form.types.values())
    return "; ".join(groups.get(t) or " ".join(n for n in DTYPES if n in t) for t in types)


def passes() -> str:
    """The page of our passes and pipelines."""
    return page("Passes", "Every pass of this project with its options, and the named pipelines.", _pass_parts())


def _pass_parts() -> Iterator[str]:
    from hologram.lowering import get_all_passes as lowering_passes
    from hologram.lowering.pipelines.pipelines import PIPELINES
    from hologram.tools.opt.lists import help_pass
    from hologram.transforms import get_all_passes as transform_passes

    yield "xDSL's own passes run too: `hologram-opt --list-passes` lists all.\n"
    for title, table in (("On one level", transform_passes()), ("From level to level", lowering_passes())):
        yield f"## {title}\n"
        for name, factory in table.items():
            yield f"### {name}\n\n{markdown(factory().__doc__)}"
            options = re.findall(r"^  ([\w-]+): (.+), (required|default .+)$", help_pass(name, False), re.MULTILINE)
            if options:
                yield "| option | type | default |\n|---|---|---|\n" + "".join(
                    f"| `{option}` | `{re.sub(r' ?[|] ?', ' or ', kind)}` | `{default.removeprefix('default ')}` |\n"
                    for option, kind, default in options
                )
    yield "## Pipelines\n"
    for name, stages in PIPELINES.items():
        rows = (f"| `{s.name}` | {f'`{s.passes}`' if s.passes else f'writes `{s.emits}`'} |\n" for s in stages)
        yield f"### {name}\n\n| stage | passes |\n|---|---|\n" + "".join(rows)
    yield _bounds()


def _bounds() -> str:
    """The bounds of the expansions of math functions."""
    from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS, EXPANSIONS

    about = (
        "The largest error of what `expand-math` makes, and `convert-atlas-to-core` of activations, in units in the "
        "last place of the exact result (of subnormal numbers: in distances between them), over all inputs, with and "
        "without fused multiply-adds. 16-bit floats are computed in f32 and rounded once. `make ulp` checks the bounds "
        "of f32 at all inputs. In f32 `atlas.gelu` has an error of at most 2 from -2 up, of 3.5 from -5.43 up, and "
        "less than 2^-25 |x| below, where it may be -0. The largest error of `math.tanh` at all positive inputs of f32 "
        "is 0.757 with and 0.988 without fused multiply-adds (`make ulp ARGS=tanh`).\n"
    )
    rows = sorted((kind.name, row.ulp["f32"], row.ulp["f64"]) for kind, row in EXPANSIONS.items())
    rows += sorted((f"atlas.{name}", row.ulp["f32"], row.ulp["f64"]) for name, row in ACTIVATIONS.items())
    table = "".join(f"| `{name}` | {single:g} | {double:g} |\n" for name, single, double in rows)
    return f"## Bounds of math functions\n\n{about}\n| operation | f32 | f64 |\n|---|---|---|\n{table}"


def marks() -> str:
    """The page of the attributes that passes leave for one another."""
    return page("Marks", "Every attribute by which one pass tells another something.", _mark_parts())


def _mark_parts() -> Iterator[str]:
    yield (
        "An attribute `hologram.*` is a mark: a front end or a pass writes it, and later passes read it. After each\n"
        "stage of a pipeline every mark is checked: it is one of these, of the kind said, where it may stand, and\n"
        "gone after the passes that drop it. A mark that nothing drops goes with what it stands on.\n"
    )
    head = "| mark | on | kind | says | written by | read by | dropped by |\n|---|---|---|---|---|---|---|\n"
    for of_argument, title in ((False, "On operations"), (True, "On arguments")):
        rows = [_mark(m) for _, m in sorted(MARKS.items()) if m.argument == of_argument]
        yield f"## {title}\n\n{head}{''.join(rows)}"


def _mark(mark: Mark) -> str:
    cells = [mark.written, mark.read, ", ".join(mark.dropped)]
    said = escaped(mark.meaning)
    return f"| `{mark.name}` | {_code(mark.on)} | {_code(mark.types)} | {said} | {' | '.join(cells)} |\n"


def _code(names: Iterable[str]) -> str:
    return ", ".join("any operation" if name == "*" else f"`{name}`" for name in names)


def errors() -> str:
    """The page of error codes."""
    return page("Error codes", "Every error code: what it says, and an input that causes it.", _error_parts())


def _error_parts() -> Iterator[str]:
    examples = {p.stem: p for p in (ROOT / "test" / "fail").rglob("*") if p.is_file() and "Inputs" not in p.parts}
    areas: dict[str, list[str]] = {}
    for code, exit_code, message in sorted(set(_raised())):
        example = examples.get(code)
        shown = f"`{example.relative_to(ROOT).as_posix()}`" if example else "none: only a fault of ours causes it"
        area = example.parent.name if example else "faults of the compiler"
        areas.setdefault(area, []).append(f"| `{code}` | {exit_code} | {message} | {shown} |\n")
    yield (
        "The examples are in the repository; each states the command and what it must say. `…` stands for what an\n"
        "error names: a type, a file, an operation. [Errors](/errors) explains the form and the exit codes.\n"
    )
    for area in sorted(areas):
        yield f"## {area}\n\n| code | exit | says | example |\n|---|---|---|---|\n" + "".join(areas[area])


def _raised() -> Iterator[tuple[str, int, str]]:
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path != ROOT / "api" / "errors.py":
                yield from _raised_in(ast.parse(path.read_text(encoding="utf-8")))


def _raised_in(tree: ast.Module) -> Iterator[tuple[str, int, str]]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        if name not in ERRORS:
            continue
        place, exit_code = ERRORS[name]
        given = node.args[place : place + 2] if name != "fault" else [node.args[0], *node.args[2:3]]
        match given:
            case [ast.Constant(value=str() as code), message]:
                said = f"expected {_said(message)}, found '…'" if name == "parse_word" else _said(message)
                yield code, exit_code, escaped(said).replace("|", "&#124;")
            case _:
                pass


def _said(message: ast.expr) -> str:
    """A message as it stands in the source, with `…` in place of each name in it."""
    match message:
        case ast.Constant(value=str() as text):
            return text.replace("\n", " ")
        case ast.JoinedStr(values=values):
            return re.sub(r"(…\s?)+$", "…", "".join(_said(v) if isinstance(v, ast.Constant) else "…" for v in values))
        case ast.BinOp(left=left, right=right):
            return _said(left) + _said(right)
        case _:
            return "…"


def library() -> str:
    """The page of the kernel library."""
    parts = runpy.run_path(str(ROOT / "docs" / "library_page.py"))["parts"]
    return page("The kernel library", "Every kernel: what it computes, its shapes, its types.", parts(escaped))


def functions() -> str:
    """The page of the functions of `hologram.ops`."""
    parts = runpy.run_path(str(ROOT / "docs" / "derived.py"))["page"]
    return page(
        "Functions of tensors", "Every function of hologram.ops: its parameters and what it gives.", parts(escaped)
    )


def pages(fresh: bool = False) -> dict[Path, str]:
    """Every generated page by its file; `fresh` runs the examples of the instructions again."""
    made = {
        "hologram": operations("hologram"),
        "atlas": operations("atlas"),
        "class": operations("class"),
        "torus": operations("torus"),
        "algebra": operations("algebra"),
        "sigil": operations("sigil"),
        "machine": machine(),
        "monster": operations("monster"),
        "passes": passes(),
        "marks": marks(),
        "errors": errors(),
        "library": library(),
        "ops": functions(),
    }
    instructions = runpy.run_path(str(ROOT / "docs" / "isa_pages.py"))["pages"]
    found = {REFERENCE / f"{name}.mdx": text for name, text in made.items()}
    found[REFERENCE / "kernel.schema.json"] = json.dumps(schema(), indent=2) + "\n"
    return found | instructions(page, markdown, fresh)


def sources() -> dict[Path, str]:
    """Every source that follows from declarations, by its file."""
    return runpy.run_path(str(ROOT / "docs" / "derived.py"))["sources"]()


def main() -> None:
    REFERENCE.mkdir(exist_ok=True)
    # The pages read the kernels of the library.
    for made in (sources, partial(pages, fresh=True)):
        for path, text in made().items():
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
