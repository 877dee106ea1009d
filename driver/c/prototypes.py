"""A C header with the prototypes of a program's entries, for those who call them directly by the launch ABI."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from hologram.runtime.entry import Entry
from hologram.support.hidden import CLASSES, HIDDEN

_BITS = (8, 16, 32, 64)
_TYPES = {
    "f16": "uint16_t",
    "bf16": "uint16_t",
    "f8E4M3FN": "uint8_t",
    "f8E5M2": "uint8_t",
    "f32": "float",
    "f64": "double",
    "bool": "uint8_t",
    "index": "int64_t",
    **{f"i{bits}": f"int{bits}_t" for bits in _BITS},
    **{f"u{bits}": f"uint{bits}_t" for bits in _BITS},
}
_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long register "
    "restrict return short signed sizeof static struct switch typedef union unsigned void volatile while bool true "
    "false class new delete this template typename namespace operator private public protected virtual".split()
)
"""Of C and C++."""
_TAKEN = frozenset({*_KEYWORDS, *HIDDEN})
"""What no parameter of an array or a scalar may be called."""
_PREFACE = """\
/* The entries of {name}, by the launch ABI: pointers first, then the sizes of each array that its type leaves
   open (and its strides, in elements), then scalars, then the trap record, class memory and the sums of R where they
   are used. Nothing is checked here; hologram_run of hologram.h checks. */

#ifndef {guard}
#define {guard}

#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#define HOLOGRAM_RESTRICT
#else
#define HOLOGRAM_RESTRICT restrict
#endif
"""
_END = """
#undef HOLOGRAM_RESTRICT
#ifdef __cplusplus
}
#endif
#endif
"""


def program_header(entries: Sequence[Entry], name: str) -> str:
    """The header of the program called `name` in it. Halves are passed as their bits; wide integers as limbs."""
    guard = f"HOLOGRAM_{re.sub(r'[^A-Z0-9]', '_', name.upper())}_H"
    parts = [_PREFACE.format(name=name, guard=guard)]
    parts += [_prototype(entry) for entry in entries]
    return "\n".join(parts) + _END


def _prototype(entry: Entry) -> str:
    lines = [f"/* {_comment(entry.signature)}"]
    lines += [f"   {_comment(constraint)} must hold." for constraint in entry.constraints]
    if entry.trap:
        lines.append("   trap: eight words, cleared before the call. The first is 0, or 1 more than the number of what")
        lines.append("   stopped the lane whose number is in the second:")
        lines += [f"   {i}: {_comment(site)}" for i, site in enumerate(entry.sites)]
    if entry.classes is not None:
        lines.append("   classes: class memory, 1,179,648 bytes at a multiple of 16, apart from the arrays.")
    if entry.resonance is not None:
        lines.append("   resonance: 192 words, cleared before the call: the low and the high word of each class's sum.")
    lines[-1] += " */"
    parameters = ", ".join(_parameters(entry)) or "void"
    if entry.symbol in _KEYWORDS or not re.fullmatch(r"[A-Za-z_]\w*", entry.symbol, re.ASCII):
        return "\n".join([*lines, f"/* C has no name for the symbol '{_comment(entry.symbol)}'. */", ""])
    return "\n".join([*lines, f"void {entry.symbol}({parameters});", ""])


def _parameters(entry: Entry) -> Iterator[str]:
    for kind, number, axis in entry.parameters:
        if kind in HIDDEN:
            const = "const " if entry.shared.get(kind) == "read" else ""
            yield f"{const}{'void' if kind == CLASSES else 'int64_t'} *{kind}"
            continue
        argument = entry.arguments[number]
        name = _identifier(argument.name, number)
        if kind == "pointer":
            const = "" if argument.written else "const "
            yield f"{const}{_TYPES.get(argument.dtype, 'uint64_t')} *HOLOGRAM_RESTRICT {name}"
        elif kind == "scalar":
            yield f"{_TYPES.get(argument.dtype, 'const uint64_t *')} {name}".replace("* ", "*")
        else:
            yield f"int64_t {name}_{kind}_{axis}"


def _identifier(name: str, number: int) -> str:
    """A name of C's for an argument's."""
    plain = re.sub(r"\W", "_", name, flags=re.ASCII)
    plain = plain if plain and not plain[0].isdigit() else f"arg{number}_{plain}"
    return f"{plain}_" if plain in _TAKEN else plain


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("\n", " ")
