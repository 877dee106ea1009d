"""Verifies IR operation by operation, so that an error names the place in the user's text, and checks dominance.

It adds rules of core operations that xDSL's verifiers lack: what branches and yields pass on must fit where it goes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import TYPE_CHECKING, Any, cast

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import DenseArrayBase, StringAttr, SymbolRefAttr, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator, NoTerminator, SymbolTable
from xdsl.utils.exceptions import VerifyException

from hologram.dialects import mlir_advice
from hologram.dialects.arith import Arith, check_width
from hologram.dialects.custom.rows import need
from hologram.dialects.scf import KeptRegionOp, UnsignedForOp
from hologram.errors import HologramError, VerifyError, did_you_mean, where_of
from hologram.errors.limits import check_type
from hologram.support.registry import Registry
from hologram.support.walking import operations, symbol_of, symbols_around
from hologram.transforms.analysis.core_rules import (
    check_affine,
    check_cast,
    check_copy,
    check_execute_region,
    check_fill,
    check_parallel,
)
from hologram.transforms.analysis.dominance import DominanceCheck
from hologram.transforms.analysis.llvm_rules import LLVM_SYMBOLS
from hologram.transforms.analysis.memref_rules import MEMREF_RULES, check_get_global
from hologram.transforms.analysis.spirv_rules import check_spirv_attributes

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


def check_core(op: Operation) -> None:
    """Raises a VerifyError if `op` breaks one of the rules below."""
    if (rule := _RULES.find(type(op))) is not None:
        rule(op)
    if op.regions and op.has_trait(SymbolTable, value_if_unregistered=False):
        _check_symbols(op)


def _types(values: Sequence[SSAValue]) -> tuple[Attribute, ...]:
    return tuple(value.type for value in values)


def _show(types: Sequence[Attribute]) -> str:
    return f"({', '.join(map(str, types))})"


# Branches


def _targets(op: Operation) -> Iterator[tuple[Block, Sequence[SSAValue]]]:
    """Each block that a branch may go to, with what it passes on."""
    if isinstance(op, cf.BranchOp):
        yield op.successor, op.arguments
    elif isinstance(op, cf.ConditionalBranchOp):
        yield op.then_block, op.then_arguments
        yield op.else_block, op.else_arguments
    elif op.name == "spirv.Branch":
        yield op.successors[0], op.operands
    elif op.name == "spirv.BranchConditional":
        given: Any = op
        yield op.successors[0], given.true_operands
        yield op.successors[1], given.false_operands


def _check_branch(op: Operation) -> None:
    for block, passed in _targets(op):
        if (given := _types(passed)) != (wanted := _types(block.args)):
            raise VerifyError(
                "branch-arguments", f"'{op.name}' passes {_show(given)} to a block that takes {_show(wanted)}"
            )


# Structured control flow


def _check_if(op: Operation) -> None:
    assert isinstance(op, scf.IfOp)
    wanted = _types(op.results)
    if wanted and not op.false_region.blocks:
        raise VerifyError("if-without-else", "'scf.if' has results, so it needs an else region that yields them too")
    for region in op.regions:
        block = region.blocks.first
        if block is not None and block.args:
            raise VerifyError("if-arguments", "the regions of 'scf.if' take no arguments")
        last = None if block is None else block.last_op
        if isinstance(last, scf.YieldOp) and (given := _types(last.operands)) != wanted:
            error = VerifyError("if-yield", f"this yields {_show(given)} from an 'scf.if' with results {_show(wanted)}")
            error.where = where_of(last)
            raise error


def _check_while(op: Operation) -> None:
    assert isinstance(op, scf.WhileOp)
    carried, results = _types(op.arguments), _types(op.results)
    before, after = op.before_region.blocks.first, op.after_region.blocks.first
    if before is None or after is None:
        raise VerifyError("while-regions", "'scf.while' needs a region before and a region after its condition")
    condition, again = before.last_op, after.last_op
    pairs = (
        (carried, _types(before.args), op, "the carried values and the arguments of the first region"),
        (results, _types(after.args), op, "the results and the arguments of the second region"),
    )
    if isinstance(condition, scf.ConditionOp):
        pairs += ((_types(condition.args), results, condition, "what the condition passes on and the loop's results"),)
    if isinstance(again, scf.YieldOp):
        pairs += ((_types(again.operands), carried, again, "what is yielded and the loop's carried values"),)
    for given, wanted, place, what in pairs:
        if given != wanted:
            error = VerifyError("while-types", f"{what} differ: {_show(given)} and {_show(wanted)}")
            error.where = where_of(place)
            raise error


# Calls

_PASSED = {"func.call": "arguments", "llvm.call": "callee_operands", "gpu.launch_func": "kernelOperands"}
"""The operations that call a function by its name, and what they pass."""
Names = dict[Operation, dict[str, Operation]]
"""What symbol tables hold, as far as somebody asked."""


def _check_call(op: Operation, names: Names) -> None:
    """Compares what a call passes and takes with the function that it calls."""
    if op.name == "gpu.launch_func":
        _check_kernel(op, names)
    function = _called(op, names)
    of_function: Any = function and function.get_attr_or_prop("function_type")
    if function is None or of_function is None:
        return
    # A kernel that is lowered to LLVM takes what its arguments have become, and the launch still passes memrefs.
    if op.name == "gpu.launch_func" and function.name != "gpu.func":
        return
    name, given, taken = symbol_of(function), _types(getattr(op, _PASSED[op.name])), _types(op.results)
    wanted = tuple(of_function.inputs)
    more = getattr(of_function, "is_variadic", False)
    where = where_of(function)
    hint = f"@{name} is at line {where.line}" if where and where.line else None
    if (given[: len(wanted)] if more else given) != wanted:
        message = f"'{op.name}' passes {_show(given)} to @{name}, which takes {_show(wanted)}"
        raise VerifyError("call-arguments", message, hint=hint)
    results = tuple(of_function.outputs) if hasattr(of_function, "outputs") else (of_function.output,)
    if taken != (results := tuple(r for r in results if r.name != "llvm.void")) and op.name != "gpu.launch_func":
        message = f"'{op.name}' takes {_show(taken)} from @{name}, which gives {_show(results)}"
        raise VerifyError("call-results", message, hint=hint)


def _called(op: Operation, names: Names) -> Operation | None:
    """The function that a call names, if it is there."""
    return _named(op, op.get_attr_or_prop("kernel" if op.name == "gpu.launch_func" else "callee"), names)


def _named(op: Operation, symbol: Attribute | None, names: Names) -> Operation | None:
    """What a symbol of an operation names, if it is there."""
    return _named_in(_table(op), symbol, names)


def _named_in(table: Operation | None, symbol: Attribute | None, names: Names) -> Operation | None:
    if not isinstance(symbol, SymbolRefAttr):
        return None
    for part in (symbol.root_reference, *symbol.nested_references):
        if table is None:
            return None
        table = _found(table, part, names)
    return table


def _table(op: Operation) -> Operation | None:
    """The symbol table in which the symbols of an operation are looked up."""
    table = op.parent_op()
    while table is not None and not table.has_trait(SymbolTable, value_if_unregistered=False):
        table = table.parent_op()
    return table


def _check_kernel(op: Operation, names: Names) -> None:
    """Refuses a launch of what is no kernel, in a module that says that it holds modules of kernels."""
    kernel, around = op.get_attr_or_prop("kernel"), _table(op)
    if around is None or "gpu.container_module" not in around.attributes or not isinstance(kernel, SymbolRefAttr):
        return
    holder = _found(around, kernel.root_reference, names)
    need(
        holder is not None and holder.name not in ("builtin.module", "func.func"),
        f"'{op.name}' launches a kernel of @{kernel.root_reference.data}, which is no gpu.module or gpu.binary here",
    )
    if holder is None or holder.name != "gpu.module":
        return
    function = _called(op, names)
    need(function is not None, f"'{op.name}' launches {kernel}, which is not there")
    is_function = function is not None and function.get_attr_or_prop("function_type") is not None
    need(is_function, f"'{op.name}' launches {kernel}, which is no function")
    is_kernel = function is None or function.name != "gpu.func" or "gpu.kernel" in function.attributes
    need(is_kernel, f"'{op.name}' launches {kernel}, which has no attribute 'gpu.kernel'")


def _found(table: Operation, name: StringAttr, names: Names) -> Operation | None:
    """What a symbol table has by a name."""
    if table not in names:
        inside = (o for region in table.regions for block in region.blocks for o in block.ops)
        names[table] = {found: o for o in inside if (found := symbol_of(o))}
    return names[table].get(name.data)


def _check_known_sizes(op: Operation) -> None:
    for name in ("gpu.known_block_size", "gpu.known_grid_size", "gpu.known_cluster_size"):
        size = op.attributes.get(name)
        fits = isinstance(size, DenseArrayBase) and cast("Any", size).elt_type == i32 and len(cast("Any", size)) == 3
        need(size is None or fits, f"'{name}' of a function is a dense array of three numbers of type i32")


# Symbols


def _check_function(op: Operation) -> None:
    _check_known_sizes(op)
    check_spirv_attributes(op)


def _check_symbols(table: Operation) -> None:
    known: dict[str, Operation] = {}
    for block in table.regions[0].blocks:
        for op in block.ops:
            name = op.get_attr_or_prop("sym_name")
            if not isinstance(name, StringAttr):
                continue
            if (first := known.setdefault(name.data, op)) is not op:
                where = where_of(first)
                error = VerifyError(
                    "symbol-redefined",
                    f"@{name.data} is defined twice",
                    hint=f"the first @{name.data} is at line {where.line}" if where and where.line else None,
                )
                error.where = where_of(op)
                raise error


_RULES = Registry[Callable[[Operation], None]](
    {
        "cf.br": _check_branch,
        "cf.cond_br": _check_branch,
        "spirv.Branch": _check_branch,
        "spirv.BranchConditional": _check_branch,
        "affine.apply": check_affine,
        "affine.for": check_affine,
        "affine.if": check_affine,
        "affine.load": check_affine,
        "affine.max": check_affine,
        "affine.min": check_affine,
        "affine.parallel": check_affine,
        "affine.store": check_affine,
        "func.func": _check_function,
        "gpu.func": _check_known_sizes,
        "linalg.fill": check_fill,
        "memref.cast": check_cast,
        "memref.copy": check_copy,
        "scf.execute_region": check_execute_region,
        "scf.if": _check_if,
        "scf.parallel": check_parallel,
        "scf.while": _check_while,
        "arith.extf": partial(check_width, grows=True),
        "arith.truncf": partial(check_width, grows=False),
        **MEMREF_RULES,
    }
)


def verify_module(module: Operation) -> None:
    """Raises the first error of `find_errors`."""
    for error in find_errors(module):
        raise error


def collect_errors(module: Operation, limit: int = 20) -> list[HologramError]:
    """The first `limit` errors, each once: two operands may be wrong in one way."""
    errors = {(error.message, error.where): error for error in islice(find_errors(module), limit)}
    return list(errors.values())


def find_errors(module: Operation) -> Iterator[HologramError]:
    """Every error of the first kind that there is: of structure, of dominance, of the operations' own rules."""

    def checked(rule: Callable[[Operation], None]) -> Iterator[HologramError]:
        return (error for op in operations(module) if (error := _check(op, rule)) is not None)

    # Each kind is looked at only where the one before it finds nothing.
    dominance = lambda: DominanceCheck(module).errors()  # noqa: E731
    verify = partial(_verify_operation, names={})
    for kind in (lambda: checked(_check_structure), dominance, lambda: checked(verify)):
        sound = True
        for error in kind():
            sound = False
            yield error
        if not sound:
            return


