"""The dialects. One row a dialect in the table below; its module is imported when its first operation is met."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from importlib import import_module
from typing import TYPE_CHECKING

from hologram.plugins.tables import KINDS

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Dialect, Operation

_DIALECTS = {
    # name: (module in this package, attribute)
    "affine": ("affine", "Affine"),
    "algebra": ("algebra", "Algebra"),
    "arith": ("arith", "Arith"),
    "hologram": ("hologram", "Hologram"),
    "atlas": ("atlas.dialect", "Atlas"),
    "class": ("classes", "Classes"),
    "gpu": ("gpu", "Gpu"),
    "index": ("index", "Index"),
    "linalg": ("linalg", "Linalg"),
    "llvm": ("llvm", "Llvm"),
    "machine": ("machine", "Machine"),
    "memref": ("memref", "MemRef"),
    "nvvm": ("nvvm", "Nvvm"),
    "rocdl": ("rocdl", "Rocdl"),
    "scf": ("scf", "Scf"),
    "sigil": ("sigil.dialect", "Sigil"),
    "spirv": ("spirv", "Spirv"),
    "tensor": ("tensor", "Tensor"),
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
        dialect = getattr(import_module(f"{__name__}.{module}"), attribute)
    except Exception as error:
        from hologram.errors import InternalError

        raise InternalError("dialect-broken", f"dialect '{module}' can't be loaded: {error}") from error
    extend(dialect)
    return dialect


def extend(dialect: Dialect) -> None:
    """Gives a dialect the operations that plug-ins have for it."""
    rows = {n: row for n, row in KINDS["operation"].rows.items() if n.partition(".")[0] == dialect.name}
    there = {op.name: op for op in dialect.operations} if rows else {}
    for name, row in rows.items():
        if there.get(name, row.thing) is not row.thing:
            KINDS["operation"].refuse(row, "Hologram's own")
        add_operations(dialect, [row.thing])


def add_operations(dialect: Dialect, operations: Iterable[type[Operation]]) -> None:
    """Gives a dialect operations."""
    there = dialect._operations  # pyright: ignore[reportPrivateUsage]
    by_name = {op.name: op for op in (*there, *operations)}
    there[:] = by_name.values()


def outside_dialects() -> dict[str, Callable[[], Dialect]]:
    """The dialects of the plug-ins that are loaded."""

    def factory(name: str) -> Callable[[], Dialect]:
        return lambda: KINDS["dialect"].rows[name].thing

    return {name: factory(name) for name in KINDS["dialect"].rows}


def names_of_ours() -> set[str]:
    """The names of our dialects and of xDSL's."""
    from xdsl.dialects import get_all_dialects as get_stock_dialects

    return {*_DIALECTS, *get_stock_dialects()}


def operations_of_ours() -> set[str]:
    """The names of the operations of those of our dialects that are imported."""
    loaded = (sys.modules.get(f"{__name__}.{module}") for module, _ in _DIALECTS.values())
    dialects = [getattr(m, attribute, None) for m, (_, attribute) in zip(loaded, _DIALECTS.values(), strict=True)]
    return {op.name for dialect in dialects if dialect is not None for op in dialect.operations}


def make_context(*, allow_unregistered: bool = False) -> Context:
    """A context that knows our dialects and all of xDSL's, of which ours stand where both have the name, and those of
    plug-ins."""
    from xdsl.dialects import get_all_dialects as get_stock_dialects

    from hologram.dialects.context import LateContext

    ctx = LateContext(allow_unregistered)
    for name, dialect in (get_stock_dialects() | get_all_dialects() | outside_dialects()).items():
        ctx.register_dialect(name, dialect)
    return ctx
