"""Operation classes that differ in name, meaning and traits alone, made from one definition.

`irdl_op_definition` reads a class field by field and makes its accessors: for the rows of a table that have the same
fields it is done once.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

from xdsl.ir import Attribute, Operation
from xdsl.irdl import OpDef, irdl_op_definition, traits_def
from xdsl.traits import OpTrait

DefinitionT = TypeVar("DefinitionT", bound=Operation | Attribute)

_FAMILIES: dict[tuple[type[Any], tuple[str, ...]], type[Any]] = {}


def member(
    base: type[Any],
    class_name: str,
    fields: Mapping[str, Any],
    traits: Sequence[OpTrait],
    definitions: Mapping[str, Any] | None = None,
) -> type[Any]:
    """A class under `base`, with the class attributes `fields` (`name` among them) and these traits beside the base's.

    `definitions` are operands, results and so on that the base lacks, in their order; equal names must mean equal
    definitions for one base.
    """
    definitions = definitions or {}
    key = base, tuple(definitions)
    if key not in _FAMILIES:
        own: dict[str, Any] = {"name": "family", "__module__": base.__module__, "traits": traits_def()}
        op_class: type[Any] = type(base.__name__, (base,), {**own, **definitions})
        _FAMILIES[key] = irdl_op_definition(op_class)
    family = _FAMILIES[key]
    shared: OpDef = family.get_irdl_definition()
    definition = replace(shared, name=fields["name"], traits=traits_def(*traits, *shared.traits))

    def get_irdl_definition(cls: type[Any]) -> OpDef:
        return definition

    # xDSL looks accessors up in the class itself.
    accessors = {key: value for key, value in vars(family).items() if not key.startswith("__")}
    own = {"traits": definition.traits, "get_irdl_definition": classmethod(get_irdl_definition)}
    return type(class_name, (family,), {**accessors, **fields, **own})


def operation_of(
    base: type[Any],
    name: str,
    meaning: str,
    *traits: OpTrait,
    module: str,
    definitions: Mapping[str, Any] | None = None,
) -> type[Any]:
    """Make the operation `name` of a module under a base class, with what it means as its docstring."""
    camel = "".join(part.capitalize() for part in name.split(".")[1:])
    return member(base, f"{camel}Op", {"__doc__": meaning, "__module__": module, "name": name}, traits, definitions)


def described(name: str, meaning: str, example: str, module: str, **constants: Any) -> dict[str, Any]:
    """Fields for `member`: a name, a docstring of a meaning and an example of one line, and class constants."""
    return {
        "name": name,
        "__doc__": f"{meaning}\n\nExample::\n\n    {example}\n",
        "__module__": module,
        "__annotations__": dict.fromkeys(constants, ClassVar[Any]),
        **constants,
    }


def defined(names: Mapping[str, Any], base: type[DefinitionT]) -> list[type[DefinitionT]]:
    """The operations or attributes that a module defines under `base`, in its order; `names` are its `vars()`."""
    return [
        value
        for value in names.values()
        if isinstance(value, type)
        # Not by `issubclass`, which asks every subclass of an abstract class in turn.
        and base in value.__mro__
        and value.__module__ == names["__name__"]
        and isinstance(getattr(value, "name", None), str)
    ]


def over_stock(ours: Sequence[type[DefinitionT]], stock: Iterable[type[DefinitionT]]) -> list[type[DefinitionT]]:
    """Return xDSL's definitions that none of ours replaces, then ours."""
    replaced = {definition.name for definition in ours}
    return [*(definition for definition in stock if definition.name not in replaced), *ours]
