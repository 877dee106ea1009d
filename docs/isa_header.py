"""Writes `driver/c/hologram_isa.h`: the numbers of the binary form for programs in C, part of `make docs`.

They come from `dialects/machine/numbers.json`, the declared forms, and the layout of the container.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HEADER = ROOT / "driver" / "c" / "hologram_isa.h"

ABOUT = """\
/* The numbers of the Atlas ISA's binary form, made from the declarations by `make docs`: do not edit.

   docs/isa/binary.mdx describes the container byte by byte. A number never changes its meaning. */

#ifndef HOLOGRAM_ISA_H
#define HOLOGRAM_ISA_H
"""


def text() -> str:
    """The whole header."""
    return "\n".join([ABOUT, *_container(), *_table(), *_signatures(), "#endif", ""])


def _name(*words: str) -> str:
    return "_".join(["ATLAS", *(re.sub(r"\W", "_", word).upper() for word in words)])


def _enum(title: str, name: str, rows: Iterable[tuple[str, int]]) -> Iterator[str]:
    listed = ",\n".join(f"  {_name(name, key)} = {number}" for key, number in rows)
    yield f"/* {title} */\nenum {_name(name).lower()} {{\n{listed}\n}};\n"


def _container() -> Iterator[str]:
    from hologram.dialects.atlas.arrays.base import KIND_NAMES
    from hologram.dialects.machine import container as c
    from hologram.dialects.machine.address import CLASS_BYTES, CLASSES, PAGE_BYTES
    from hologram.dialects.machine.registers import PREDICATES, REGISTERS
    from hologram.lowering.rewriting.traps import RECORD

    magic = "".join(f"\\x{byte:02x}" for byte in c.MAGIC)
    rows = {
        "MAJOR": c.MAJOR, "MINOR": c.MINOR, "MAGIC_BYTES": len(c.MAGIC), "HEAD_BYTES": c.HEAD.size,
        "DIGEST_BYTES": c.DIGEST, "HEADER_BYTES": c.HEADER, "SECTION_BYTES": c.SECTION.size,
        "REGISTERS": REGISTERS, "PREDICATES": PREDICATES, "CLASSES": CLASSES, "CLASS_BYTES": CLASS_BYTES,
        "PAGE_BYTES": PAGE_BYTES, "TRAP_WORDS": RECORD.get_shape()[0],
    }  # fmt: skip
    yield "/* The frame of a container, the machine's sizes, and the 64-bit words of a trap record. */"
    yield f'#define ATLAS_MAGIC "{magic}"'
    for name, section in (("OPCODES", c.OPCODES), ("CODE", c.CODE), ("NAMES", c.NAMES)):
        yield f'#define ATLAS_SECTION_{name} "{section.decode()}"'
    yield "\n".join(f"#define ATLAS_{name} {value}" for name, value in rows.items()) + "\n"
    yield from _enum(
        "What begins an item of the code section.", "item", _numbered(c, "POOL", "PROGRAM", "FUNCTION", "ARRAYS")
    )
    yield from _enum("What begins a parameter.", "parameter", _numbered(c, "ARRAY", "SCALAR"))
    yield from _enum("The flags of a launch.", "launch", _numbered(c, "HAS_BLOCK", "HAS_GRID", "HAS_SHARED"))
    yield from _enum("What a branch is under.", "guard", _numbered(c, "UNGUARDED", "GUARDED", "NEGATED"))
    yield from _enum("The memory of a declared array.", "array", ((s, n) for n, s in enumerate(c.SPACES)))
    yield from _enum(
        "What an array-level instruction works on.", "operand", ((s, n) for n, s in enumerate(c.ARRAY_OPERANDS))
    )
    words = ("loop", "number", "add", "mul", "floordiv", "ceildiv", "mod")
    yield from _enum("What an index expression is.", "index", zip(words, range(len(c.INDICES)), strict=True))
    yield from _enum("How a reduction combines.", "kind", ((s, n) for n, s in enumerate(KIND_NAMES)))
    yield from _enum("The memory of a pointer.", "space", ((s, n) for n, s in enumerate(c.POINTER_SPACES)))


def _numbered(module: object, *names: str) -> list[tuple[str, int]]:
    return [(name, getattr(module, name)) for name in names]


def _table() -> Iterator[str]:
    from hologram.dialects.machine.container import POINTER
    from hologram.dialects.machine.instruction import FORMS
    from hologram.dialects.machine.numbers import numbers

    table = numbers()
    yield from _enum("Instructions.", "op", sorted(table.opcodes.items(), key=lambda row: row[1]))
    types = [*table.types.items(), ("pointer", POINTER)]
    yield from _enum("Types; a pointer is followed by what it points to.", "type", types)
    yield from _enum("Special registers.", "special", table.specials.items())
    yield from _enum("What an address begins with.", "object", table.objects.items())
    for form in FORMS.values():
        for modifier in form.modifiers:
            rows = ((choice or "none", number) for number, choice in enumerate(modifier.choices))
            yield from _enum(f"The {modifier.name} of {form.name}.", f"{form.name}_{modifier.name}", rows)


def _signatures() -> Iterator[str]:
    from hologram.dialects.machine.numbers import numbers

    table = numbers()
    rows = sorted(table.opcodes.items(), key=lambda row: row[1])
    lines = "".join(f'  X({number}, "{name}", "{table.signatures[name]}") \\\n' for name, number in rows)
    yield (
        "/* X(number, name, signature) for each instruction: the signature is what section OPCS holds beside them. */\n"
        f"#define ATLAS_INSTRUCTIONS(X) \\\n{lines}  /* end */\n"
    )


def main() -> None:
    HEADER.write_text(text(), encoding="utf-8")


if __name__ == "__main__":
    main()
