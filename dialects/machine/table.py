"""Every machine instruction by name, made from the forms that the atlas dialect declares."""

from __future__ import annotations

import inspect

from hologram.dialects.atlas.dialect import Atlas
from hologram.dialects.atlas.form import Form, form_of
from hologram.dialects.machine.instruction import InstructionOp, make_instruction


def _make() -> dict[str, type[InstructionOp]]:
    found: dict[str, type[InstructionOp]] = {}
    for op in Atlas.operations:
        form = form_of(op)
        if form is not None:
            doc = inspect.getdoc(op) or ""
            found[form.name] = make_instruction(form, doc.partition("\n\nExample")[0])
    return found


INSTRUCTIONS: dict[str, type[InstructionOp]] = _make()
"""The operation class of each instruction, in the order of the atlas dialect."""

FORMS: dict[str, Form] = {name: op.FORM for name, op in INSTRUCTIONS.items()}
"""The form of each instruction."""

REGION_INSTRUCTIONS = frozenset(
    {
        form.name
        for op in Atlas.operations
        if (form := form_of(op)) and op.__module__.endswith((".scalar", ".conversions"))
    }
    | {"mov"}
)
"""The instructions that a function may have which stands for the region of an array-level one: scalar ones."""

__all__ = ["FORMS", "INSTRUCTIONS", "REGION_INSTRUCTIONS"]
