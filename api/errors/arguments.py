"""Public functions hold their arguments to their annotations: `@checked`.

    @checked
    def linear(total: int, block: int = 256) -> LaunchConfig: ...

    linear("ten")   # ArgumentError: argument 'total' of 'linear' is an integer, not str 'ten'

Annotations stay text, so a type that is imported for type checkers alone is known by its name. Integers of other
libraries are passed on as Python's. Nothing that is called while kernels are launched is checked so.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from inspect import Parameter, signature
from types import FunctionType
from typing import Any, NamedTuple, NoReturn, TypeAlias, TypeVar, cast

from hologram.errors import ArgumentError, HologramError, did_you_mean

T = TypeVar("T", bound=Callable[..., Any])
TOO_MANY_DIGITS = "for integer string conversion"
"""What Python says of an integer that it does not write, or read."""
_REFUSED: Any = object()
"""What a kind makes of a value that is not of it."""


class Kind(NamedTuple):
    """What an annotation says: in words, and as a function that gives the value to pass on."""

    words: str
    take: Callable[[Any], Any]


def checked(function: T) -> T:
    """The function, which raises ArgumentError for an argument that its annotation does not allow.

    Of a class, all its public functions.
    """
    if isinstance(function, type):
        for name, value in [*vars(function).items()]:
            if name.startswith("_") and name not in ("__init__", "__call__", "__getitem__"):
                continue
            if isinstance(value, FunctionType) and _takes_something(value):
                setattr(function, name, checked(value))
            elif isinstance(value, staticmethod):
                setattr(function, name, staticmethod(checked(cast("T", value.__func__))))
        return cast("T", function)
    plan: list[Plan] = []

    @wraps(function)
    def call(*args: Any, **kwargs: Any) -> Any:
        if not plan:
            plan.append(_plan(function))
        plain, several, named = plan[0]
        given = [_taken(function, *(plain[n] if n < len(plain) else several), value) for n, value in enumerate(args)]
        for name, value in kwargs.items():
            kwargs[name] = _taken(function, name, named.get(name) or named["**"], value)
        try:
            return function(*given, **kwargs)
        except ValueError as error:
            if isinstance(error, HologramError) or TOO_MANY_DIGITS not in str(error):
                raise
            message = f"'{_called(function)}' was given an integer of more digits than Python writes"
            raise ArgumentError("argument-digits", message, hint="pass one that its use has room for") from None
        except TypeError as error:
            if (
                isinstance(error, HologramError)
                or error.__traceback__ is None
                or error.__traceback__.tb_next is not None
            ):
                raise
            wrong = str(error)
        _refuse_call(function, wrong, named)

    return cast("T", call)


def _refuse_call(function: Callable[..., Any], wrong: str, named: Mapping[str, Kind]) -> NoReturn:
    """Says what Python says of a call with too many, too few or other arguments."""
    called = _called(function)
    unknown = re.search(r"unexpected keyword argument '(\w+)'", wrong)
    near = did_you_mean(unknown[1], [name for name in named if name not in ("self", "**")]) if unknown else None
    message = f"'{called}' can't be called so: {wrong.partition('() ')[2] or wrong}"
    raise ArgumentError("argument-call", message, hint=near or f"it is called as {called_as(function)}")


def _called(function: Callable[..., Any]) -> str:
    name: str = getattr(function, "__qualname__", None) or getattr(function, "__name__", "function")
    return name.removesuffix(".__init__").removesuffix(".__post_init__")


def _takes_something(function: FunctionType) -> bool:
    """Return whether a method has arguments: one without, such as `free`, is called while Python shuts down too."""
    code = function.__code__
    return code.co_argcount + code.co_kwonlyargcount > 1 or bool(code.co_flags & 12)


Plan: TypeAlias = "tuple[list[tuple[str, Kind]], tuple[str, Kind], dict[str, Kind]]"
"""The parameters that have places, the one that takes all others with places, and all by name."""


def _plan(function: Callable[..., Any]) -> Plan:
    space: dict[str, Any] = getattr(function, "__globals__", {})
    kinds = [(p, _kind(p.annotation, space)) for p in signature(function).parameters.values()]
    plain = [(p.name, k) for p, k in kinds if p.kind in (p.POSITIONAL_ONLY, p.POSITIONAL_OR_KEYWORD)]
    several = next(((p.name, k) for p, k in kinds if p.kind is p.VAR_POSITIONAL), ("", _ANY))
    rest = next((k for p, k in kinds if p.kind is p.VAR_KEYWORD), _ANY)
    return plain, several, {p.name: k for p, k in kinds} | {"**": rest}


def _taken(function: Callable[..., Any], name: str, kind: Kind, value: Any) -> Any:
    taken = kind.take(value)
    if taken is _REFUSED:
        called = _called(function)
        raise ArgumentError(
            "argument-type",
            f"argument '{name}' of '{called}' must be {kind.words}, found {described(value)}",
            hint=f"it is called as {called_as(function)}",
        )
    return taken


def called_as(function: Callable[..., Any]) -> str:
    """How a function is called, as its definition says."""
    parameters = [p for p in signature(function).parameters.values() if p.name != "self"]
    shown = [_shown_parameter(p) for p in parameters]
    named = next((n for n, p in enumerate(parameters) if p.kind is p.KEYWORD_ONLY), None)
    if named is not None and not any(p.kind is p.VAR_POSITIONAL for p in parameters):
        shown.insert(named, "*")
    return f"{_called(function).rpartition('.')[2]}({', '.join(shown)})"


def _shown_parameter(parameter: Parameter) -> str:
    stars = {Parameter.VAR_POSITIONAL: "*", Parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "")
    says = parameter.annotation not in ("Any", Parameter.empty)
    default = "" if parameter.default is Parameter.empty else f"{' = ' if says else '='}{parameter.default!r}"
    return f"{stars}{parameter.name}{f': {parameter.annotation}' if says else ''}{default}"


def described(value: Any) -> str:
    """A value in a message: its type, and as much of its text as a line has room for."""
    if isinstance(getattr(value, "shape", None), (tuple, list)) and hasattr(value, "dtype"):
        return f"an array of {value.dtype} of shape {value.shape}"
    if value is None:
        return "None"
    try:
        text = re.sub(r" at 0x[0-9a-f]+", "", " ".join(repr(value).split()))
    except Exception:  # An integer of thousands of digits, say, or an object that can't tell.
        return f"a value of type '{type(value).__name__}'"
    text = text if len(text) <= 60 else text[:57] + "..."
    return text if text.startswith("<") else f"{type(value).__name__} {text}"


# Kinds


def integer(value: Any) -> Any:
    """An integer as Python's, of any library's; truth values are none."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        return _REFUSED
    try:
        return operator.index(value)
    except TypeError:
        return _REFUSED


