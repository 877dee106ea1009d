"""Front ends of other packages: what the entry point group `hologram.frontends` leads to.

    [project.entry-points."hologram.frontends"]
    rpn = "hologram_rpn:FRONTEND"

The name is the form, as `hologram-opt -f` takes it, and the extension of its files; what it leads to is a
`FrontendPlugin`. A plugin can't take the place of a form of ours.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import EntryPoint
from typing import TYPE_CHECKING, Any, cast

from hologram.errors import HologramError, InputError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.frontend import Frontend

GROUP = "hologram.frontends"
"""The entry point group."""


@dataclass(frozen=True)
class FrontendPlugin:
    """A front end of another package."""

    read: Frontend
    """Reads a program into a module: `read(text, name, context)`, where `name` is what errors call the program.

    It raises an InputError with the place for what is wrong with the program."""
    binary: bool = False
    """Whether it reads bytes, and no text."""


@dataclass(frozen=True)
class Installed:
    """A plugin as it is called: what it raises or gives that it must not becomes an error that names it."""

    point: EntryPoint
    plugin: FrontendPlugin

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
        return _broken(self.point, what, f"that is a fault of {_package(self.point)}; tell those who write it")


def plugin_names() -> list[str]:
    """The names of the forms that plugins bring."""
    return sorted(_points())


def find_plugin(form: str) -> Installed | None:
    """The installed plugin for the form; None if there is none. An InputError if it can't be loaded."""
    point = _points().get(form)
    if point is None:
        return None
    hint = f"it comes from {_package(point)}: install it anew, or without it choose another form"
    try:
        plugin = point.load()
    except Exception as error:
        raise _broken(point, f"can't be loaded: {type(error).__name__}: {error}", hint) from error
    if not isinstance(plugin, FrontendPlugin):
        raise _broken(point, f"is no FrontendPlugin, but {type(plugin).__name__}", hint)
    return Installed(point, plugin)


def _broken(point: EntryPoint, what: str, hint: str) -> InputError:
    return InputError("frontend-plugin", f"the front end '{point.name}' {what}", hint=hint)


def _points() -> dict[str, EntryPoint]:
    # To look for them costs milliseconds, so it waits until a form is asked for that is not ours.
    from importlib.metadata import entry_points

    return {point.name: point for point in entry_points(group=GROUP)}


def _package(point: EntryPoint) -> str:
    return f"the package '{point.dist.name}'" if point.dist is not None else f"'{point.value}'"
