"""The sources that follow from declarations, part of `make docs`: the stub of `hologram.ops` for editors and type
checkers, and the kernels of the library that are one instruction on each element."""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

from hologram import ops
from hologram.dialects.atlas.instructions.declaration import Instruction
from hologram.dialects.atlas.instructions.dtypes import NUMBERS
from hologram.dialects.atlas.instructions.table import INSTRUCTIONS
from hologram.frontend.tensors.trace.support import operations
from hologram.kernels.stdlib.operations import OPERATIONS

ROOT = Path(__file__).resolve().parents[1]
STUB = ROOT / "api" / "ops.pyi"
MADE = "`make docs` makes this file from the declarations."


def sources() -> dict[Path, str]:
    """Every source by its file."""
    rows = [i for i in INSTRUCTIONS.values() if i.kernel]
    return {STUB: stub()} | {ROOT / "kernels" / "stdlib" / f"{i.kernel}.py": kernel(i) for i in rows}


# The functions of hologram.ops


def groups() -> dict[str, dict[str, Callable[..., Any]]]:
    """The functions of each group, by name."""
    modules = {name: module for name in ops.__all__ if isinstance(module := getattr(ops, name), ModuleType)}
    return {name: operations(module) for name, module in modules.items()}


def stub() -> str:
    """The types of `hologram.ops`, for programs that read the source alone."""
    parts = [f'"""{inspect.cleandoc(ops.__doc__ or "")}\n\n{MADE}\n"""\n']
    parts.append("from collections.abc import Callable, Sequence\nfrom typing import Any\n")
    lines = (f"from hologram.frontend.tensors.ops import {name} as {name}\n" for name in sorted(groups()))
    parts.append("".join(lines))
    parts.append("__all__: list[str]\n")
    for name in sorted(set(ops.__all__) - groups().keys()):
        parts.append(_signature(name, getattr(ops, name)))
    return "\n".join(parts)


def _signature(name: str, function: Callable[..., Any]) -> str:
    texts = [textwrap.fill(" ".join(p.split()), 110) for p in inspect.cleandoc(function.__doc__ or "").split("\n\n")]
    doc = textwrap.indent("\n\n".join(texts), "    ").strip() + ("\n    " if len(texts) > 1 else "")
    head = f"def {name}{signature(function)} -> Any:"
    if len(head) > 120:
        inner = signature(function)[1:-1]
        inner = f"    {inner}" if len(inner) <= 116 else textwrap.indent(inner.replace(", ", ",\n") + ",", "    ")
        head = f"def {name}(\n{inner}\n) -> Any:"
    return f'{head}\n    """{doc}"""\n'


def signature(function: Callable[..., Any]) -> str:
    """The parameters of a function."""
    shown: list[str] = []
    for parameter in inspect.signature(function).parameters.values():
        default = "" if parameter.default is parameter.empty else f" = {_literal(parameter.default)}"
        shown.append(f"{_STARS.get(parameter.kind, '')}{parameter.name}: {parameter.annotation}{default}")
    return f"({', '.join(shown)})"


def _literal(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else "1e-5" if value == 1e-5 else repr(value)


_STARS = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}


def page(escaped: Callable[[str], str]) -> Iterator[str]:
    """The sections of the page of tensor functions."""
    yield "[Tensor functions](/tensor-functions) says how they are used. All are names of `hologram.ops` too.\n"
    for group, functions in groups().items():
        rows = (f"| `{n}{plain(f)}` | {_sentence(f, escaped)} |\n" for n, f in functions.items())
        yield f"## ops.{group}\n\n| function | gives |\n|---|---|\n{''.join(rows)}"


def plain(function: Callable[..., Any]) -> str:
    """The parameters without their types."""
    return re.sub(r": (Any|int|float|bool|str)( \| None)?", "", signature(function)).replace("|", "\\|")


def _sentence(function: Callable[..., Any], escaped: Callable[[str], str]) -> str:
    return escaped(" ".join(inspect.cleandoc(function.__doc__ or "").split())).replace("|", "&#124;")


# Kernels of one instruction

_ELEMENTS = "f32 f64 f16 bf16 i32 i64 i16 i8 u32 u64 u16 u8".split()
_NUMBERS = "floats (f32, f64, f16, bf16) and integers of 8 to 64 bits"
_TEXT = '''\
"""The instruction `{instruction}` on each element. `make docs` writes this file from its declaration."""

import hologram
{imports}

T = Element("T", {types})


{decorator}
def {name}({parameters}):
    """{out}[i] = {code}

{meaning}

    Shapes: {shapes} have one length, (n,).
    Types: {elements}.
    Source: {source}.
    """
    i = get_global_id()
    if i < {out}.shape[0]:
        {out}[i] = {call}
'''


def kernel(declared: Instruction) -> str:
    """The source of the kernel that is an instruction on each element."""
    name = declared.kernel.rpartition("/")[2]
    count = len(declared.operands)
    *names, out = ["x", "y"] if count == 1 else "abcdefgh"[: count + 1]
    code = declared.code or f"{declared.word}({', '.join(declared.operands)})"
    kinds = dict(zip([*names, out], [*declared.operands.values(), declared.result], strict=True))
    elements = dict(zip(declared.operands, (f"{n}[i]" for n in names), strict=True))
    code = re.sub(r"\b[a-z]+\b", lambda letter: elements.get(letter[0], letter[0]), code)
    is_alike = name == declared.word
    called = [] if declared.code or is_alike else [declared.word]
    others = {kind for kind in kinds.values() if kind != "T"}
    words = ["Array", "Element", *sorted({"get_global_id", *called, *others})]
    imports = "import hologram.language as hl\n" * is_alike + f"from hologram.language import {', '.join(words)}"
    types = [n for n in _ELEMENTS if n in declared.types] or [declared.shown]
    where = " == ".join(f"{n}.shape[0]" for n in [*names, out])
    decorator = f'@hologram.kernel(lanes="{out}.shape[0]", where="{where}")'
    if len(decorator) > 120:
        decorator = f'@hologram.kernel(\n    lanes="{out}.shape[0]", where="{where}"\n)'
    places = [f"{o.place} `{o.name}`" for o in OPERATIONS if o.kernels[:1] == (name,)]
    return _TEXT.format(
        instruction=declared.name, imports=imports, types=", ".join(f'"{t}"' for t in types), out=out,
        decorator=decorator, name=name,
        parameters=", ".join(f"{n}: Array[{kind}]" for n, kind in kinds.items()), code=code,
        meaning=textwrap.fill(declared.said(names), 116, initial_indent="    ", subsequent_indent="    "),
        shapes="all arrays" if count > 2 else f"{', '.join(names)} and {out}",
        elements=(_NUMBERS if declared.types >= NUMBERS else ", ".join(types))
        + "".join(f"; {n} is {kind}" for n, kind in kinds.items() if kind != "T"),
        source=textwrap.fill("; ".join(places), 104, subsequent_indent="    "),
        call=f"hl.{code}" if is_alike else code,
    )  # fmt: skip


__all__ = ["page", "sources"]
