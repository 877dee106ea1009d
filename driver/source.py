"""The forms of programs that `hologram.compile` and `hologram-run` accept, and the stage that each is at."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from hologram.errors import NAMELESS, InputError, did_you_mean, register_source
from hologram.errors.arguments import described
from hologram.plugins.tables import KINDS as OUTSIDE
from hologram.runtime.archive.layout import MAGIC as ARCHIVE_MAGIC
from hologram.runtime.devices.module import OBJECT_MAGIC
from hologram.support.recursion import deep_recursion
from hologram.support.regular_files import read_file

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

KINDS = {
    ".mlir": "mlir", ".atlas": "atlas", ".atlasb": "atlasb", ".circuit": "circuit", ".py": "py", ".json": "json",
    ".yaml": "yaml", ".yml": "yaml", ".toml": "toml", ".ll": "ll", ".s": "s", ".o": "o", ".obj": "o", ".so": "o",
}  # fmt: skip
LLVM_TEXT = re.compile(rb"^(?:define |declare |target |source_filename|; ModuleID)", re.MULTILINE)
ASSEMBLY_TEXT = re.compile(rb"(?:\s|(?://|;|#)[^\n]*\n)*\.(?:program|func|pool)\b")
ATLAS_MAGIC = b"\x89ATLAS\r\n"


@dataclass(frozen=True, repr=False)
class Source:
    """A program in some form."""

    kind: str
    """`mlir`, `atlas` (assembly of the Atlas ISA), `atlasb` (its binary), `circuit`, `py`, `json`, `yaml`, `toml`,
    `ll`, `s` or `o`."""
    name: str
    """For messages: the path, or `<text>`."""
    data: bytes
    module: ModuleOp | None = None
    """The module that `data` is the text of, with its places, where one was given. It is not changed."""

    def __repr__(self) -> str:
        return f"<hologram source '{self.name}', {self.kind} of {len(self.data)} bytes>"

    @property
    def is_ir(self) -> bool:
        """True if it goes through our passes."""
        return self.kind not in ("ll", "s", "o")

    @property
    def parts(self) -> tuple[str | bytes, ...]:
        """All that decides what it means: its name, its data, and the files that a Python file takes functions from."""
        if self.kind != "py":
            return self.name, self.data
        from hologram.frontend.kernels.imports import imported_contents

        return self.name, self.data, *imported_contents(self.data, self.name)

    def read(self, ctx: Context) -> ModuleOp:
        """The verified module of a source of IR, which may be changed."""
        with deep_recursion():
            return self._read(ctx)

    def _read(self, ctx: Context) -> ModuleOp:
        if self.module is not None:
            return self.module.clone()
        from hologram.frontend import BINARY_FORMS, get_all_frontends
        from hologram.transforms.analysis.verifier import verify_module

        parse = get_all_frontends()[self.kind]()
        module = parse(self.data if self.kind in BINARY_FORMS else self.text, self.name, ctx)
        verify_module(module)
        return module

    @property
    def text(self) -> str:
        """The data as text."""
        try:
            return self.data.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            message = f"'{self.name}' is not UTF-8 text: byte {error.start} can't be read"
            raise InputError("source-encoding", message, hint=encoding_hint(self.data)) from None


def encoding_hint(data: bytes) -> str:
    """Return what bytes that are no UTF-8 may be."""
    if data.startswith(ARCHIVE_MAGIC):
        return "it is an archive of programs, whose name must end in .holo"
    if data.startswith(ATLAS_MAGIC):
        return "it is a binary of the Atlas ISA, whose name must end in .atlasb"
    if data.startswith(OBJECT_MAGIC):
        return "it is object code, whose name must end in .o"
    if data[:2] in (b"\xff\xfe", b"\xfe\xff"):
        return "it is in UTF-16: save it as UTF-8"
    if b"\0" in data[:1000] or data[:2] == b"\x1f\x8b":
        return "it is a binary file, and no text"
    return "save it as UTF-8"


def read_source(given: Any) -> Source:
    """`given` is a path, the text of a program, the bytes of a file, a ModuleOp, or a Source already."""
    if isinstance(given, Source):
        return given
    if isinstance(given, bytes):
        return text_source(given, "<bytes>")
    if isinstance(given, str) and ("\n" in given or "{" in given):
        return text_source(given.encode(), NAMELESS)
    if isinstance(given, str) and not given:
        raise InputError("source-empty", "an empty text is no program", hint="give the path of a file, or its text")
    if isinstance(given, (str, os.PathLike)):
        return _read_file(Path(given))  # pyright: ignore[reportUnknownArgumentType]
    if getattr(given, "name", None) == "builtin.module":
        return _module_source("<module>", given.clone())
    message = f"a program is a path, IR text, object bytes or a ModuleOp, found {described(given)}"
    hint = "read the text first, or pass the module"
    if callable(getattr(given, "build", None)):
        hint = "pass the module that its build() gives"
    elif callable(given):
        hint = "put @hologram.jit or @hologram.kernel before it, and call it with arrays"
    raise InputError("source-type", message, hint=hint)


def text_source(data: bytes, name: str) -> Source:
    """The source of a text, or of an object file's bytes, whose form shows in itself."""
    if data.startswith(OBJECT_MAGIC):
        return Source("o", name, data)
    if data.startswith(ATLAS_MAGIC):
        return Source("atlasb", name, data)
    kind = "ll" if LLVM_TEXT.search(data) else "atlas" if ASSEMBLY_TEXT.match(data) else "mlir"
    source = Source(kind, name, data)
    register_source(name, source.text)
    return source


