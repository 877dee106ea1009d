"""One table for what is registered by operation: rules, writers, folds, checks and handlers alike."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeAlias, TypeVar

if TYPE_CHECKING:
    from xdsl.ir import Operation

EntryT = TypeVar("EntryT")
Key: TypeAlias = "type[Operation] | str"
"""An operation's class, or its name where the class is not imported."""


class Registry(Generic[EntryT]):
    """A table from types of operations to entries, most often functions.

    A class stands for the classes derived from it too, unless they have entries of their own: dialects that stand in
    for xDSL's derive their operations from its. Names are looked up after classes.

    Example::

        WRITERS = Registry[Writer](missing=lambda op: PassError(op, "text-operation", f"'{op.name}' has no text"))

        @WRITERS.on(arith.AddiOp, "llvm.add")
        def add(text: Text, op: Operation) -> None: ...

        WRITERS.of(op)(text, op)
    """

    def __init__(
        self, table: Mapping[Any, EntryT] | None = None, *, missing: Callable[[Operation], Exception] | None = None
    ):
        self.table: dict[Key, EntryT] = dict(table or {})
        self.missing = missing
        """Makes the error of an operation that has no entry."""
        self._found: dict[type[Operation], EntryT | None] = {}

    def on(self, *keys: Key) -> Callable[[EntryT], EntryT]:
        """Registers what it decorates for each of `keys`."""

        def register(entry: EntryT) -> EntryT:
            self.update(dict.fromkeys(keys, entry))
            return entry

        return register

    def update(self, table: Mapping[Any, EntryT]) -> None:
        """Registers the entries of `table`; they replace those that are there."""
        self.table |= table
        self._found.clear()

    def find(self, kind: type[Operation]) -> EntryT | None:
        """The entry for a class: its own, that of the class it derives from, or that of its name."""
        try:
            return self._found[kind]
        except KeyError:
            entries = (self.table[key] for key in (*kind.__mro__, kind.name) if key in self.table)
            entry = self._found[kind] = next(entries, None)
            return entry

    def of(self, op: Operation) -> EntryT:
        """The entry for an operation; raises the registry's error where there is none."""
        entry = self.find(type(op))
        if entry is None:
            raise KeyError(op.name) if self.missing is None else self.missing(op)
        return entry
