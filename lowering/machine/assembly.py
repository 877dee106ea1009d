"""Prints the machine form as assembly: `-t atlas-asm`. The text is canonical: reading it back changes nothing.

An array-level instruction has its destinations first, then what it reads, then settings by name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Any, cast

from xdsl.utils.target import Target

from hologram.dialects.atlas.arrays.form import ArrayForm, Setting
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.constants import constant_text, quoted
from hologram.dialects.machine.index_maps import map_text
from hologram.dialects.machine.instruction import FORMS
from hologram.dialects.machine.listing import (
    Address,
    Array,
    ArrayLine,
    Arrays,
    Code,
    Jump,
    Line,
    Listing,
    Operand,
    Pool,
    Scalar,
    Temporary,
    Value,
)
from hologram.dialects.machine.spelling import spell
from hologram.dialects.machine.to_listing import listing_of

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.dialects.atlas.instructions.form import Field


def arrays_lines(program: Arrays, header: str, line_text: Callable[[Line], str]) -> Iterator[str]:
    """The lines of an array-level program; `header` has its parameters."""
    yield f".arrays {program.name}({header}) {{"
    for number, temporary in enumerate(program.temporaries):
        yield f"  .temp temp{number}: {temporary_text(temporary)}"
    for line in program.lines:
        yield f"  {array_line_text(line) if isinstance(line, ArrayLine) else line_text(line)}"
    yield "}"


def temporary_text(temporary: Temporary) -> str:
    """`f32[buf0.1, 4]`."""
    return f"{temporary.dtype}[{', '.join(map(str, temporary.sizes))}]"


def array_line_text(line: ArrayLine) -> str:
    """An instruction's text."""
    form = ARRAY_FORMS[line.name]
    mnemonic = ".".join([line.name, *([line.choice] if line.choice else []), *line.types])
    return f"{mnemonic} {', '.join(_operands(form, line))}"


def _operands(form: ArrayForm, line: ArrayLine) -> Iterator[str]:
    outs, ins, *others = line.groups
    yield outs[0] if len(outs) == 1 else f"({', '.join(outs)})"
    yield from ins
    for name, operands in zip(form.extra_groups, others, strict=True):
        if operands:
            yield f"{name}({', '.join(operands)})"
    for setting, value in zip(form.settings, line.settings, strict=True):
        if value is not None:
            yield setting_text(setting, value)


def setting_text(setting: Setting, value: Value) -> str:
    """`axis(1)`, `maps((d0) -> (d0), (d0) -> (d0))`, `trans_a`."""
    if setting.is_switch:
        return setting.printed
    return f"{setting.printed}({', '.join(_parts(setting.kind, value))})"


def _parts(kind: str, value: Any) -> list[str]:
    match kind:
        case "float":
            return [constant_text(value, DTYPES["f64"])]
        case "maps":
            return [map_text(m) for m in value]
        case "integer" | "function":
            return [str(value)]
        case _:
            return [str(v) for v in value]


@dataclass(frozen=True)
class AtlasAsmTarget(Target):
    """Prints a module of the machine form as assembly."""

    name = "atlas-asm"

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        output.write(print_assembly(listing_of(module)))


def print_assembly(listing: Listing) -> str:
    """The canonical text of a listing."""
    pools = iter(range(len(listing)))
    parts = [
        f".pool pool{next(pools)}: {_array(item.array)}\n" if isinstance(item, Pool) else _code(item)
        for item in listing
    ]
    return "\n".join(parts)


def _array(array: Array) -> str:
    return f"{array.dtype}[{', '.join('?' if n < 0 else str(n) for n in array.sizes)}]"


def _register(dtype: str, number: int) -> str:
    return f"{'p' if dtype == 'bool' else 'r'}{number}"


def _scalar(value: Scalar) -> str:
    return f"{_register(value.dtype, value.register)}: {value.dtype}"


