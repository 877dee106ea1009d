"""What plug-ins bring, by kind and name. The parts of the project that hold what is ours ask here for the rest."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from importlib import import_module
from typing import TYPE_CHECKING, Any, NoReturn

from hologram.errors import InputError, Where, did_you_mean
from hologram.plugins import discover

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


class Row:
    """One thing of a plug-in: itself, or the place `module:name` that it is imported from when it is asked for."""

    def __init__(self, kind: str, name: str, given: Any, plugin: str, where: Where | None, **more: Any):
        self.kind = kind
        self.name = name
        self.plugin = plugin
        self.where = where
        self.more = more
        """What else is said of it."""
        self._given = given
        self._is_checked = False

    @property
    def is_late(self) -> bool:
        """Return whether it was not imported yet."""
        return isinstance(self._given, str) or hasattr(self._given, "load")

    @property
    def thing(self) -> Any:
        """What it is. An InputError that names the plug-in if it can't be loaded, or is of another kind."""
        if not self._is_checked:
            self._given = imported(self._given, self) if self.is_late else self._given
            if (fault := KINDS[self.kind].wrong(self.name, self._given)) is not None:
                raise InputError(
                    "plugin-thing", f"the {self.kind} '{self.name}' of the plug-in '{self.plugin}' {fault}",
                    hint="docs/plugins.mdx shows what a plug-in gives for each kind", where=self.where,
                )  # fmt: skip
            self._is_checked = True
        return self._given


def found(place: str) -> Any:
    """What the place `module:name` holds; what that gives, if it is a function without parameters."""
    module, _, name = place.partition(":")
    value = getattr(import_module(module), name)
    return value() if callable(value) else value


def imported(place: str | EntryPoint, row: Row) -> Any:
    """What the place `module:name` holds."""
    try:
        if not isinstance(place, str):
            return place.load()
        module, _, name = place.partition(":")
        return getattr(import_module(module), name)
    except Exception as error:
        from hologram.plugins.faults import described, place_of

        raise InputError(
            "plugin-late",
            f"the {row.kind} '{row.name}' of the plug-in '{row.plugin}' can't be loaded from "
            f"'{getattr(place, 'value', place)}': {described(error)}",
            hint="it must be the name of a module and of what it holds: 'module:Name'",
            where=place_of(error, ()) or row.where,
        ) from error


class Kind:
    """A kind of things that plug-ins bring."""

    def __init__(self, ours: str, faults: str = ""):
        self.ours = ours
        """The place of what gives the names that are ours: a collection, or a function that returns one."""
        self.faults = faults
        """The place of a function `(name, thing)` that says what is wrong with a thing, or gives None."""
        self.rows: dict[str, Row] = {}
        self._followers: list[Callable[[Row], None]] = []

    def taken(self) -> Collection[str]:
        """The names that are ours."""
        return found(self.ours)

    def wrong(self, name: str, thing: Any) -> str | None:
        """Return what is wrong with a thing, if anything is."""
        if not self.faults:
            return None
        module, _, function = self.faults.partition(":")
        return getattr(import_module(module), function)(name, thing)

    def check(self, row: Row, others: Sequence[Row]) -> None:
        """Refuses a thing whose name is taken, by ours, by another plug-in or by one of `others`, or that is of another
        kind; what is imported later is looked at then."""
        other = self.rows.get(row.name) or next((o for o in others if (o.kind, o.name) == (row.kind, row.name)), None)
        if other is not None:
            self.refuse(row, f"of the plug-in '{other.plugin}'")
        if row.name in self.taken():
            self.refuse(row, "Hologram's own")
        if not row.is_late:
            row.thing  # noqa: B018  It is looked at now.

    def refuse(self, row: Row, whose: str) -> NoReturn:
        """Raises the error of a name that is taken."""
        raise InputError(
            "plugin-taken",
            f"the plug-in '{row.plugin}' brings the {row.kind} '{row.name}', a name that is taken: it is {whose}",
            hint="give it another name", where=row.where,
        )  # fmt: skip

    def add(self, row: Row) -> None:
        """Takes a thing in."""
        self.rows[row.name] = row
        for follower in self._followers:
            follower(row)

    def follow(self, follower: Callable[[Row], None]) -> None:
        """Calls a function with each thing there is, and with each that comes."""
        self._followers.append(follower)
        for row in list(self.rows.values()):
            follower(row)

    def find(self, name: str) -> Row | None:
        """The thing of a name; the installed plug-ins are loaded where the others bring none."""
        if name not in self.rows:
            discover()
        return self.rows.get(name)

    def all(self) -> dict[str, Row]:
        """Everything, of installed plug-ins too."""
        discover()
        return self.rows

    def __iter__(self) -> Iterator[str]:
        return iter(self.rows)

    def near(self, name: str) -> str | None:
        """A hint that names the nearest."""
        return did_you_mean(name, self.all())


_CHECKS = "hologram.plugins.loading.checks"
_PIPELINES = "hologram.lowering.pipelines.pipelines"
KINDS: dict[str, Kind] = {
    "dialect": Kind("hologram.dialects:names_of_ours", f"{_CHECKS}:dialect"),
    "operation": Kind("hologram.dialects:operations_of_ours", f"{_CHECKS}:operation"),
    "pass": Kind(f"{_PIPELINES}:names_of_ours", f"{_CHECKS}:passes"),
    "pipeline": Kind(f"{_PIPELINES}:names_of_ours", f"{_CHECKS}:pipeline"),
    "output form": Kind(f"{_PIPELINES}:targets_of_ours", f"{_CHECKS}:target"),
    "front end": Kind("hologram.frontend:names_of_ours", f"{_CHECKS}:frontend"),
    "device": Kind("hologram.runtime.devices:names_of_ours", f"{_CHECKS}:device"),
    "instruction": Kind("hologram.dialects.atlas.instructions.composites:names_of_ours"),
    "function": Kind("hologram.ops:__all__", f"{_CHECKS}:function"),
    "mark": Kind("hologram.dialects.marks:MARKS", f"{_CHECKS}:mark"),
    "schedule": Kind("hologram.lowering.schedules:names_of_ours", f"{_CHECKS}:schedule"),
}
"""By kind, as errors call it."""