def _read_file(path: Path) -> Source:
    kind = KINDS.get(path.suffix.lower())
    if kind is None:
        return _read_with_plugin(path)
    return Source(kind, str(path), _bytes(path))


def _read_with_plugin(path: Path) -> Source:
    """The module of a front end of another package. Its text is what caches know it by: a plugin may change."""
    from hologram.frontend.plugins import find_plugin

    if path.suffix == ".holo":
        hint = f'hologram.load("{path.name}") gives its kernels'
        raise InputError("source-archive", f"'{path}' is an archive of programs, and not one program", hint=hint)
    plugin = find_plugin(path.suffix[1:])
    if plugin is None and not os.path.exists(path):
        _missing(path)
    if os.path.isdir(path):
        raise InputError("source-folder", f"'{path}' is a folder, not a program", hint="name a file in it")
    if plugin is None:
        known = [*KINDS, *(f".{name}" for name in OUTSIDE["front end"])]
        hint = did_you_mean(path.suffix, known) or f"known are {', '.join(known)}"
        message = f"the extension '{path.suffix}' of '{path}' does not say what it holds"
        raise InputError("source-extension", message, hint=hint)
    from hologram.dialects import make_context

    given = Source(path.suffix[1:], str(path), _bytes(path))
    if not plugin.binary:
        register_source(given.name, given.text)
    module = plugin.parse(given.data if plugin.binary else given.text, given.name, make_context())
    return _module_source(given.name, module)


def _module_source(name: str, module: ModuleOp) -> Source:
    return Source("mlir", name, printed(module, located=True).encode(), module)


def printed(module: ModuleOp, *, located: bool) -> str:
    """The text of a module, which reads back as it is; with places or without."""
    from hologram.dialects import make_context
    from hologram.lowering.pipelines.mlir import MlirTarget

    text = StringIO()
    MlirTarget(print_debuginfo=located).emit(make_context(), module, text)
    return text.getvalue()


def _bytes(path: Path) -> bytes:
    try:
        return read_file(path)
    except (FileNotFoundError, ValueError):  # No name of a file has a zero byte.
        _missing(path)
    except OSError as error:
        raise InputError("source-unreadable", f"'{path}' can't be read: {error.strerror}") from None


def _missing(path: Path) -> NoReturn:
    raise InputError("source-missing", f"there is no file '{path}'", hint=_nearby(path)) from None


def _nearby(path: Path) -> str | None:
    if os.path.islink(path):
        return f"it is a link to '{os.readlink(path)}', which is not there"
    try:
        names = os.listdir(path.parent)
    except (OSError, ValueError):
        return f"there is no folder '{path.parent}'"
    near = did_you_mean(path.name, names)
    if path.suffix or near:
        return near
    return f"nothing in '{path.parent}' is called so; text of a program is recognised by its line breaks or braces"
