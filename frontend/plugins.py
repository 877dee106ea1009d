"""Front ends of plug-ins: `plugin.frontend("rpn", FrontendPlugin(read))`.

The name is the form, as `hologram-opt -f` takes it, and the extension of its files.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, cast

from hologram.errors import HologramError, InputError
from hologram.plugins.tables import KINDS, Row

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.frontend import Frontend


@dataclass(frozen=True)
class FrontendPlugin:
    """A front end of a plug-in."""

    read: Frontend
    """Reads a program into a module: `read(text, name, context)`, where `name` is what errors call the program.

    It raises an InputError with the place for what is wrong with the program."""
    binary: bool = False
    """Whether it reads bytes, and no text."""


@dataclass(frozen=True)
class Installed:
    """A plugin as it is called: what it raises or gives that it must not becomes an error that names it."""

    row: Row

    @property
    def plugin(self) -> FrontendPlugin:
        """What it is."""
        return self.row.thing

    @property
    def binary(self) -> bool:
        """Return whether it reads bytes."""
        return self.plugin.binary

    def parse(self, data: Any, name: str, ctx: Context) -> ModuleOp:
        """Reads a program."""
        from xdsl.dialects.builtin import ModuleOp

        try:
            module = cast(Any, self.plugin.read(data, name, ctx))
        except HologramError:
            raise
        except Exception as error:
            raise self._fault(f"failed on '{name}': {type(error).__name__}: {error}") from error
        if not isinstance(module, ModuleOp):
            raise self._fault(f"gives for '{name}' no ModuleOp, but {type(module).__name__}")
        return module

    def _fault(self, what: str) -> InputError:
        message, hint = f"the front end '{self.row.name}' {what}", "that is a fault of the plug-in, not of your program"
        return InputError("frontend-plugin", f"{message} (it is of the plug-in '{self.row.plugin}')", hint=hint)


def find_plugin(form: str) -> Installed | None:
    """The front end of a plug-in for the form; None if there is none. An InputError if it can't be loaded."""
    row = KINDS["front end"].find(form)
    return None if row is None else Installed(row)
