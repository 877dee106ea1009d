"""A compilation chooses the constants of a kernel document, and which types its element types are."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from itertools import product
from typing import Any, cast

from hologram.errors import LaunchError, UsageError, did_you_mean
from hologram.frontend.kernels import model
from hologram.frontend.kernels.outside import plain_number


def with_constants(document: model.Document, constants: Mapping[str, Any]) -> model.Document:
    """A document whose constants have values; the names are checked when it is built."""
    if not constants:
        return document
    names = [p.name for p in document.kernel.params if isinstance(p.type, model.Constant)]
    for name, value in constants.items():
        if name not in names:
            hint = 'a parameter is one if its type is Constant, and an Element is given as T="f64"'
            if name in [p.name for p in document.kernel.params]:
                hint = "arrays and scalars are given by their places, in the order of the parameters"
            raise UsageError(
                "python-constant", f"'{document.kernel.name}' has no constant '{name}'",
                hint=did_you_mean(name, [*names, *document.types]) or hint,
            )  # fmt: skip
        if not isinstance(plain_number(value), bool | int | float):
            raise UsageError("python-constant-value", f"the constant '{name}' is a number, not {value!r}")
    constants = {name: plain_number(value) for name, value in constants.items()}
    params = tuple(
        replace(p, type=model.Constant(constants[p.name])) if p.name in constants else p for p in document.kernel.params
    )
    return replace(document, kernel=replace(document.kernel, params=params))


def with_types(document: model.Document, types: Mapping[str, str]) -> model.Document:
    """A document without element types: each is what `types` says, and else the first that it may be."""
    if not document.types and not types:
        return document
    for name, dtype in types.items():
        if name not in document.types:
            raise UsageError(
                "python-element-name", f"'{document.kernel.name}' has no element type '{name}'",
                hint=did_you_mean(name, document.types) or f"it has {', '.join(document.types) or 'none'}",
            )  # fmt: skip
        if dtype not in document.types[name]:
            raise UsageError(
                "python-element-type", f"'{name}' of '{document.kernel.name}' can't be {dtype!r}",
                hint=f"it is one of {', '.join(document.types[name])}",
            )  # fmt: skip
    from hologram.dialects.atlas.instructions.types import DTYPES, widened

    chosen = {name: types.get(name, may_be[0]) for name, may_be in document.types.items()}
    chosen |= {name + model.WIDE: widened(DTYPES[dtype]).name for name, dtype in chosen.items()}
    parts = {f: _chosen(getattr(document, f), chosen) for f in ("kernel", "functions")}
    return replace(document, types={}, **parts)


def _chosen(value: Any, chosen: Mapping[str, str]) -> Any:
    """A part of a document with types in place of the names of element types."""
    if isinstance(value, tuple | list):
        parts = cast("Sequence[Any]", value)
        replaced = tuple(_chosen(v, chosen) for v in parts)
        return replaced if any(a is not b for a, b in zip(replaced, parts, strict=True)) else parts
    if not is_dataclass(value) or isinstance(value, model.At):
        return value
    changed: dict[str, Any] = {}
    for field in fields(value):
        old = getattr(value, field.name)
        named = field.name == "dtype" or (field.name == "function" and isinstance(value, model.Call))
        new = chosen.get(old, old) if named else _chosen(old, chosen)
        if new is not old:
            changed[field.name] = new
    return replace(cast("Any", value), **changed) if changed else value


def variants(document: model.Document, types: Collection[str] | None = None) -> Iterator[model.Document]:
    """The documents of a kernel for each choice of its element types, of those in `types` alone.

    An element type that may be none of these is what it is by default. The kernel keeps its name where all are that;
    else the name ends in the types: `vector_add_f64`.
    """
    names = list(document.types)
    defaults = [document.types[n][0] for n in names]
    choices: list[Sequence[str]] = [
        [t for t in document.types[n] if types is None or t in types] or [document.types[n][0]] for n in names
    ]
    for choice in product(*choices):
        variant = with_types(document, dict(zip(names, choice, strict=True)))
        if list(choice) != defaults:
            name = "_".join([variant.kernel.name, *choice])
            variant = replace(variant, kernel=replace(variant.kernel, name=name))
        yield variant


def elements(document: model.Document) -> tuple[int, ...]:
    """The numbers of the arguments whose types are element types: arrays first, for they decide."""
    types = [p.type for p in document.kernel.params if not isinstance(p.type, model.Constant)]
    own = [n for n, t in enumerate(types) if t is not None and t.dtype in document.types]
    return tuple(sorted(own, key=lambda n: isinstance(types[n], model.Scalar)))


def picked(document: model.Document, args: Sequence[Any]) -> dict[str, str]:
    """The element types of a call: those of its arrays, and where no array says it those of numpy's numbers."""
    params = [p for p in document.kernel.params if not isinstance(p.type, model.Constant)]
    dtypes: dict[str, tuple[str, str]] = {}
    for number in elements(document):
        parameter: Any = params[number]
        dtype = _name(getattr(args[number], "dtype", None)) if number < len(args) else None
        if dtype is None:
            continue
        element, is_number = parameter.type.dtype, isinstance(parameter.type, model.Scalar)
        known, other = dtypes.setdefault(element, (dtype, parameter.name))
        if dtype not in document.types[element] and not is_number:
            raise LaunchError(
                "launch-element", f"'{parameter.name}' of '{document.kernel.name}' is an array of {dtype}",
                hint=f"its type {element} is one of {', '.join(document.types[element])}",
            )  # fmt: skip
        if known != dtype and not is_number:
            raise LaunchError(
                "launch-elements", f"'{other}' is of {known} and '{parameter.name}' of {dtype}, and both are {element}",
                hint="convert one of them",
            )  # fmt: skip
    return {element: dtype for element, (dtype, _) in dtypes.items() if dtype in document.types[element]}


def _name(dtype: Any) -> str | None:
    """Our name of an array's element type, of whatever package."""
    from hologram.runtime.dtypes import short_name

    return None if dtype is None else short_name(str(dtype).rpartition(".")[2])