def _code(code: Code | Arrays) -> str:
    lines = arrays_lines(code, _header(code), line_text) if isinstance(code, Arrays) else _code_lines(code)
    return "".join(f"{line}\n" for line in lines)


def _header(code: Code | Arrays) -> str:
    """The parameters."""
    buffers = iter(range(len(code.parameters)))
    parts = [f"buf{next(buffers)}: {_array(p)}" if isinstance(p, Array) else _scalar(p) for p in code.parameters]
    return ", ".join(parts)


def _code_lines(code: Code) -> Iterator[str]:
    outs = f" -> ({', '.join(map(_scalar, code.outs))})" if code.outs else ""
    yield f".{'func' if code.is_function else 'program'} {code.name}({_header(code)}){outs} {{"
    if launch := _launch(code):
        yield f"  .launch {launch}"
    counts = {"shared": 0, "local": 0}
    for space, array in code.arrays:
        yield f"  .{space} {space}{counts[space]}: {_array(array)}"
        counts[space] += 1
    names = label_names(code)
    starts: dict[int, list[str]] = {}
    for (line, _), name in zip(code.labels, names, strict=True):
        starts.setdefault(line, []).append(name)
    for number, line in enumerate(code.lines):
        yield from (f"{name}:" for name in starts.get(number, ()))
        yield f"  {_jump(line, names) if isinstance(line, Jump) else line_text(line)}"
    yield "}"


def _launch(code: Code) -> str:
    sizes = [f"{word}({', '.join(map(str, s))})" for word, s in (("block", code.block), ("grid", code.grid)) if s]
    return " ".join([*sizes, *([f"shared({code.shared})"] if code.shared is not None else [])])


def label_names(code: Code) -> list[str]:
    """The labels' names; what has none gets the first `L0`, `L1`, ... that is free."""
    taken = {name for _, name in code.labels}
    fresh = (name for number in range(len(code.labels) + len(taken) + 1) if (name := f"L{number}") not in taken)
    return [name or next(fresh) for _, name in code.labels]


def _jump(jump: Jump, names: list[str]) -> str:
    match jump.name:
        case "bra":
            guard = f"@{'!' if jump.negated else ''}p{jump.register} " if jump.register >= 0 else ""
            return f"{guard}bra {names[cast('int', jump.target)]}"
        case "loop":
            suffix = "" if jump.type == "u32" else f".{jump.type}"
            return f"loop{suffix} r{jump.register}, {names[cast('int', jump.target)]}"
        case "call":
            return f"call {jump.target}"
        case _:
            return jump.name


def line_text(line: Line) -> str:
    """An instruction's text."""
    form = FORMS[line.name]
    types = dict(zip(form.types, line.types, strict=True))
    mnemonic = spell(form, line.modifiers, line.types)
    operands = [_operand(f, o, types) for f, o in zip(form.fields, line.operands, strict=True)]
    return f"{mnemonic} {', '.join(operands)}".rstrip()


def _operand(field: Field, operand: Operand, types: dict[str, str]) -> str:
    match field.kind:
        case "register":
            return _register(field.type_under(types), cast("int", operand))
        case "address":
            return address_text(cast("Address", operand))
        case "constant":
            return constant_text(cast("int", operand), DTYPES[types["type"]])
        case "special":
            return f"%{operand}"
        case "text":
            return quoted(cast("str", operand))
        case _:
            return str(operand)


def address_text(address: Address) -> str:
    """The text of an address: `[buf0 + r1 + 64]`."""
    names = [f"r{r}" for r in address.registers]
    base = names[0] if address.base == "reg" else address.base
    if address.base == "phi":
        base = f"Φ({', '.join(names)})"
    index = "" if address.index is None else f" + r{address.index}"
    offset = f" {'-' if address.offset < 0 else '+'} {abs(address.offset)}" if address.offset else ""
    return f"[{base}{index}{offset}]"
