"""The dialects. One row a dialect in the table below; its module is imported when its first operation is met."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Dialect

_DIALECTS = {
    # name: (module in this package, attribute)
    "algebra": ("algebra", "Algebra"),
    "arith": ("arith", "Arith"),
    "hologram": ("hologram", "Hologram"),
    "atlas": ("atlas.dialect", "Atlas"),
    "class": ("classes", "Classes"),
    "gpu": ("gpu", "Gpu"),
    "index": ("index", "Index"),
    "llvm": ("llvm", "Llvm"),
    "machine": ("machine", "Machine"),
    "memref": ("memref", "MemRef"),
    "nvvm": ("nvvm", "Nvvm"),
    "rocdl": ("rocdl", "Rocdl"),
    "sigil": ("sigil.dialect", "Sigil"),
    "spirv": ("spirv", "Spirv"),
    "torus": ("torus", "Torus"),
    "monster": ("monster", "Monster"),
    "vector": ("vector", "Vector"),
}


def get_all_dialects() -> dict[str, Callable[[], Dialect]]:
    """The dialects of this project by name, ours and those that we compose from xDSL's operations and ours."""

    def factory(module: str, attribute: str) -> Callable[[], Dialect]:
        return lambda: _load(module, attribute)

    return {name: factory(*row) for name, row in sorted(_DIALECTS.items())}


def _load(module: str, attribute: str) -> Dialect:
    try:
        return getattr(import_module(f"{__name__}.{module}"), attribute)
    except Exception as error:
        from hologram.errors import InternalError

        raise InternalError("dialect-broken", f"dialect '{module}' can't be loaded: {error}") from error


def make_context(*, allow_unregistered: bool = False) -> Context:
    """A context that knows our dialects and all of xDSL's; ours stand where both have the name."""
    from xdsl.context import Context
    from xdsl.dialects import get_all_dialects as get_stock_dialects

    ctx = Context(allow_unregistered)
    for name, dialect in (get_stock_dialects() | get_all_dialects()).items():
        ctx.register_dialect(name, dialect)
    return ctx
