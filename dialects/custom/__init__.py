"""Custom syntax of upstream's operations for which xDSL's classes have none, or read a part of what upstream writes.

The classes stay xDSL's: the parser reads by these tables, the printer writes by them. A table has a row for each
operation: an assembly format, or functions of our own. Without a function to print, what xDSL prints stays.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module

from hologram.dialects.custom.rows import Form
from hologram.dialects.custom.syntax import Syntax

_DIALECTS = ("affine", "arith", "cf", "gpu", "linalg", "memref", "scf")
"""The dialects that have a table, in the module of their name."""


@cache
def custom_syntax(name: str) -> Syntax | Form | None:
    """The syntax of an operation; None where its class has all of it."""
    dialect = name.partition(".")[0]
    if dialect not in _DIALECTS:
        return None
    syntax: Syntax | Form | None = import_module(f"{__name__}.{dialect}").SYNTAX.get(name)
    return syntax
