"""How a kernel gets in: the input forms of the tools, each read into a module."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    Frontend = Callable[[str, str, Context], ModuleOp]
    """Reads a text, which errors call by the given name, into a module."""


def get_all_frontends() -> dict[str, Callable[[], Frontend]]:
    """File extension (without its dot) to a factory of what reads such files."""

    def mlir() -> Frontend:
        from hologram.frontend.mlir import parse_module

        return parse_module

    return {"mlir": mlir}