def _is_array(value: Any) -> bool:
    return any(base.__name__ == "ndarray" for base in type(value).__mro__)


def _integer_array(value: Any) -> Any:
    if not _is_array(value):
        return _REFUSED
    if value.dtype.kind == "O":
        return value if all(integer(item) is not _REFUSED for item in value.ravel().tolist()) else _REFUSED
    return value if value.dtype.kind in "biu" else _REFUSED


def _integers(value: Any) -> Any:
    if _is_array(value) and (value.ndim or value.dtype.kind == "O"):
        return _integer_array(value)
    return integer(value)


def _coordinates(value: Any) -> Any:
    return _integer_array(value) if _is_array(value) else value


def _number(value: Any) -> Any:
    if isinstance(value, (str, bytes, bool, complex)) or not hasattr(value, "__float__") or getattr(value, "ndim", 0):
        return _REFUSED
    return value


def _truth(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    return bool(value) if type(value).__name__ in ("bool", "bool_") and hasattr(value, "dtype") else _REFUSED


def _if(holds: Callable[[Any], bool]) -> Callable[[Any], Any]:
    return lambda value: value if holds(value) else _REFUSED


def _named(name: str) -> Callable[[Any], Any]:
    def holds(value: Any) -> bool:
        return any(base.__name__ == name for base in type(value).__mro__)

    return _if(holds)


_ANY = Kind("anything", _if(lambda _: True))
_PLAIN = {
    "int": Kind("an integer", integer),
    "SupportsIndex": Kind("an integer", integer),
    "float": Kind("a number", _number),
    "bool": Kind("True or False", _truth),
    "str": Kind("a text", _if(lambda v: isinstance(v, str))),
    "bytes": Kind("bytes", _if(lambda v: isinstance(v, (bytes, bytearray, memoryview)))),
    "None": Kind("None", _if(lambda v: v is None)),
    "Callable": Kind("a function", _if(callable)),
    "PathLike": Kind("a path", _if(lambda v: hasattr(v, "__fspath__"))),
    "Mapping": Kind("a mapping", _if(lambda v: isinstance(v, Mapping))),
    "NDArray": Kind("a numpy array", _if(_is_array)),
    "Array": Kind("a numpy array", _if(_is_array)),
    "Integers": Kind("an integer or an array of integers", _integers),
    "IntegerArray": Kind("an array of integers", _integer_array),
    "Coordinates": Kind("a coordinate such as (9, 57), or an array of packed ones", _coordinates),
    "ModuleOp": Kind("a module (such as isa.assemble and sigil.parse give)", _named("ModuleOp")),
    "Any": _ANY,
    "object": _ANY,
}
_NOT_SEVERAL = (str, bytes, bytearray, Mapping, set, frozenset)
_SEVERAL = ("Sequence", "list", "tuple", "Iterable", "Collection")


def _kind(annotation: Any, space: Mapping[str, Any]) -> Kind:
    """The kind of an annotation, which is text; what says nothing that can be checked takes anything."""
    if not isinstance(annotation, str):
        return _ANY
    return _of(ast.parse(annotation, mode="eval").body, space)


def _of(node: ast.expr, space: Mapping[str, Any]) -> Kind:
    match node:
        case ast.BinOp(left=left, right=right):
            return _either(_of(left, space), _of(right, space))
        case ast.Constant(value=None):
            return _PLAIN["None"]
        case ast.Constant(value=str(text)):
            return _kind(text, space)
        case ast.Attribute(attr=name):
            return _PLAIN.get(name, _ANY)
        case ast.Name(id=name) if name in _PLAIN:
            return _PLAIN[name]
        case ast.Name(id=name):
            return _class(name, space.get(name), space)
        case ast.Subscript(value=ast.Name(id=name) | ast.Attribute(attr=name)) if name in _SEVERAL:
            parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            return _several([_of(p, space) for p in parts if not isinstance(p, ast.Constant)], name, len(parts))
        case ast.Subscript(value=value):
            return _of(value, space)
        case _:
            return _ANY


def _class(name: str, value: Any, space: Mapping[str, Any]) -> Kind:
    """The kind of a class by its name, or of a type that has a name of its own in a module."""
    if isinstance(value, str):
        return _kind(value, space)
    if value is None or isinstance(value, type):
        words = {"FunctionType": "a function of Python"}.get(name, f"{'an' if name[0] in 'AEIOU' else 'a'} {name}")
        return Kind(words, _named(name) if value is None else _if(lambda v: isinstance(v, cast("Any", value))))
    parts = getattr(value, "__args__", ())
    if not parts:
        return _ANY
    kind = _PLAIN.get(parts[0].__name__) or _class(parts[0].__name__, parts[0], space)
    for part in parts[1:]:
        kind = _either(kind, _PLAIN.get(part.__name__) or _class(part.__name__, part, space))
    return kind


def _either(a: Kind, b: Kind) -> Kind:
    def take(value: Any) -> Any:
        taken = a.take(value)
        return b.take(value) if taken is _REFUSED else taken

    return _ANY if _ANY in (a, b) else Kind(f"{a.words} or {b.words}", take)


def _several(kinds: list[Kind], name: str, count: int) -> Kind:
    """Several values of a kind; a tuple's, each of its own."""
    fixed = name == "tuple" and len(kinds) == count

    def take(value: Any) -> Any:
        if isinstance(value, _NOT_SEVERAL) or getattr(value, "__iter__", None) is None:
            return _REFUSED
        if name != "Iterable" and not hasattr(value, "__len__"):
            return _REFUSED
        if getattr(value, "ndim", 1) == 0:
            return _REFUSED
        if kinds[0] is _ANY and not fixed and name != "Iterable":
            return value
        items: list[Any] = list(cast("Iterable[Any]", value))
        taken = [(kinds[n] if fixed and n < len(kinds) else kinds[0]).take(item) for n, item in enumerate(items)]
        if any(t is _REFUSED for t in taken) or (fixed and len(taken) != count):
            return _REFUSED
        changed = name == "Iterable" or any(t is not item for t, item in zip(taken, items, strict=True))
        return tuple(taken) if changed else value

    words = kinds[0].words.removeprefix("an ").removeprefix("a ")
    inner = "" if kinds[0] is _ANY else f" of {words}s" if " " not in words else f" whose items are {kinds[0].words}"
    return Kind(f"{count} {words}s" if fixed and " " not in words else f"a list or tuple{inner}", take)
