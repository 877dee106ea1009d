"""The context that programs are read in: what is none of ours is looked for in plug-ins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.context import Context
from xdsl.ir import Attribute, Operation, TypeAttribute

from hologram.dialects import extend, outside_dialects
from hologram.plugins import discover

FoundT = TypeVar("FoundT")


class LateContext(Context):
    """A context that loads the installed plug-ins where a name of a dialect is not known."""

    def clone(self) -> LateContext:
        return LateContext(**vars(super().clone()))

    def get_optional_op(self, name: str, *, dialect_stack: Sequence[str] = ()) -> type[Operation] | None:
        return self._found(name, lambda: super(LateContext, self).get_optional_op(name, dialect_stack=dialect_stack))

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        return self._found(name, lambda: super(LateContext, self).get_optional_type(name))

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        return self._found(name, lambda: super(LateContext, self).get_optional_attr(name))

    def _found(self, name: str, find: Callable[[], FoundT | None]) -> FoundT | None:
        allowed, self.allow_unregistered = self.allow_unregistered, False
        try:
            found = find()
            if found is None and "." in name and self._extend():
                found = find()
        finally:
            self.allow_unregistered = allowed
        return find() if found is None and allowed else found

    def _extend(self) -> bool:
        """Takes in what plug-ins have brought; whether there is anything."""
        discover()
        dialects = {n: d for n, d in outside_dialects().items() if n not in self._registered_dialects}
        for name, dialect in dialects.items():
            self.register_dialect(name, dialect)
        for dialect in self._loaded_dialects.values():
            extend(dialect)
        new = [op for d in self._loaded_dialects.values() for op in d.operations if op.name not in self._loaded_ops]
        for op in new:
            self.load_op(op)
        return bool(dialects or new)
