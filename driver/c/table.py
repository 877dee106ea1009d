"""The tables of a program, as LLVM IR: the structs of `hologram.h`, filled from the entry records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

from hologram.errors import InputError
from hologram.runtime import dtypes
from hologram.runtime.entry import Argument, Entry
from hologram.runtime.expressions import Code, Expression
from hologram.runtime.launch.launch_table import Axis, Layout, Unfit
from hologram.runtime.native import STEPS
from hologram.support.hidden import CLASSES, RESONANCE, TRAP

ABI = 2
_FIRST = [name for name in dtypes.NAMES if name not in dtypes.FLOATS_OF_BYTES]
DTYPES = {name: n for n, name in enumerate((*_FIRST, *dtypes.LIMBS, *dtypes.FLOATS_OF_BYTES), 1)}
"""The numbers of `enum hologram_dtype`."""
_NO_EXPRESSION = "{ptr, i64, ptr} {ptr null, i64 0, ptr null}"


def program_table(entries: Sequence[Entry]) -> str:
    """LLVM IR text that defines `hologram_table`; the packed forms it names are declared."""
    writer = _Writer()
    rows = [writer.entry(entry) for entry in entries]
    table = writer.array("[entry]", rows)
    declared = [f"declare void @{_quoted(entry.packed or '')}(ptr)" for entry in entries]
    final = f"@hologram_table = constant {{i64, i64, ptr}} {{i64 {ABI}, i64 {len(rows)}, ptr {table}}}"
    return "\n".join([*declared, *writer.lines, final, ""])


class _Writer:
    """Writes constants, each text once."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._texts: dict[str, str] = {}

    def text(self, text: str) -> str:
        """A string that ends in a zero byte."""
        if text not in self._texts:
            self._texts[text] = f"@hologram_text_{len(self._texts)}"
            data = text.encode() + b"\0"
            self.lines.append(f"{self._texts[text]} = private unnamed_addr constant {string_constant(data)}")
        return self._texts[text]

    def array(self, what: str, rows: Sequence[str]) -> str:
        """An array of structs; null if there are none."""
        if not rows:
            return "null"
        name = f"@hologram_table_{len(self.lines)}"
        type = rows[0].partition("} {")[0] + "}" if rows[0].startswith("{") else "ptr"
        self.lines.append(f"{name} = private unnamed_addr constant [{len(rows)} x {type}] [{', '.join(rows)}] ; {what}")
        return name

    def entry(self, entry: Entry) -> str:
        layout = Layout(entry)
        results = entry.result_shapes
        arguments = [self._argument(a, layout, i, results.get(i)) for i, a in enumerate(entry.arguments)]
        early = [c for c in entry.checks if not _about_results(c, entry)]
        late = [c for c in entry.checks if _about_results(c, entry)]
        constraints = [self._expression(c.text, c.parts[0], "require", 0, layout) for c in (*early, *late)]
        sites = [f"ptr {self.text(site)}" for site in entry.sites]
        return _struct(
            *map(self.text, (entry.name, entry.signature)),
            f"@{_quoted(entry.packed or '')}",
            len(arguments),
            self.array("arguments", arguments),
            layout.count,
            len(constraints),
            len(early),
            self.array("constraints", constraints),
            layout.hidden[TRAP],
            len(sites),
            self.array("sites", sites),
            layout.hidden[CLASSES],
            int(entry.classes not in (None, "read")),
            layout.hidden[RESONANCE],
        )

    def _argument(self, argument: Argument, layout: Layout, number: int, result: Expression | None) -> str:
        element = dtypes.dtype(argument.dtype)
        parts: Sequence[Code | None] = result.parts if result is not None else [None] * len(argument.shape)
        if len(parts) != len(argument.shape):
            _refuse(layout.entry, f"the result '{argument.name}' has a shape of another rank")
        text = "" if result is None else result.text
        strided = argument.strides is not None
        axes = [self._axis(a, strided, text, code, layout) for a, code in zip(layout.axes[number], parts, strict=True)]
        return _struct(
            self.text(argument.name),
            int(argument.is_buffer),
            DTYPES[argument.dtype],
            len(argument.shape),
            element.numpy.itemsize,
            element.alignment,
            int(argument.written),
            layout.words[number],
            int(strided),
            int(result is not None),
            self.array("axes", axes),
        )

    def _axis(self, axis: Axis, strided: bool, text: str, code: Code | None, layout: Layout) -> str:
        fields = (axis.size, axis.word, axis.stride, int(strided and not axis.fixed), axis.stride_word)
        expression = _NO_EXPRESSION if code is None else self._expression(text, code, "keep", layout.spare, layout)
        return _struct(*fields, expression)

    def _expression(self, text: str, code: Code, end: str, operand: int, layout: Layout) -> str:
        try:
            steps = [*layout.translate(code), (end, operand)]
        except Unfit:
            _refuse(layout.entry, f"'{text}' needs more than it computes")
        rows = [_struct(STEPS.index(name), operand) for name, operand in steps]
        return _struct(self.text(text), len(rows), self.array("steps", rows))


def _about_results(constraint: Expression, entry: Entry) -> bool:
    results = {a.name for a in entry.arguments if a.result is not None}
    return not results.isdisjoint(constraint.names)


def _struct(*fields: int | str) -> str:
    """A constant struct of 64-bit words: integers, addresses (`@name`, `null`) and structs."""

    def field(value: int | str) -> tuple[str, str]:
        if isinstance(value, int):
            return "i64", f"i64 {value}"
        if value.startswith("{"):
            return value.partition("} {")[0] + "}", value
        return "ptr", f"ptr {value}"

    pairs = [field(value) for value in fields]
    return f"{{{', '.join(t for t, _ in pairs)}}} {{{', '.join(v for _, v in pairs)}}}"


def string_constant(data: bytes) -> str:
    """Bytes as an LLVM IR constant with its type."""
    escaped = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in data)
    return f'[{len(data)} x i8] c"{escaped}"'


def _quoted(name: str) -> str:
    escaped = "".join(chr(b) if 32 <= b < 127 and b not in b'"\\' else f"\\{b:02X}" for b in name.encode())
    return f'"{escaped}"'


def _refuse(entry: Entry, reason: str) -> NoReturn:
    raise InputError("c-table", f"'{entry.name}' can't be called by the C library: {reason}")
