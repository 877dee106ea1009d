"""What `hologram.compile` and `hologram-run` accept as a program, and at which stage it is."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hologram.errors import InputError, did_you_mean, register_source

if TYPE_CHECKING:
    from xdsl.dialects.builtin import ModuleOp

KINDS = {".mlir": "mlir", ".ll": "ll", ".s": "s", ".o": "o", ".obj": "o", ".atlas": "mlir", ".atlasb": "mlir"}
MACHINE = (".atlas", ".atlasb")
"""The prints of the machine form, which `lift-machine` turns into lane programs."""
LLVM_TEXT = re.compile(rb"^(?:define |declare |target |source_filename|; ModuleID)", re.MULTILINE)
OBJECT_MAGIC = (b"\x7fELF", b"\xcf\xfa\xed\xfe", b"\x64\x86", b"\x64\xaa")


@dataclass(frozen=True)
class Source:
    """A program in some form."""

    kind: str
    """`mlir`, `ll`, `s` or `o`."""
    name: str
    """For messages: the path, or `<text>`."""
    data: bytes
    module: ModuleOp | None = None
    """The module that `data` is the text of, where one was given."""

    @property
    def text(self) -> str:
        """The data as text."""
        try:
            return self.data.decode()
        except UnicodeDecodeError as error:
            message = f"'{self.name}' is not UTF-8 text: byte {error.start} can't be read"
            raise InputError("source-encoding", message, hint="object code needs the extension .o") from None


def read_source(given: Any) -> Source:
    """`given` is a path, the text of a program, the bytes of a file, a ModuleOp, or a Source already."""
    if isinstance(given, Source):
        return given
    if isinstance(given, bytes):
        return text_source(given, "<bytes>")
    if isinstance(given, str) and ("\n" in given or "{" in given):
        return text_source(given.encode(), "<text>")
    if isinstance(given, (str, os.PathLike)):
        return _read_file(Path(given))  # pyright: ignore[reportUnknownArgumentType]
    if hasattr(given, "walk") and hasattr(given, "body"):
        module: ModuleOp = given
        if any(op.name.startswith("machine.") for op in module.body.ops):
            return _lifted("<module>", module.clone())
        return Source("mlir", "<module>", str(module).encode(), module)
    message = f"a program is a path, IR text, object bytes or a ModuleOp, found {type(given).__name__}"
    raise InputError("source-type", message, hint="read the text first, or pass the module")


def text_source(data: bytes, name: str) -> Source:
    """The source of a text, or of an object file's bytes, whose form shows in itself."""
    kind = "o" if data.startswith(OBJECT_MAGIC) else "ll" if LLVM_TEXT.search(data) else "mlir"
    source = Source(kind, name, data)
    if kind != "o":
        register_source(name, source.text)
    return source


def _read_file(path: Path) -> Source:
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        hint = did_you_mean(path.suffix, KINDS) or f"known are {', '.join(KINDS)}"
        message = f"the extension '{path.suffix}' of '{path}' does not say what it holds"
        raise InputError("source-extension", message, hint=hint)
    try:
        data = path.read_bytes()
        return _read_machine(path, data) if path.suffix.lower() in MACHINE else Source(kind, str(path), data)
    except FileNotFoundError:
        raise InputError("source-missing", f"there is no file '{path}'", hint=_nearby(path)) from None
    except OSError as error:
        raise InputError("source-unreadable", f"'{path}' can't be read: {error.strerror}") from None


def _read_machine(path: Path, data: bytes) -> Source:
    """Assembly or a binary, lifted."""
    from hologram import isa

    if path.suffix.lower() == ".atlasb":
        return _lifted(str(path), isa.decode(data, str(path)))
    return _lifted(str(path), isa.assemble(Source("mlir", str(path), data).text, str(path)))


def _lifted(name: str, module: ModuleOp) -> Source:
    """A module of the machine form, which is used up, as lane programs."""
    from hologram.dialects import make_context
    from hologram.lowering.lift_machine import LiftMachinePass

    LiftMachinePass().apply(make_context(), module)
    return Source("mlir", name, str(module).encode(), module)


def _nearby(path: Path) -> str:
    try:
        names = os.listdir(path.parent)
    except OSError:
        return f"there is no folder '{path.parent}'"
    return did_you_mean(path.name, names) or "text of a program is recognised by its line breaks or braces"
