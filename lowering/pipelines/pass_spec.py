"""Reads the text of a pass pipeline, `a,b{x=1}`, nested as `builtin.module(func.func(a,b{flag}))`, and builds passes.

::

    pipeline ::= (element (`,` element)*)?
    element  ::= name options? | anchor `(` pipeline `)` | `mlir-opt` `[` text `]`
    options  ::= `{` (name (`=` value (`,` value)*)?)* `}`

Blanks may stand anywhere between tokens. An option without a value is a flag that is set.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import NoneType, UnionType
from typing import Any, NamedTuple, NoReturn, TypeVar, Union, get_args, get_origin, get_type_hints

from xdsl.utils.arg_spec import ArgSpec, ArgSpecConvertible
from xdsl.utils.hints import isa, type_repr

from hologram.errors import UsageError, Where, did_you_mean

ConvertibleT = TypeVar("ConvertibleT", bound=ArgSpecConvertible)

_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*")
_VALUE = re.compile(r"""[^\s,={}()\[\]"']+""")
_STRING = re.compile(r'"((?:\\.|[^"\\])*)"|\'([^\']*)\'')
_BLANK = re.compile(r"\s*")


class Raw(NamedTuple):
    """An option's value as written."""

    text: str
    quoted: bool


@dataclass(frozen=True)
class PassCall:
    """A pass or named pipeline with its options, as written."""

    name: str
    options: dict[str, tuple[Raw, ...]] = field(default_factory=dict[str, tuple[Raw, ...]])
    where: Where | None = field(default=None, compare=False)

    def __str__(self) -> str:
        if not self.options:
            return self.name
        return f"{self.name}{{{' '.join(_option_text(key, values) for key, values in self.options.items())}}}"


@dataclass(frozen=True)
class Nest:
    """A pipeline that runs on each operation called `anchor` directly inside the enclosing one."""

    anchor: str
    body: tuple[Node, ...]

    def __str__(self) -> str:
        return f"{self.anchor}({format_nodes(self.body)})"


Node = PassCall | Nest


def format_nodes(nodes: tuple[Node, ...]) -> str:
    """The text of a pipeline, which `parse_pipeline` reads."""
    return ",".join(str(node) for node in nodes)


def _option_text(key: str, values: tuple[Raw, ...]) -> str:
    return f"{key}={','.join(_raw_text(v) for v in values)}" if values else key


def _raw_text(raw: Raw) -> str:
    if not raw.quoted and _VALUE.fullmatch(raw.text):
        return raw.text
    return '"' + raw.text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def parse_pipeline(text: str, source: str = "pipeline", what: str = "pass") -> tuple[Node, ...]:
    """Reads a pipeline; `source` is what errors call it (`-p`), and `what` what its elements are. The outermost
    `builtin.module(...)` may be left out."""
    nodes = _Reader(text, source, what).read()
    if len(nodes) == 1 and isinstance(nodes[0], Nest) and nodes[0].anchor in ("builtin.module", "any"):
        nodes = nodes[0].body
    return nodes


def parse_call(text: str, source: str) -> PassCall:
    """Reads one `name{options}`."""
    nodes = _Reader(text, source, "pass").read()
    if len(nodes) != 1 or not isinstance(nodes[0], PassCall):
        raise UsageError("spec-not-one", f"{source} takes one name with options, not '{text}'")
    return nodes[0]


