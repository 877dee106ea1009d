"""Makes the passes and output forms that the text of a pipeline names, of the options that it gives them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from enum import StrEnum
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, TypeGuard, TypeVar, Union, get_args, get_origin, get_type_hints

from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible
from xdsl.utils.hints import isa, type_repr

from hologram.errors import UsageError, did_you_mean
from hologram.lowering.pipelines.pass_spec import PassCall, Raw, raw_text

ConvertibleT = TypeVar("ConvertibleT", bound=ArgSpecConvertible)


def build(kind: type[ConvertibleT], call: PassCall, what: str = "pass") -> ConvertibleT:
    """Makes the pass (or target) that `call` describes, checking its options."""
    fields = {f.name: f for f in dataclasses.fields(kind) if f.init and f.name != "name"}
    hints, required = get_type_hints(kind, include_extras=True), kind.required_fields()
    given: dict[str, Any] = {}
    for key, values in call.options.items():
        name = key.replace("-", "_")
        if name not in fields:
            raise UsageError(
                "option-unknown",
                f"{what} '{call.name}' has no option '{key}'",
                hint=did_you_mean(name, fields) or _known_options(fields),
                where=call.places.get(key, call.where),
            )
        given[name] = _convert(call, key, values, hints[name], what, required=name in required)
    for name in sorted(required - given.keys()):
        raise UsageError(
            "option-missing",
            f"{what} '{call.name}' needs its option '{name}'",
            hint=f"write {call.name}{{{name}=...}}: {described(hints[name])}",
            where=call.where,
        )
    defaults = {n: None for n, f in fields.items() if n not in given and _needs_none(f)}
    try:
        return kind(**given, **defaults)
    except ValueError as error:
        raise UsageError("option-refused", f"{what} '{call.name}': {error}", where=call.blamed(str(error))) from error


def _needs_none(option: dataclasses.Field[Any]) -> bool:
    return option.default is dataclasses.MISSING and option.default_factory is dataclasses.MISSING


def _known_options(fields: dict[str, Any]) -> str:
    return f"its options are {', '.join(fields)}" if fields else "it has no options"


def _convert(call: PassCall, key: str, values: tuple[Raw, ...], hint: Any, what: str, *, required: bool) -> Any:
    members = _members(hint)
    if not values:
        if bool in members:
            return True
        if NoneType in members:
            return None
    for candidate in _candidates(values) if values or not required else ():
        if len(candidate) == 1 and (found := _fitting(candidate[0], members)) is not None:
            return found
        if any(get_origin(m) is tuple and isa(candidate, m) for m in members):
            return candidate
    text = ",".join(raw_text(v) for v in values)
    words = _words(members)
    raise UsageError(
        "option-type",
        f"option '{key}' of {what} '{call.name}' is {described(hint)}, and "
        + (f"not '{text}'" if values else "has no value here"),
        hint=did_you_mean(text, words) if words else f"write {key}={_example(members)}",
        where=call.places.get(key, call.where),
    )


def _members(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) in (Union, UnionType):
        return tuple(m for part in get_args(hint) for m in _members(part))
    return (hint,)


def _words(members: tuple[Any, ...]) -> list[str]:
    """The words of which an option is one."""
    return [
        str(word)
        for member in members
        for word in (get_args(member) if get_origin(member) is Literal else member if _is_enum(member) else ())
    ]


def _is_enum(member: Any) -> TypeGuard[type[StrEnum]]:
    return isinstance(member, type) and issubclass(member, StrEnum)


_KINDS = {bool: "true or false", int: "a whole number", float: "a number", str: "text"}
_EXAMPLES = {bool: "true", int: "1", float: "0.5", str: '"a text"'}


def described(hint: Any) -> str:
    """Return what an option of this type is, in words."""
    members = [m for m in _members(hint) if m is not NoneType]
    words = _words(tuple(members))
    parts = [", ".join(words[:-1]) + " or " * (len(words) > 1) + words[-1]] if words else []
    for member in members:
        if get_origin(member) is Annotated:
            parts.append(str(get_args(member)[1]))
        elif get_origin(member) is tuple:
            parts.append(f"values with commas between, each {_KINDS.get(get_args(member)[0], 'a value')}")
        elif member in _KINDS:
            parts.append(_KINDS[member])
    return " or ".join(parts) or type_repr(hint)


def _example(members: tuple[Any, ...]) -> str:
    member = next(m for m in members if m is not NoneType)
    if get_origin(member) is Annotated:
        return str(get_args(member)[1].least)
    if get_origin(member) is tuple:
        return ",".join([_EXAMPLES.get(get_args(member)[0], "a")] * 2)
    return _EXAMPLES.get(member, "...")


def _fitting(value: bool | int | float | str, members: tuple[Any, ...]) -> Any:
    """The value as an option of one of these types, or None if it is of none of them."""
    for member in members:
        if _is_enum(member):
            if value in list(member):
                return member(value)
        elif get_origin(member) is Annotated:
            kind, limits = get_args(member)
            if type(value) is kind and value in limits:
                return value
        elif _fits(value, member):
            return value
    return None


def _fits(value: bool | int | float | str, member: Any) -> bool:
    """`isa`, but a bool is no int and an int no float."""
    return type(value) is member if member in (bool, int, float, str) else isa(value, member)


def _candidates(values: tuple[Raw, ...]) -> Iterator[tuple[bool | int | float | str, ...]]:
    """Yield the meanings that the values may have, the most special first."""
    yield tuple(_natural(v) for v in values)
    for kind in (_as_int, _as_float):
        try:
            yield tuple(kind(v) for v in values)
        except ValueError:
            continue
    yield tuple(v.text for v in values)


def _as_int(raw: Raw) -> int:
    return int(raw.text, 0)


def _as_float(raw: Raw) -> float:
    return float(raw.text)


def _natural(raw: Raw) -> bool | int | float | str:
    if raw.quoted:
        return raw.text
    if raw.text in ("true", "false"):
        return raw.text == "true"
    for kind in (_as_int, _as_float):
        try:
            return kind(raw)
        except ValueError:
            continue
    return raw.text


def call_of(instance: ArgSpecConvertible) -> PassCall:
    """The call that makes `instance`: its name, and the options that differ from their defaults."""
    spec: ArgSpec = instance.spec()
    return PassCall(spec.name, {k: tuple(_raw(v) for v in values) for k, values in spec.parameters.items()})


def _raw(value: str | int | float | bool) -> Raw:
    match value:
        case bool():
            return Raw(str(value).lower(), False)
        case str():
            return Raw(value, _natural(Raw(value, False)) != value)
        case _:
            return Raw(repr(value), False)
