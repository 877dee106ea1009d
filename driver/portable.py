"""Sources under names that do not depend on where their files lie, with kernels for several element types: what is
compiled ahead of time."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import TYPE_CHECKING

from hologram.driver.source import Source
from hologram.errors import InputError
from hologram.frontend.kernels.imports import library_folder

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.frontend.kernels.model import Document

LIBRARY_NAME = ("hologram", "kernels")
DOCUMENTS = frozenset({"py", "json", "yaml", "toml"})
"""The kinds of sources that are kernel documents."""


@dataclass(frozen=True)
class PortableSource(Source):
    """A source whose IR names no folder of this machine: its file is called by the source's name, and the library's
    files by its package."""

    path: str = ""
    """Where its file is read, if that is not its name."""
    types: tuple[str, ...] = ()
    """What element types of kernels may be; none: what each is by default."""
    kernels: tuple[str, ...] = ()
    """The names of those that count; none: all."""

    @staticmethod
    def of(source: Source, path: str = "", types: Sequence[str] = ()) -> PortableSource:
        """A source that is read from the file at `path`, with kernels for element types."""
        return PortableSource(source.kind, source.name, source.data, source.module, path, tuple(types))

    @property
    def parts(self) -> tuple[str | bytes, ...]:
        """All that decides what the source means, wherever its file lies."""
        _, *contents = self._located.parts
        return self.name, f"{','.join(self.types)} {','.join(self.kernels)}", *contents

    @property
    def _located(self) -> Source:
        """The source, named by the path that it has here."""
        return Source(self.kind, self.path or self.name, self.data, self.module)

    def read(self, ctx: Context) -> ModuleOp:
        """The verified module of the source."""
        if self.kind not in DOCUMENTS:
            return super().read(ctx)
        from hologram.frontend.kernels import module_of
        from hologram.transforms.analysis.verifier import verify_module

        module = module_of(self.documents(), ctx)
        verify_module(module)
        return module

    @property
    def chooses(self) -> bool:
        """Return whether a kernel of it has an element type that may be one of `types`."""
        documents = _documents(self._located) if self.kind in DOCUMENTS else []
        return any({*self.types}.intersection(may_be) for d in documents for may_be in d.types.values())

    def documents(self) -> list[Document]:
        """The kernels of a source as documents. Raises an InputError for a source that is of another kind."""
        from hologram.frontend.kernels.choices import variants

        documents = [_renamed(d, self.path or self.name, self.name) for d in _documents(self._located)]
        made = [v for d in documents for v in variants(d, self.types)] if self.types else documents
        return [d for d in made if d.kernel.name in self.kernels] if self.kernels else made


def _documents(source: Source) -> list[Document]:
    from hologram.frontend.kernels import document, files

    readers = {"py": files.python_documents, "json": document.read_all}
    readers |= {"toml": files.toml_documents, "yaml": files.yaml_documents}
    if source.kind not in readers:
        raise InputError(
            "compile-no-document",
            f"'{source.name}' holds no kernel that could be a JSON document",
            hint="documents are made of kernels in Python, JSON, YAML and TOML",
        )
    return readers[source.kind](source.text, source.name)


def _renamed(document: Document, path: str, name: str) -> Document:
    """A document whose places begin as its name, not as its path; so do those of functions from files beside it, and
    those of the library begin as its package."""
    here, named = PurePath(path).parts, PurePath(name).parts
    common = len(os.path.commonprefix([here[::-1], named[::-1]]))
    roots = [(library_folder().parts, LIBRARY_NAME), (here[: len(here) - common], named[: len(named) - common])]

    def renamed(file: str) -> str:
        parts = PurePath(file).parts
        for root, head in roots:
            if parts[: len(root)] == root:
                return PurePath(*head, *parts[len(root) :]).as_posix()
        return file

    functions = tuple(replace(f, source=renamed(f.source)) if f.source else f for f in document.functions)
    return replace(document, source=renamed(document.source), functions=functions)
