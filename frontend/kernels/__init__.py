"""Kernels from Python, JSON, YAML and TOML: one document, one kernel form."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.frontend.kernels.model import Document


def parse_python(text: Any, name: str, ctx: Context) -> ModuleOp:
    """The module of a Python file: each function under `@hologram.kernel` in it. Nothing in it is run."""
    from hologram.frontend.kernels.files import python_documents

    return module_of(python_documents(text, name), ctx)


def parse_json(text: Any, name: str, ctx: Context) -> ModuleOp:
    """The module of a JSON kernel document, or of several."""
    from hologram.frontend.kernels.document import read_all

    return module_of(read_all(text, name), ctx)


def parse_yaml(text: Any, name: str, ctx: Context) -> ModuleOp:
    """The module of the kernel documents in a YAML text."""
    from hologram.frontend.kernels.files import yaml_documents

    return module_of(yaml_documents(text, name), ctx)


def parse_toml(text: Any, name: str, ctx: Context) -> ModuleOp:
    """The module of the kernel documents in a TOML text."""
    from hologram.frontend.kernels.files import toml_documents

    return module_of(toml_documents(text, name), ctx)


def module_of(documents: list[Document], ctx: Context) -> ModuleOp:
    """The module of kernel documents."""
    from hologram.frontend.kernels.build import build

    for name in ("hologram", "atlas", "memref", "arith"):
        ctx.get_optional_dialect(name)
    return build(*documents)
