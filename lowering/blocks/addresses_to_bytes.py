"""Has kernels reach arrays of bytes, such as class memory, by places in them, for devices without addresses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import AnyFloat, IndexType, IntegerType, MemRefType, ModuleOp, i8, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu, llvm
from hologram.dialects.op_builder import OpBuilder
from hologram.lowering.blocks.split_wide_integers import base_of, inline_functions, terms_of
from hologram.support.walking import operations

Access = llvm.LoadOp | llvm.StoreOp


@dataclass(frozen=True)
class AddressesToBytesPass(ModulePass):
    """Turns llvm.load and llvm.store in gpu.modules into accesses to bytes of a memref of i8, where the address is the
    sum of that memref's own and of a number. Functions that have such accesses come in line.

    Before::

        %start = memref.extract_aligned_pointer_as_index %classes : memref<?xi8> -> index
        %base = arith.index_cast %start : index to i64
        %address = arith.addi %base, %offset : i64
        %pointer = llvm.inttoptr %address : i64 to !llvm.ptr
        %x = llvm.load %pointer : !llvm.ptr -> i16

    After::

        %short = arith.trunci %offset : i64 to i32
        %place = arith.index_cast %short : i32 to index
        %low = memref.load %classes[%place] : memref<?xi8>
        %next = arith.addi %place, %c1 : index
        %high = memref.load %classes[%next] : memref<?xi8>
        ... the bytes joined to an i16
    """

    name = "addresses-to-bytes"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            inline_functions(module, lambda o: isinstance(o, Access))
            for access in [o for o in operations(module) if isinstance(o, Access)]:
                _convert(access)


def _bits(type: Attribute) -> int:
    """The width of a number of whole bytes; 0 of other types."""
    bits = type.bitwidth if isinstance(type, IntegerType | AnyFloat) else 0
    return bits if bits % 8 == 0 else 0


def _convert(op: Access) -> None:
    pointer: Any = op.addr.owner
    type = op.res.type if isinstance(op, llvm.LoadOp) else op.value.type
    bits = _bits(type)
    if not bits or not isinstance(pointer, llvm.IntToPtrOp):
        return
    terms = terms_of(pointer.arg)
    bases = {term: buffer for term in terms if (buffer := base_of(term)) is not None}
    if len(bases) != 1:
        return
    ((base, buffer),) = bases.items()
    kind = cast("MemRefType[Attribute]", buffer.type)
    if kind.element_type != i8 or kind.get_num_dims() != 1:
        return
    at = OpBuilder(op)
    places = _places(at, [term for term in terms if term is not base], bits // 8)
    word = IntegerType(bits)
    if isinstance(op, llvm.LoadOp):
        parts = [at.core.resize(at.load(buffer, place), word, signed=False) for place in places]
        whole = parts[0]
        for number, part in enumerate(parts[1:], 1):
            whole = at.core.either(whole, at.core.shl(part, 8 * number))
        Rewriter.replace_op(op, [], [at.core.bits(whole, type)])
    else:
        whole = at.core.bits(op.value, word)
        for number, place in enumerate(places):
            at.store(
                at.core.resize(at.core.shr(whole, 8 * number) if number else whole, i8, signed=False), buffer, place
            )
        Rewriter.erase_op(op)
    if not pointer.results[0].uses:
        Rewriter.erase_op(cast("Operation", pointer))


def _places(at: OpBuilder, terms: list[SSAValue], count: int) -> list[SSAValue]:
    """The numbers of the bytes from an offset on; guards leave none that 32 bits can't hold."""
    offset = at.core.constant(0, i32)
    for term in terms:
        offset = at.core.add(offset, at.core.resize(term, i32, signed=False))
    first = at.core.index_cast(offset, IndexType())
    return [at.core.add(first, number) if number else first for number in range(count)]
