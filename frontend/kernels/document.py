"""The JSON form of kernel documents: written, read with the JSON path of what is wrong, and its JSON Schema.

All three follow from the classes of `model`: nothing is declared twice.
"""

from __future__ import annotations

import json
import math
import re
import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from typing import Annotated, Any, Literal, NoReturn, TypeGuard, Union, cast, get_args, get_origin, get_type_hints

from hologram.errors import InputError, Where, at_text, did_you_mean, refuse_at
from hologram.errors.limits import check_text, limit, raised, refuse_operations
from hologram.frontend.kernels import model
from hologram.language import wrong_element
from hologram.runtime.json_text import members
from hologram.support.recursion import deep_recursion

_NAMES: dict[type[Any], str] = {model.LiteralValue: "literal", model.DeviceArray: "device_array"}
PARTS = 10
"""The parts of a document for an operation, of which there is a limit: a text may name one part many times."""
_SPECIAL = {"inf": math.inf, "-inf": -math.inf, "nan": math.nan}
"""Numbers that JSON lacks, as texts."""


def kind_of(cls: type[Any]) -> str:
    """The member `kind` of the objects of a class."""
    return _NAMES.get(cls, cls.__name__.lower())


_FAMILIES: dict[str, tuple[type[Any], ...]] = {
    "type": model.TYPES, "expression": model.EXPRESSIONS, "statement": model.STATEMENTS,
}  # fmt: skip
"""The classes that one of stands where the document wants a type, an expression or a statement."""
_TAGGED = {cls for family in _FAMILIES.values() for cls in family}
"""The classes whose objects say by `kind` which they are."""


def write(document: model.Document | Sequence[model.Document], indent: int | None = 2) -> str:
    """The JSON text of a document, or of several; equal documents have equal texts."""
    with deep_recursion():
        text = json.dumps(encode(document), indent=indent, ensure_ascii=False, allow_nan=False)
    return text + "\n" if indent else text


def encode(value: Any) -> Any:
    """The JSON value of a part of a document: members that are what they would be without are left out."""
    if is_dataclass(value) and not isinstance(value, type):
        if isinstance(value, model.At):
            return [value.line, value.column, value.width]
        encoded: dict[str, Any] = {"kind": kind_of(type(value))} if type(value) in _TAGGED else {}
        for field in fields(value):
            member = getattr(value, field.name)
            if isinstance(member, model.At) and member.path:
                continue
            if field.name == "version" or not _is_default(field, member):
                encoded[field.name] = encode(member)
        return encoded
    if isinstance(value, tuple | list):
        return [encode(v) for v in cast("Sequence[Any]", value)]
    if isinstance(value, Mapping):
        return {name: encode(v) for name, v in cast("Mapping[str, Any]", value).items()}
    if isinstance(value, float) and not math.isfinite(value):
        return next(word for word, number in _SPECIAL.items() if str(number) == str(value))
    return value


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default is not MISSING:
        return value == field.default and type(value) is type(field.default)
    return field.default_factory is not MISSING and value == field.default_factory()


def read(text: str, source: str = "<json>") -> model.Document:
    """The document that a JSON text is. Raises InputError, with the path in it of what is wrong."""
    return decode(_loaded(text, source), source)


def read_all(text: str, source: str = "<json>") -> list[model.Document]:
    """The documents of a JSON text: one, a list of them, or the list `kernels` of an object."""
    return decode_all(_loaded(text, source), source)


