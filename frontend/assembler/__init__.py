"""The assembler: text of the machine form (`.atlas`) to a listing and to IR."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hologram.dialects.machine.from_listing import module_of
from hologram.errors import register_source
from hologram.errors.limits import check_text
from hologram.frontend.assembler.parser import parse_listing as parse_listing

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


def parse_assembly(text: str, name: str, ctx: Context | None = None) -> ModuleOp:
    """Reads assembly, which errors call `name`, into a module of the machine form; its verifier checks the rest.

    Raises InputError with the place for what is no assembly.
    """
    register_source(name, text)
    check_text(text, name)
    return module_of(parse_listing(text, name))
