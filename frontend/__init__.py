"""The front ends: each input form of the tools has a function that reads it into a module."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

from hologram.plugins.tables import KINDS

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    Frontend = Callable[[Any, str, Context], ModuleOp]
    """Reads a text (bytes, of BINARY_FORMS), which errors call by the given name, into a module."""

ASSEMBLY_FORMS = {"atlas-asm": "atlas", "atlas-binary": "atlasb"}
"""The two prints of the machine form, and their file extensions."""
BINARY_FORMS = frozenset({"atlas-binary", "atlasb"})
"""Our input forms that are no text; `is_binary` knows those of plugins too."""


_READERS = {
    "mlir": "mlir:parse_module",
    **dict.fromkeys(("atlas", "atlas-asm"), "assembler:parse_assembly"),
    **dict.fromkeys(("atlasb", "atlas-binary"), "atlas_binary:parse_binary"),
    "py": "kernels:parse_python",
    "json": "kernels:parse_json",
    "toml": "kernels:parse_toml",
    **dict.fromkeys(("yaml", "yml"), "kernels:parse_yaml"),
    "circuit": "circuits:parse_circuit",
}
"""By form or file extension, the module of this package and the function in it that reads such files."""


def get_all_frontends() -> dict[str, Callable[[], Frontend]]:
    """File extension (without its dot), or the form's name, to a factory of what reads such files."""
    return {form: partial(_load, place) for form, place in _READERS.items()}


def _load(place: str) -> Frontend:
    module, _, function = place.partition(":")
    return getattr(import_module(f"hologram.frontend.{module}"), function)


def find_frontend(form: str) -> Frontend | None:
    """Return the function that reads a form, or files of that extension: ours or a plugin's; None if there is none."""
    ours = get_all_frontends().get(form)
    if ours is not None:
        return ours()
    from hologram.frontend.plugins import find_plugin

    plugin = find_plugin(form)
    return plugin and plugin.parse


def is_binary(form: str) -> bool:
    """Return whether the form is bytes, and no text."""
    if form in BINARY_FORMS or form in get_all_frontends():
        return form in BINARY_FORMS
    from hologram.frontend.plugins import find_plugin

    plugin = find_plugin(form)
    return plugin is not None and plugin.binary


def all_forms() -> list[str]:
    """The names of all forms, with those of plugins, for messages."""
    return [*get_all_frontends(), *KINDS["front end"].all()]


def names_of_ours() -> set[str]:
    """The forms, and the extensions of files, that are no plug-in's."""
    return {*_READERS, "ll", "s", "o", "obj", "so", "holo"}