def _loaded(text: str, source: str) -> Any:
    check_text(text, source, brackets=False)
    try:
        with deep_recursion():
            return json.loads(text, object_pairs_hook=members, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        where = at_text(Where(source, error.lineno, error.colno), text)
        raise InputError("document-json", f"this is no JSON: {error.msg}", where=where) from None
    except ValueError as error:
        raise InputError("document-value", f"this is no JSON: {error}", where=Where(source)) from None
    except RecursionError:
        check_text(text, source)
        hint = "split it into more kernels, or name what is nested"
        raise InputError("document-depth", "the document nests too deep", hint=hint, where=Where(source)) from None


def _no_number(word: str) -> NoReturn:
    near = {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}[word]
    raise ValueError(f'JSON has no {word}; write "{near}", as a text')


def decode(data: Any, source: str = "<json>", path: str = "$") -> model.Document:
    """The document that a JSON value is, of whatever text it was read; `path` is where that stands in the text."""
    with deep_recursion():
        document: model.Document = _Decoder(source).object(model.Document, data, path)
    if "source" not in data:
        object.__setattr__(document, "source", source)
    return document


def decode_all(data: Any, source: str = "<json>") -> list[model.Document]:
    """The documents that a JSON value holds: it is one, a list of them, or an object whose list `kernels` has them."""
    path = "$"
    if _is_object(data) and "kernels" in data:
        if rest := [name for name in data if name != "kernels"]:
            raise InputError(
                "document-kernels-member", f"$: there is no member '{rest[0]}' beside 'kernels'",
                hint="each of the kernels is a document with members of its own", where=Where(source),
            )  # fmt: skip
        data, path = data["kernels"], "$.kernels"
        if not _is_list(data):
            raise InputError("document-kernels", f"{path}: expected a list, found {_shown(data)}", where=Where(source))
    if not _is_list(data):
        return [decode(data, source)]
    if not data:
        raise InputError("document-none", f"{path}: there is no kernel in the list", where=Where(source))
    return [decode(d, source, f"{path}[{n}]") for n, d in enumerate(data)]


class _Decoder:
    """Reads one document."""

    def __init__(self, source: str):
        self.source = source
        self.depth, self.deepest = 0, limit("nesting")
        self.count, self.most = 0, PARTS * limit("operations")
        self.types: dict[str, tuple[str, ...]] = {}
        """The element types of the document."""

    def fault(self, code: str, path: str, message: str, hint: str | None = None) -> NoReturn:
        refuse_at(code, f"{short(path)}: {message}", hint, Where(self.source))

    def value(self, hint: Any, data: Any, path: str) -> Any:
        """The value of a type that a JSON value is."""
        self.count += 1
        if self.count > self.most:
            refuse_operations(f"more than {self.count - 1} parts", Where(self.source), "the document")
        origin = get_origin(hint)
        if origin is Annotated:
            plain, word = get_args(hint)
            decoded = self.value(plain, data, path)
            if not _MEANT[word](decoded):
                self.fault("document-range", path, f"{_shown(data)} is no {word}", _HINTS[word])
            return decoded
        if origin in (Union, types.UnionType):
            return self._union(get_args(hint), data, path)
        if origin is Literal:
            return self._word(get_args(hint), data, path)
        if hint is model.At:
            return self._place(data, path)
        if is_dataclass(hint) and isinstance(hint, type):
            return self._tagged([hint], data, path) if hint in _TAGGED else self.object(hint, data, path)
        if origin is not None:
            return self._list(get_args(hint)[0], data, path)
        if hint is int and is_whole(data):
            return int(data)
        if type(data) is not hint:
            self.fault("document-type", path, f"expected {_WORDS[hint]}, found {_shown(data)}")
        return data

    def _union(self, options: Sequence[Any], data: Any, path: str) -> Any:
        if data is None and types.NoneType in options:
            return None
        classes = [o for o in options if is_dataclass(o)]
        if not classes:
            plain = [o for o in options if o is not types.NoneType]
            literal = next((o for o in plain if get_origin(o) is Literal), None)
            if float in plain and isinstance(data, str) and data in _SPECIAL:
                return _SPECIAL[data]
            if literal is not None and (float not in plain or isinstance(data, str)):
                own = self.types if model.ElementName in plain else ()
                numbers = _SPECIAL if float in plain else ()
                return self._word((*get_args(literal), *own, *(n + model.WIDE for n in own), *numbers), data, path)
            if type(data) not in plain:
                wanted = " or ".join(_WORDS[o] for o in plain if o is not literal)
                self.fault("document-union", path, f"expected {wanted}, found {_shown(data)}")
            return data
        if classes == [model.At]:
            return self._place(data, path)
        return self._tagged(classes, data, path)

    def _tagged(self, classes: Sequence[Any], data: Any, path: str) -> Any:
        kinds = {kind_of(c): c for c in classes}
        if not _is_object(data):
            self.fault("document-object", path, f"expected an object with a kind, found {_shown(data)}")
        kind = data.get("kind")
        if not isinstance(kind, str) or kind not in kinds:
            message = f"there is no kind {_shown(kind)} here" if "kind" in data else "it has no kind"
            self.fault(
                "document-kind", path, message,
                did_you_mean(str(kind), kinds) or "the kinds are " + ", ".join(kinds),
            )  # fmt: skip
        return self.object(kinds[kind], data, path)

    def _word(self, words: Sequence[Any], data: Any, path: str) -> Any:
        if data not in words:
            hint = did_you_mean(str(data), words) or "it is one of " + ", ".join(map(str, words))
            self.fault("document-word", path, f"{_shown(data)} is not known here", hint)
        return data

    def _list(self, hint: Any, data: Any, path: str) -> tuple[Any, ...]:
        if not _is_list(data):
            self.fault("document-list", path, f"expected a list, found {_shown(data)}")
        return tuple(self.value(hint, d, f"{path}[{n}]") for n, d in enumerate(data))

    def _place(self, data: Any, path: str) -> model.At:
        if (
            not _is_list(data)
            or len(data) not in (2, 3)
            or any(not is_whole(n) or not 0 < n <= model.LARGEST_PLACE for n in data)
        ):
            self.fault("document-place", path, "a place is [line, column] or [line, column, width], from 1 on")
        line, column, width = [int(n) for n in (*data, 1)][:3]
        return model.At(line, column, width)

    def _types(self, data: Any, path: str) -> dict[str, tuple[str, ...]]:
        """The element types of a document, which stand before all that may name them."""
        if not _is_object(data):
            self.fault("document-types", path, f"expected an object, found {_shown(data)}")
        elements: dict[str, tuple[str, ...]] = {}
        for name, dtypes in data.items():
            words = self._list(model.Dtype, dtypes, f"{path}.{name}")
            if (wrong := wrong_element(name, words)) is not None:
                self.fault("document-element", f"{path}.{name}", wrong)
            elements[name] = words
        return elements

    def object(self, cls: type[Any], data: Any, path: str) -> Any:
        """The object of a class that a JSON object is."""
        if not _is_object(data):
            self.fault("document-no-object", path, f"expected an object, found {_shown(data)}")
        self.depth += 1
        if self.depth > self.deepest:
            self.fault(
                "document-nesting", path, f"a document nests {self.deepest} objects deep at most", raised("nesting")
            )
        hints = _hints(cls)
        known = {f.name: f for f in fields(cls)}
        if cls is model.Document and "types" in data:
            self.types = self._types(data["types"], f"{path}.types")
        for name in data:
            if name not in known and not (name == "kind" and cls in _TAGGED):
                self.fault("document-member", path, f"there is no member '{name}'", did_you_mean(str(name), known))
        values: dict[str, Any] = {}
        for name, field in known.items():
            if name == "types":
                values[name] = self.types
            elif name in data:
                values[name] = self.value(hints[name], data[name], f"{path}.{name}")
            elif name == "at":
                values[name] = model.At(0, 0, path=path)
            elif field.default is MISSING and field.default_factory is MISSING:
                self.fault("document-missing", path, f"the member '{name}' is missing")
        if cls is model.Document and values.get("version", model.VERSION) != model.VERSION:
            self.fault(
                "document-version", f"{path}.version", f"this reads version {model.VERSION}, not {values['version']}"
            )
        self.depth -= 1
        return cls(**values)


_NAME = r"^[^\W\d]\w*$"
_MEANT: dict[str, Callable[[Any], bool]] = {
    "name": lambda text: re.fullmatch(_NAME[1:-1], text) is not None,
    "rank": lambda number: 1 <= number <= model.LARGEST_RANK,
}
"""What a text or a number must be beside its type, by the word of its annotation."""
_HINTS = {
    "name": "names are letters, digits and _, and begin with no digit",
    "rank": f"arrays have 1 to {model.LARGEST_RANK} axes",
}
_RANGES: dict[str, dict[str, Any]] = {
    "name": {"type": "string", "pattern": _NAME},
    "rank": {"type": "integer", "minimum": 1, "maximum": model.LARGEST_RANK},
}
"""The same in the JSON Schema."""
_WORDS: dict[Any, str] = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}


