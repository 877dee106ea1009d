"""`symbol-dce`: removes private functions and globals that nothing refers to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, ModuleOp, StringAttr, SymbolRefAttr
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter
from xdsl.traits import SymbolTable

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.ir import Attribute, Operation


@dataclass(frozen=True)
class SymbolDcePass(ModulePass):
    """Removes private symbols that no symbol which stays refers to, in the module and in symbol tables inside it.

    Before::

        func.func private @used() { func.return }
        func.func private @unused() { func.return }
        func.func @main() {
          func.call @used() : () -> ()
          func.return
        }

    After::

        func.func private @used() { func.return }
        func.func @main() {
          func.call @used() : () -> ()
          func.return
        }
    """

    name = "symbol-dce"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for table in [inner for inner in op.walk() if inner.has_trait(SymbolTable)]:
            _clean(table)


def _clean(table: Operation) -> None:
    private: dict[str, Operation] = {}
    waiting: list[Operation] = []
    for region in table.regions:
        for op in region.walk():
            if op.parent_op() is table and (name := _private_name(op)) is not None:
                private[name] = op
            elif op.parent_op() is table:
                waiting.append(op)
    if not private:
        return
    kept: set[str] = set()
    while waiting:
        for name in _references(waiting.pop()):
            if name in private and name not in kept:
                kept.add(name)
                waiting.append(private[name])
    for name, op in private.items():
        if name not in kept:
            Rewriter.erase_op(op)


def _private_name(op: Operation) -> str | None:
    """The name of a private symbol; None for what is visible or no symbol."""
    name = op.get_attr_or_prop("sym_name")
    visibility = op.get_attr_or_prop("sym_visibility")
    if not isinstance(name, StringAttr) or not isinstance(visibility, StringAttr) or visibility.data != "private":
        return None
    return name.data


def _references(op: Operation) -> Iterator[str]:
    for inner in op.walk():
        for attribute in (*inner.attributes.values(), *inner.properties.values()):
            yield from _names(attribute)


def _names(attribute: Attribute) -> Iterator[str]:
    match attribute:
        case SymbolRefAttr():
            yield attribute.root_reference.data
            yield from (nested.data for nested in attribute.nested_references)
        case ArrayAttr():
            for element in attribute.data:
                yield from _names(element)
        case DictionaryAttr():
            for element in attribute.data.values():
                yield from _names(element)
        case _:
            return
