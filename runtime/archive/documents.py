"""The JSON of an archive: its manifest and a record for each program. Both are checked in full when they are read.

There is one way to write a document: keys ascend, nothing stands between tokens, and what is not ASCII is escaped.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import chain
from string import ascii_letters, digits
from typing import Any, NoReturn, cast

from hologram.errors import InputError, Where
from hologram.runtime import json_text
from hologram.runtime.archive.layout import FOREIGN
from hologram.runtime.archive.records import HOSTED, CodeRecord, Host, Manifest, ProgramRecord, read_said, said_json
from hologram.runtime.entry import Entry

_HEXADECIMAL = frozenset("0123456789abcdef")
_WORD = frozenset(ascii_letters + digits + "_.+-")


def _is_digest(text: str) -> bool:
    return len(text) == 64 and _HEXADECIMAL.issuperset(text)


def _is_word(text: str) -> bool:
    """Return whether it may be a target, a format or the name of an extension."""
    return _WORD.issuperset(text) and text[:1].isalnum()


def _is_text(data: Any, form: Callable[[str], bool] | None = None) -> bool:
    return isinstance(data, str) and data.isprintable() and bool(data if form is None else form(data))


def _are_texts(data: Collection[Any]) -> bool:
    """Return whether all are texts, which are looked at together."""
    return set(map(type, data)) <= {str} and all(data) and "".join(data).isprintable()


def write_document(data: Any) -> bytes:
    """JSON data as bytes."""
    return json_text.dumps(data).encode()


class Value:
    """A value within a document, and where it stands there."""

    def __init__(self, data: Any, path: str, file: str, exact: bool):
        self.data = data
        self.path = path
        self.file = file
        self.exact = exact
        """Whether fields that are not known here are errors."""

    def refuse(self, reason: str) -> NoReturn:
        """Raises the error of a value that can't be."""
        raise InputError("archive-document", f"at {self.path}: {reason}", hint=FOREIGN, where=Where(self.file))

    def mapping(self) -> dict[str, Any]:
        """The fields of an object."""
        data: Any = self.data
        if not isinstance(data, dict):
            self.refuse("expected an object")
        return cast("dict[str, Any]", data)

    def fields(self, *names: str) -> list[Value]:
        """The values of an object's fields, all of which must be there."""
        data = self.mapping()
        if missing := [name for name in names if name not in data]:
            self.refuse(f"the field '{missing[0]}' is missing")
        if self.exact and len(data) > len(names):
            self.refuse(f"the field {min(set(data) - set(names))!r} is not known")
        return [Value(data[name], f"{self.path}.{name}", self.file, self.exact) for name in names]

    def elements(self) -> list[Any]:
        """The elements of a list."""
        data: Any = self.data
        if not isinstance(data, list):
            self.refuse("expected a list")
        return cast("list[Any]", data)

    def items(self) -> list[Value]:
        """The values of a list."""
        return [Value(item, f"{self.path}[{i}]", self.file, self.exact) for i, item in enumerate(self.elements())]

    def text(self, form: Callable[[str], bool] | None = None) -> str:
        """A text of printable characters that is not empty, in a form if there is one."""
        if not _is_text(self.data, form):
            reason = f"{self.data!r} is no text that can stand here" if isinstance(self.data, str) else "expected text"
            self.refuse(reason)
        return self.data

    def names(self, what: str, form: Callable[[str], bool] | None = None) -> tuple[str, ...]:
        """The texts of a list, which ascend; `what` is what messages call them."""
        names = self.elements()
        if not _are_texts(names) or (form is not None and not all(map(form, names))):
            for item in self.items():
                item.text(form)
        self.ascending(names, what)
        return tuple(names)

    def texts(self) -> dict[str, str]:
        """An object whose fields are all text."""
        data = self.mapping()
        keys = Value(list(data), f"{self.path} as a list", self.file, self.exact)
        return {key.text(): Value(data[key.text()], f"{self.path}.{key.text()}", self.file, self.exact).line()
                for key in keys.items()}  # fmt: skip

    def line(self) -> str:
        """Text of printable characters, which may be empty."""
        return "" if self.data == "" else self.text()

    def ascending(self, keys: Sequence[Any], what: str) -> None:
        """Refuses keys of which one does not come behind the one before it."""
        if [*keys] == sorted(set(keys)):
            return
        for before, key in zip(keys, keys[1:], strict=False):
            if key <= before:
                self.refuse(f"{what} are not in order: {key!r} stands behind {before!r}")


