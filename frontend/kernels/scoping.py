"""Which names of a body are values: those that no place reads after it may have been assigned anew."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any, cast

from hologram.frontend.kernels import model

Path = tuple[int, ...]
"""Where a statement stands: the numbers of the bodies around it, the outermost first."""


def changing(params: Sequence[model.Parameter], body: Sequence[model.Statement]) -> set[str]:
    """The names that are variables: assigned again where they have a value, or read outside of the body of a statement
    that assigned them. All others hold one value wherever they are read, which stands before in the same bodies."""
    names = _Names()
    for parameter in params:
        names.assign(parameter.name, ())
    names.statements(body, ())
    return names.found


class _Names:
    """Goes through a body in the order of its text."""

    def __init__(self) -> None:
        self.found: set[str] = set()
        self.places: dict[str, list[Path]] = {}
        """Where each name is assigned, the last place last."""
        self.bodies = 0

    def assign(self, name: str, path: Path) -> None:
        places = self.places.setdefault(name, [])
        if any(path[: len(p)] == p for p in places):
            self.found.add(name)
        places.append(path)

    def read(self, name: str, path: Path) -> None:
        last = self.places.get(name, [None])[-1]
        if last is None or path[: len(last)] != last:
            self.found.add(name)

    def statements(self, body: Sequence[model.Statement], path: Path) -> None:
        for statement in body:
            self._statement(statement, path)

    def _inside(self, path: Path) -> Path:
        self.bodies += 1
        return (*path, self.bodies)

    def _statement(self, s: model.Statement, path: Path) -> None:
        match s:
            case model.Let():
                self.expression(s.value, path)
                self.assign(s.name, path)
            case model.Assign(target=model.Var(name=name)):
                self.expression(s.value, path)
                self.assign(name, path)
                self.found.add(name)
            case model.If():
                self.expression(s.condition, path)
                self.statements(s.then, self._inside(path))
                self.statements(s.otherwise, self._inside(path))
            case model.For():
                for bound in (s.start, s.stop, s.step):
                    self.expression(bound, path)
                inside = self._inside(path)
                self.assign(s.variable, inside)
                self.statements(s.body, inside)
            case model.While():
                self.expression(s.condition, path)
                self.statements(s.body, self._inside(path))
            case _:
                self.expression(s, path)

    def expression(self, value: Any, path: Path) -> None:
        """Reads the names in a part of a document that holds expressions alone."""
        if isinstance(value, model.Var):
            self.read(value.name, path)
        elif isinstance(value, tuple | list):
            for part in cast("Sequence[Any]", value):
                self.expression(part, path)
        elif is_dataclass(value) and not isinstance(value, model.At):
            for field in fields(value):
                self.expression(getattr(value, field.name), path)