def short(path: str) -> str:
    """A JSON path for a message: of a very long one the beginning and the end."""
    return path if len(path) <= 120 else f"{path[:60]}...{path[-50:]}"


def is_whole(data: Any) -> bool:
    """Return whether a JSON number is an integer: 2.0 is one, as JSON Schema says."""
    return type(data) is int or (isinstance(data, float) and data.is_integer())


def _is_list(data: Any) -> TypeGuard[list[Any]]:
    return isinstance(data, list)


def _is_object(data: Any) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(data, Mapping)


def _shown(data: Any) -> str:
    try:
        text = json.dumps(data, default=str)
    except (ValueError, TypeError, RecursionError):
        # YAML has lists that hold themselves, and names that are no texts.
        text = type(data).__name__
    return text if len(text) <= 40 else text[:37] + "..."


@cache
def _hints(cls: type[Any]) -> dict[str, Any]:
    return get_type_hints(cls, include_extras=True)


# The JSON Schema


def schema() -> dict[str, Any]:
    """The JSON Schema of documents (draft 2020-12)."""
    classes = [model.Document, model.Kernel, model.Function, model.Parameter, *_TAGGED]
    definitions = {kind_of(c): _class_schema(c) for c in sorted(classes, key=kind_of)}
    for name, kinds in _FAMILIES.items():
        definitions[name] = {"oneOf": [_ref(kind_of(m)) for m in kinds]}
    number = {"type": "integer", "minimum": 1, "maximum": model.LARGEST_PLACE}
    place: dict[str, Any] = {"type": "array", "items": number, "minItems": 2, "maxItems": 3}
    definitions["at"] = {"description": "A line, a column and a width in the source, from 1 on.", **place}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Hologram kernel document",
        "oneOf": [
            _ref("document"),
            {"type": "array", "items": _ref("document"), "minItems": 1},
            {
                "type": "object",
                "properties": {"kernels": {"type": "array", "items": _ref("document"), "minItems": 1}},
                "required": ["kernels"],
                "additionalProperties": False,
            },
        ],
        "$defs": dict(sorted(definitions.items())),
    }


