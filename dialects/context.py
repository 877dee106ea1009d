"""The context that programs are read in: operations that are rows become classes when one is met, and what is none of
ours is looked for in plug-ins."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from xdsl.context import Context
from xdsl.ir import Attribute, Operation, TypeAttribute

from hologram.dialects import extend, outside_dialects
from hologram.dialects.custom.rows import RowDialect
from hologram.plugins import discover

FoundT = TypeVar("FoundT")


class LateContext(Context):
    """A context that loads the installed plug-ins where a name of a dialect is not known."""

    def clone(self) -> LateContext:
        return LateContext(**vars(super().clone()))

    def load_registered_dialect(self, name: str) -> None:
        """Loads a dialect, without the operations that are rows of it."""
        dialect = self._registered_dialects[name]() if name in self._registered_dialects else None
        if not isinstance(dialect, RowDialect):
            super().load_registered_dialect(name)
            return
        self._loaded_dialects[name] = dialect
        for op in dialect.classes.operations:
            self.load_op(op)
        for attribute in dialect.classes.attributes:
            self.load_attr_or_type(attribute)

    def _get_known_op(self, name: str) -> type[Operation] | None:
        if (known := super()._get_known_op(name)) is not None:
            return known
        dialect = self._loaded_dialects.get(name.partition(".")[0])
        row = dialect.operation(name) if isinstance(dialect, RowDialect) else None
        if row is not None:
            self.load_op(row)
        return row

    def get_optional_op(self, name: str, *, dialect_stack: Sequence[str] = ()) -> type[Operation] | None:
        return self._found(name, lambda: super(LateContext, self).get_optional_op(name, dialect_stack=dialect_stack))

    def get_optional_type(self, name: str) -> type[TypeAttribute] | None:
        dialect = self._loaded_dialects.get(name.partition(".")[0])
        known = isinstance(dialect, RowDialect) and dialect.has_all_types
        allowed, self.allow_unregistered = self.allow_unregistered, self.allow_unregistered and not known
        try:
            return self._found(name, lambda: super(LateContext, self).get_optional_type(name))
        finally:
            self.allow_unregistered = allowed

    def get_optional_attr(self, name: str) -> type[Attribute] | None:
        return self._found(name, lambda: super(LateContext, self).get_optional_attr(name))

    def _found(self, name: str, find: Callable[[], FoundT | None]) -> FoundT | None:
        allowed, self.allow_unregistered = self.allow_unregistered, False
        try:
            found = find()
            if found is None and "." in name and (self._load_rows(name) or self._extend()):
                found = find()
        finally:
            self.allow_unregistered = allowed
        return find() if found is None and allowed else found

    def _load_rows(self, name: str) -> bool:
        """Takes in the attributes that stand beside the rows of a dialect; whether the one of this name is there."""
        dialect = self._loaded_dialects.get(name.partition(".")[0])
        late = dialect.late_attributes if isinstance(dialect, RowDialect) else ()
        new = [a for a in late if a.name not in self._loaded_attrs and a.name not in self._loaded_types]
        for attribute in new:
            self.load_attr_or_type(attribute)
        return any(attribute.name == name for attribute in new)

    def _extend(self) -> bool:
        """Takes in what plug-ins have brought; whether there is anything."""
        discover()
        dialects = {n: d for n, d in outside_dialects().items() if n not in self._registered_dialects}
        for name, dialect in dialects.items():
            self.register_dialect(name, dialect)
        for dialect in self._loaded_dialects.values():
            extend(dialect)
        classes = [d.classes if isinstance(d, RowDialect) else d for d in self._loaded_dialects.values()]
        new = [op for dialect in classes for op in dialect.operations if op.name not in self._loaded_ops]
        for op in new:
            self.load_op(op)
        return bool(dialects or new)