def read_document(data: bytes, path: str, file: str, exact: bool) -> Value:
    """The root of a document; `path` is what messages call it."""
    root = Value(None, path, file, exact)
    try:
        root.data = json_text.loads(data)
        canonical = write_document(root.data)
    except (ValueError, RecursionError) as error:
        root.refuse(f"this is no JSON: {' '.join(str(error).split())}")
    if canonical != data:
        root.refuse("it is written in another way than documents are")
    return root


# The manifest


def manifest_bytes(manifest: Manifest) -> bytes:
    """The manifest's document."""
    return write_document({
        "compiler": manifest.compiler,
        "extensions": list(manifest.extensions),
        "programs": {name: list(entries) for name, entries in manifest.programs},
        "provenance": dict(manifest.provenance),
        "targets": list(manifest.targets),
    })  # fmt: skip


def read_manifest(data: bytes, file: str, exact: bool = True) -> Manifest:
    """The manifest of its document; an InputError that names `file` if anything in it can't be."""
    root = read_document(data, "manifest", file, exact)
    compiler, extensions, programs, provenance, targets = root.fields(
        "compiler", "extensions", "programs", "provenance", "targets"
    )
    manifest = Manifest(
        compiler.text(),
        provenance.texts(),
        tuple(_program_names(programs)),
        targets.names("targets", _is_word),
        extensions.names("extensions", _is_word),
    )
    if len(manifest.kernels) != sum(len(entries) for _, entries in manifest.programs):
        programs.refuse("two kernels have one name")
    return manifest


def _program_names(value: Value) -> Iterator[tuple[str, tuple[str, ...]]]:
    """The names of programs, and of the entries of each; there may be many."""
    programs = value.mapping()
    lists: list[list[Any]] = [
        cast("list[Any]", names) if isinstance(names, list) else [None] for names in programs.values()
    ]
    if not _are_texts([*programs, *chain.from_iterable(lists)]):
        name = next(name for name, names in zip(programs, lists, strict=True) if not _are_texts((name, *names)))
        value.refuse(f"{name!r} is no name of a program, or its entries are no names")
    for name, entries in zip(programs, lists, strict=True):
        if len(set(entries)) != len(entries):
            value.refuse(f"two entries of '{name}' have one name")
        yield name, tuple(entries)


# A program's record


def record_bytes(record: ProgramRecord) -> bytes:
    """A program's document."""
    return write_document({
        "codes": [_code_json(code) for code in record.codes],
        "entries": [said_json(entry) for entry in record.entries],
        "name": record.name,
        "source": {"digest": record.source_digest, "name": record.source_name},
    })  # fmt: skip


def _code_json(code: CodeRecord) -> dict[str, Any]:
    host = code.host
    return {
        "format": code.format,
        "host": None if host is None else {"cpu": host.cpu, "features": list(host.features), "triple": host.triple},
        "options": dict(code.options),
        "target": code.target,
    }


def read_record(data: bytes, number: int, file: str, exact: bool = True) -> ProgramRecord:
    """A program's record of its document; an InputError that names `file` if anything in it can't be."""
    root = read_document(data, f"program {number}", file, exact)
    codes, entries, name, source = root.fields("codes", "entries", "name", "source")
    digest, source_name = source.fields("digest", "name")
    record = ProgramRecord(
        name.text(),
        source_name.line(),
        digest.text(_is_digest) if digest.data != "" else "",
        tuple(_entry(value) for value in entries.items()),
        tuple(_code(value) for value in codes.items()),
    )
    codes.ascending([code.order for code in record.codes], "codes")
    return record


def _entry(value: Value) -> Entry:
    data = value.mapping()
    try:
        record = read_said(data)
    except (InputError, RecursionError) as error:
        value.refuse(error.message if isinstance(error, InputError) else "an expression is nested too deeply")
    if value.exact and said_json(record) != data:
        value.refuse("it says what entry records do not say")
    return record


def _code(value: Value) -> CodeRecord:
    format, host, options, target = value.fields("format", "host", "options", "target")
    code = CodeRecord(target.text(_is_word), format.text(_is_word), _host(host), options.texts())
    if (code.host is not None) != (code.format in HOSTED):
        host.refuse("codes with code for a processor say which, and others do not")
    return code


def _host(value: Value) -> Host | None:
    if value.data is None:
        return None
    cpu, features, triple = value.fields("cpu", "features", "triple")
    return Host(triple.text(), cpu.line(), features.names("features"))