class _Reader:
    def __init__(self, text: str, source: str, what: str):
        self._text = text
        self._source = source
        self._what = what
        self._at = 0

    def read(self) -> tuple[Node, ...]:
        nodes = tuple(self._elements())
        if self._at < len(self._text):
            self._fail("a comma or the end was expected here", self._at)
        return nodes

    def _skip(self) -> None:
        self._at = _BLANK.match(self._text, self._at).end()  # pyright: ignore[reportOptionalMemberAccess]

    def _take(self, char: str) -> bool:
        self._skip()
        if not self._text.startswith(char, self._at):
            return False
        self._at += len(char)
        return True

    def _match(self, pattern: re.Pattern[str], what: str) -> re.Match[str]:
        self._skip()
        if (match := pattern.match(self._text, self._at)) is None:
            self._fail(f"{what} was expected here", self._at)
        self._at = match.end()
        return match

    def _where(self, start: int, width: int = 1) -> Where:
        return Where(self._source, 1, start + 1, width, source=self._text.replace("\n", " "))

    def _fail(self, reason: str, start: int) -> NoReturn:
        raise UsageError("pipeline-syntax", reason, where=self._where(start))

    def _elements(self) -> Iterator[Node]:
        self._skip()
        if self._at >= len(self._text) or self._text[self._at] == ")":
            return
        yield self._element()
        while self._take(","):
            yield self._element()
        self._skip()

    def _element(self) -> Node:
        self._skip()
        start = self._at
        name = self._match(_NAME, f"the name of a {self._what}").group()
        where = self._where(start, len(name))
        if self._take("("):
            body = tuple(self._elements())
            if not self._take(")"):
                self._fail(f"')' of '{name}(' was expected here", self._at)
            return Nest(name, body)
        if self._take("["):
            return self._foreign(name, where)
        return PassCall(name, self._options() if self._take("{") else {}, where)

    def _foreign(self, name: str, where: Where) -> PassCall:
        """`mlir-opt[...]` is xDSL's: the text inside goes to the real mlir-opt."""
        end = self._text.find("]", self._at)
        if name != "mlir-opt" or end < 0:
            self._fail("only 'mlir-opt' takes a pipeline in brackets: mlir-opt[...]", self._at - 1)
        inner = self._text[self._at : end]
        self._at = end + 1
        words = ("--mlir-print-op-generic", "--allow-unregistered-dialect", "-p", f"builtin.module({inner})")
        return PassCall(name, {"arguments": tuple(Raw(word, True) for word in words)}, where)

    def _options(self) -> dict[str, tuple[Raw, ...]]:
        options: dict[str, tuple[Raw, ...]] = {}
        while not self._take("}"):
            self._skip()
            start = self._at
            key = self._match(_NAME, "an option or '}'").group()
            if key in options:
                self._fail(f"option '{key}' is given twice", start)
            options[key] = self._values() if self._take("=") else ()
        return options

    def _values(self) -> tuple[Raw, ...]:
        values = [self._value()]
        while self._take(","):
            values.append(self._value())
        return tuple(values)

    def _value(self) -> Raw:
        self._skip()
        if (string := _STRING.match(self._text, self._at)) is None:
            return Raw(self._match(_VALUE, "a value").group(), False)
        self._at = string.end()
        text = string.group(2)
        return Raw(text if text is not None else re.sub(r"\\(.)", r"\1", string.group(1)), True)


# From text to instances


def build(kind: type[ConvertibleT], call: PassCall, what: str = "pass") -> ConvertibleT:
    """Makes the pass (or target) that `call` describes, checking its options."""
    fields = {f.name: f for f in dataclasses.fields(kind) if f.init and f.name != "name"}
    hints = get_type_hints(kind)
    given: dict[str, Any] = {}
    for key, values in call.options.items():
        name = key.replace("-", "_")
        if name not in fields:
            raise UsageError(
                "option-unknown",
                f"{what} '{call.name}' has no option '{key}'",
                hint=did_you_mean(name, fields) or _known_options(fields),
                where=call.where,
            )
        given[name] = _convert(call, key, values, hints[name], what)
    for name in kind.required_fields() - given.keys():
        raise UsageError(
            "option-missing",
            f"{what} '{call.name}' needs its option '{name}'",
            hint=f"write {call.name}{{{name}=...}}, of type {type_repr(hints[name])}",
            where=call.where,
        )
    defaults = {n: None for n, f in fields.items() if n not in given and _needs_none(f)}
    try:
        return kind(**given, **defaults)
    except ValueError as error:
        raise UsageError("option-refused", f"{what} '{call.name}': {error}", where=call.where) from error


def _needs_none(option: dataclasses.Field[Any]) -> bool:
    return option.default is dataclasses.MISSING and option.default_factory is dataclasses.MISSING


def _known_options(fields: dict[str, Any]) -> str:
    return f"its options are {', '.join(fields)}" if fields else "it has no options"


def _convert(call: PassCall, key: str, values: tuple[Raw, ...], hint: Any, what: str) -> Any:
    members = _members(hint)
    if not values:
        if bool in members:
            return True
        if NoneType in members:
            return None
    for candidate in _candidates(values):
        if len(candidate) == 1 and _fits(candidate[0], members):
            return candidate[0]
        if any(get_origin(m) is tuple and isa(candidate, m) for m in members):
            return candidate
    text = ",".join(_raw_text(v) for v in values) or "no value"
    raise UsageError(
        "option-type",
        f"option '{key}' of {what} '{call.name}' is of type {type_repr(hint)}, not {text}",
        where=call.where,
    )


def _members(hint: Any) -> tuple[Any, ...]:
    if get_origin(hint) in (Union, UnionType):
        return tuple(m for part in get_args(hint) for m in _members(part))
    return (hint,)


def _fits(value: bool | int | float | str, members: tuple[Any, ...]) -> bool:
    """`isa`, but a bool is no int and an int no float."""
    return any(type(value) is m if m in (bool, int, float, str) else isa(value, m) for m in members)


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
