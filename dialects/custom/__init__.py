"""Custom syntax of upstream's operations for which xDSL's classes have none, or read a part of what upstream writes.

The classes stay xDSL's: the parser reads by these tables, the printer writes by them. A table has a row for each
operation: an assembly format, or functions of our own. Without a function to print, what xDSL prints stays.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from hologram.dialects.custom.rows import Form
from hologram.dialects.custom.syntax import Syntax

_OWN = ("affine", "arith", "cf", "linalg", "memref", "scf")
_MODULES = {name: f"{__name__}.{name}" for name in _OWN} | {
    name: f"hologram.dialects.{name}.syntax" for name in ("gpu", "spirv")
}
"""The modules with the tables of dialects."""


@cache
def custom_syntax(name: str) -> Syntax | Form | None:
    """The syntax of an operation; None where its class has all of it."""
    module = _MODULES.get(name.partition(".")[0])
    if module is None:
        return None
    syntax: Syntax | Form | None = import_module(module).SYNTAX.get(name)
    return syntax
