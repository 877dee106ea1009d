"""Rules of upstream's llvm dialect about what symbols name: functions that are called, globals, blocks with tags."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias, cast

from xdsl.dialects.builtin import NoneAttr, SymbolRefAttr
from xdsl.ir import Attribute, Operation

from hologram.errors import VerifyError

if TYPE_CHECKING:
    from xdsl.dialects.llvm import LLVMPointerType

Find: TypeAlias = Callable[[Attribute | None], Operation | None]
"""What a symbol names where an operation stands, if it is there."""


def _need(holds: bool, message: str) -> None:
    """Refuse an operation whose symbol does not name what it must, with what does not hold of it."""
    if not holds:
        raise VerifyError("llvm-symbol", message)


def _check(op: Operation, symbol: SymbolRefAttr, find: Find, *kinds: str) -> Any:
    """What a symbol names, which is one of some operations."""
    found = find(symbol)
    _need(found is not None, f"'{op.name}' names {symbol}, which is not there")
    is_one = found is not None and found.name in kinds
    _need(is_one, f"'{op.name}' names {symbol}, which is none of {', '.join(kinds)}")
    return found


def check_call(op: Any, find: Find) -> None:
    """A call names a function of this dialect."""
    if op.callee is not None:
        _check(op, op.callee, find, "llvm.func", "llvm.mlir.ifunc")


def check_address(op: Any, find: Find) -> None:
    """What has an address is a global or a function, and the pointer is of its address space."""
    kinds = ("llvm.mlir.global", "llvm.func", "llvm.mlir.alias", "llvm.mlir.ifunc")
    found = _check(op, op.global_name, find, *kinds)
    if found.name == "llvm.mlir.global":
        space, given = found.addr_space.value.data, cast("LLVMPointerType", op.result.type).addr_space
        fits = space == (0 if isinstance(given, NoneAttr) else given.data)
        _need(fits, f"'{op.name}' gives a {op.result.type}, and {op.global_name} is in address space {space}")


def check_equivalent(op: Any, find: Find) -> None:
    """It stands for a function."""
    _check(op, op.function_name, find, "llvm.func", "llvm.mlir.alias")


def check_resolver(op: Any, find: Find) -> None:
    """A function chooses."""
    _check(op, op.resolver, find, "llvm.func", "llvm.mlir.alias")


def check_comdat(op: Any, find: Find) -> None:
    """A function or a global is kept as a selector says."""
    if isinstance(symbol := op.get_attr_or_prop("comdat"), SymbolRefAttr):
        _check(op, symbol, find, "llvm.comdat_selector")
    if op.name == "llvm.func":
        tags = [inner.tag for inner in _tags(op)]
        _need(len({*tags}) == len(tags), f"two blocks of @{op.sym_name.data} have one tag")


def _tags(function: Any) -> list[Any]:
    return [op for block in function.body.blocks for op in block.ops if op.name == "llvm.blocktag"]


def check_block(op: Any, find: Find) -> None:
    """The block of an address has a tag, in a function."""
    address = op.block_addr
    found = _check(op, address.function, find, "llvm.func")
    is_there = address.tag in [inner.tag for inner in _tags(found)]
    _need(is_there, f"no block of {address.function} has the tag {address.tag.id.data}")


def check_list(op: Any, find: Find) -> None:
    """What runs before or behind a program are functions."""
    for symbol in op.ctors if op.name == "llvm.mlir.global_ctors" else op.dtors:
        _check(op, symbol, find, "llvm.func")


LLVM_SYMBOLS: Mapping[str, Callable[[Any, Find], None]] = {
    "llvm.blockaddress": check_block,
    "llvm.call": check_call,
    "llvm.dso_local_equivalent": check_equivalent,
    "llvm.func": check_comdat,
    "llvm.mlir.addressof": check_address,
    "llvm.mlir.global": check_comdat,
    "llvm.mlir.global_ctors": check_list,
    "llvm.mlir.global_dtors": check_list,
    "llvm.mlir.ifunc": check_resolver,
}
"""The rules by names of operations."""
