"""Properties of operations, out of plain Python values and out of parsed attributes."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerAttr, IntegerType, UnitAttr, i64
from xdsl.ir import Attribute
from xdsl.irdl import IRDLOperation


def given(**properties: Attribute | bool | None) -> dict[str, Attribute]:
    """Return the properties that are given: None and False are left out, and True is a unit attribute."""
    return {name: UnitAttr() if v is True else v for name, v in properties.items() if v is not None and v is not False}


def alignment_of(bytes: int | None) -> IntegerAttr[IntegerType] | None:
    """Return the attribute of an alignment, None of none."""
    return None if bytes is None else IntegerAttr(bytes, i64)


def array(values: Sequence[DictionaryAttr] | None) -> ArrayAttr[DictionaryAttr] | None:
    """Return the attribute of several dictionaries, None of none."""
    return None if values is None else ArrayAttr(values)


def take_properties(cls: type[IRDLOperation], attributes: dict[str, Attribute]) -> dict[str, Attribute]:
    """Remove those of an operation's attributes that are its properties, and return them."""
    known = cls.get_irdl_definition().properties
    return {name: attributes.pop(name) for name in list(attributes) if name in known}