def _verify_operation(op: Operation, names: Names) -> None:
    for result in op.results:
        check_type(result.type)
    for block in (block for region in op.regions for block in region.blocks):
        for argument in block.args:
            check_type(argument.type)
    check_core(op)
    if op.name in _PASSED:
        _check_call(op, names)
    if op.name in LLVM_SYMBOLS and (table := _table(op)) is not None:
        LLVM_SYMBOLS[op.name](op, lambda symbol: _named_in(table, symbol, names))
    elif op.name == "memref.get_global":
        check_get_global(op, _named(op, op.get_attr_or_prop("name"), names))
    # A yield's class takes xDSL's loops alone for parents, and is right in ours.
    if not isinstance(op, scf.YieldOp) or not isinstance(op.parent_op(), UnsignedForOp | KeptRegionOp):
        op.verify_()


def _check(op: Operation, rule: Callable[[Operation], None]) -> HologramError | None:
    """Return what `rule` finds wrong with one operation, with its place."""
    try:
        rule(op)
    except HologramError as error:
        failure = error
    except VerifyException as error:
        hint = None
        if (symbol := re.search(r"'@(\S+)' could not be found", str(error))) is not None:
            hint = did_you_mean(symbol[1], symbols_around(op))
        elif (other := re.search(r"Unexpected attribute (.+)", str(error))) is not None:
            hint = mlir_advice.counterpart(op.name, other[1], {o.name for o in Arith.operations}.__contains__)
        failure = VerifyError("verify-op", f"'{op.name}' is not valid: {_sentence(error)}", hint=hint)
    except Exception as error:
        failure = VerifyError("verify-refused", f"'{op.name}' is not valid: {_sentence(error)}")
    else:
        return None
    failure.where = failure.where or where_of(op)
    return failure


