"""The numbers of the binary form: instructions, types, special registers, objects. `numbers.json` is their only table.

A number that was given is never changed and never given again, so that a binary means the same for ever. The table is
written by `docs/number_opcodes.py` (part of `make docs`), which appends rows for new instructions. A row's signature
repeats everything that the encoding of its operands depends on: one that changes gets a new number, and its old one is
retired.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

CONTROL_SIGNATURES = {
    "bra": "bra guard:guard target:label",
    "loop": "loop <type> counter:register target:label",
    "call": "call callee:function",
    "ret": "ret",
    "exit": "exit",
}
"""What the instructions of `listing.CONTROL` are followed by."""


@dataclass(frozen=True)
class Numbers:
    """The table, both ways."""

    opcodes: dict[str, int]
    signatures: dict[str, str]
    types: dict[str, int]
    specials: dict[str, int]
    objects: dict[str, int]

    @property
    def names(self) -> dict[int, str]:
        """Instructions by number."""
        return {number: name for name, number in self.opcodes.items()}


@cache
def numbers() -> Numbers:
    """The table of this version."""
    file = resources.files("hologram.dialects.machine").joinpath("numbers.json")
    data: dict[str, Any] = json.loads(file.read_text("utf-8"))
    rows: dict[str, Any] = data["instructions"]
    return Numbers(
        {name: row["number"] for name, row in rows.items()},
        {name: row["signature"] for name, row in rows.items()},
        data["types"],
        data["specials"],
        data["objects"],
    )


def declared() -> dict[str, str]:
    """The signature of every instruction, as it is declared now."""
    from hologram.dialects.machine.array_instruction import ARRAY_FORMS
    from hologram.dialects.machine.instruction import FORMS

    forms = {**FORMS, **ARRAY_FORMS}
    return CONTROL_SIGNATURES | {name: form.signature for name, form in forms.items()}
