"""Circuits as an input form: the file extension `.circuit`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hologram.errors import register_source
from hologram.errors.limits import check_text
from hologram.frontend.circuits.parser import parse_tree as parse_tree
from hologram.support.collector import without_collection

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


def parse_circuit(text: str, name: str, ctx: Context | None = None, type: str | None = None) -> ModuleOp:
    """Reads a circuit, which errors call `name`, into a module with one `sigil.circuit @main`; `type` is its tiles'.

    Raises CircuitError with the place for what is no circuit.
    """
    from hologram.dialects.sigil.build import module_of

    register_source(name, text)
    check_text(text, name)
    with without_collection():
        return module_of(parse_tree(text, name), text, name, type)