def _sentence(error: Exception) -> str:
    return mlir_advice.verdict(" ".join(str(error).split()) or type(error).__name__)


def _check_structure(op: Operation) -> None:
    if op.successors:
        _check_successors(op)
    for region in op.regions:
        _check_blocks(op, region)


def _check_successors(op: Operation) -> None:
    block = op.parent
    if block is None or block.last_op is not op:
        raise VerifyError(
            "verify-branch-not-last", f"'{op.name}' branches to other blocks, but operations follow it in its block"
        )
    if any(successor.parent is not block.parent for successor in op.successors):
        raise VerifyError("verify-branch-out", f"'{op.name}' branches to a block of another region")


_ENDS = {
    "func.func": "func.return", "scf.for": "scf.yield", "scf.if": "scf.yield", "scf.while": "scf.yield",
    "atlas.if": "atlas.yield", "atlas.loop": "atlas.yield", "atlas.map": "atlas.yield", "atlas.func": "atlas.ret",
    "llvm.func": "llvm.return", "gpu.func": "gpu.return",
}  # fmt: skip
"""What ends the blocks of operations that users write."""


def _check_blocks(op: Operation, region: Region) -> None:
    """Every block ends in a terminator, where the operation asks for one."""
    several = region.first_block is not region.last_block
    if not several and op.has_trait(NoTerminator, value_if_unregistered=True):
        return
    for block in region.blocks:
        last = block.last_op
        if last is None:
            raise VerifyError(
                "verify-empty-block", f"'{op.name}' holds an empty block, which must end in a terminator at least",
                hint=f"write '{_ENDS[op.name]}' there" if op.name in _ENDS else None,
            )  # fmt: skip
        if not last.has_trait(IsTerminator):
            error = VerifyError(
                "verify-no-terminator", f"'{last.name}' ends a block of '{op.name}' but is no terminator",
                hint=f"write '{_ENDS[op.name]}' behind it" if op.name in _ENDS else None,
            )  # fmt: skip
            error.where = where_of(last)
            raise error


@dataclass(frozen=True)
class VerifyPass(ModulePass):
    """Verifies every operation and that each value is defined before it is used; changes nothing.

    The other passes are followed by the same check unless `--verify-each=false` is given.
    """

    name = "verify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        verify_module(op)
