"""Custom syntax of `memref`: casts, copies, and scopes of allocations."""

from __future__ import annotations

from xdsl.dialects import memref
from xdsl.ir import Operation
from xdsl.parser import Parser
from xdsl.printer import Printer

from hologram.dialects.custom.syntax import Syntax, by_format, parse_body, parse_results, print_outputs


def _parse_scope(parser: Parser) -> Operation:
    types = parse_results(parser)
    body = parse_body(parser)
    if (block := body.blocks.last) is not None and (block.last_op is None or not _is_scope_end(block.last_op)):
        block.add_op(memref.AllocaScopeReturnOp.build(operands=[[]]))
    return memref.AllocaScopeOp.build(
        result_types=[types], regions=[body], attributes=parser.parse_optional_attr_dict()
    )


def _is_scope_end(op: Operation) -> bool:
    return isinstance(op, memref.AllocaScopeReturnOp)


def _print_scope(printer: Printer, op: memref.AllocaScopeOp) -> None:
    print_outputs(printer, op.res.types)
    printer.print_string(" ")
    printer.print_region(op.scope, print_block_terminators=bool(op.res))
    printer.print_op_attributes(op.attributes)


_CAST = "$source attr-dict `:` type($source) `to` type($dest)"
_COPY = "$source `,` $destination attr-dict `:` type($source) `to` type($destination)"
_POINTER = "$source attr-dict `:` type($source) `->` type($aligned_pointer)"
SYNTAX = {
    "memref.alloca_scope": Syntax(_parse_scope, _print_scope),
    "memref.alloca_scope.return": by_format(memref.AllocaScopeReturnOp, "attr-dict ($ops^ `:` type($ops))?"),
    "memref.cast": by_format(memref.CastOp, _CAST),
    "memref.copy": by_format(memref.CopyOp, _COPY),
    "memref.extract_aligned_pointer_as_index": by_format(memref.ExtractAlignedPointerAsIndexOp, _POINTER),
    "memref.memory_space_cast": by_format(memref.MemorySpaceCastOp, _CAST),
    "memref.rank": by_format(memref.RankOp, "$source attr-dict `:` type($source)"),
}
