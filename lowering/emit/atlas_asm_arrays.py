"""The assembly of array-level programs: destinations first, then what is read, then settings by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from hologram.dialects.atlas.array_form import ArrayForm, Setting
from hologram.dialects.atlas.types import DTYPES
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.constants import constant_text
from hologram.dialects.machine.index_maps import map_text
from hologram.dialects.machine.listing import ArrayLine, Arrays, Line, Temporary, Value


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


__all__ = ["array_line_text", "arrays_lines", "setting_text", "temporary_text"]