def _ref(name: str) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{name}"}


def _class_schema(cls: type[Any]) -> dict[str, Any]:
    hints = _hints(cls)
    members: dict[str, Any] = {"kind": {"const": kind_of(cls)}} if cls in _TAGGED else {}
    members |= {f.name: _schema_of(hints[f.name]) for f in fields(cls)}
    needed = [f.name for f in fields(cls) if f.default is MISSING and f.default_factory is MISSING]
    if cls is model.Document:
        members["version"] = {"const": model.VERSION}
    return {
        "description": (cls.__doc__ or "").strip(),
        "type": "object",
        "properties": members,
        "required": (["kind"] if cls in _TAGGED else []) + needed,
        "additionalProperties": False,
    }


_PLAIN: dict[Any, dict[str, Any]] = {
    bool: {"type": "boolean"}, int: {"type": "integer"}, float: {"type": "number"}, str: {"type": "string"},
    types.NoneType: {"type": "null"}, model.ElementName: {"type": "string", "pattern": _NAME[:-1] + r"(\.wide)?$"},
}  # fmt: skip


def _schema_of(hint: Any) -> dict[str, Any]:
    origin = get_origin(hint)
    if hint is model.At:
        return _ref("at")
    if origin is Annotated:
        return _RANGES[get_args(hint)[1]]
    if origin is Literal:
        return {"enum": list(get_args(hint))}
    if origin in (Union, types.UnionType):
        options = get_args(hint)
        for name, members in _FAMILIES.items():
            if set(members) <= set(options):
                rest = [o for o in options if o not in members]
                return {"anyOf": [_ref(name), *map(_schema_of, rest)]} if rest else _ref(name)
        special = [{"enum": list(_SPECIAL)}] if float in options else []
        return {"anyOf": [*map(_schema_of, options), *special]}
    if is_dataclass(hint) and isinstance(hint, type):
        return _ref(kind_of(hint))
    if origin is Mapping:
        dtypes = {"items": _schema_of(model.Dtype), "minItems": 1, "uniqueItems": True}
        names = {"pattern": _NAME, "not": {"enum": list(get_args(model.Dtype))}}
        return {"type": "object", "propertyNames": names, "additionalProperties": {"type": "array", **dtypes}}
    if origin is not None:
        return {"type": "array", "items": _schema_of(get_args(hint)[0])}
    return _PLAIN[hint]
