"""Puts the bodies of functions in the place of their calls: where a language has none, or before fusion."""

from __future__ import annotations

from collections.abc import Sequence

from xdsl.dialects import func
from xdsl.ir import Operation

from hologram.errors import PassError
from hologram.errors.limits import check_operations
from hologram.support.splicing import replace_results, splice
from hologram.support.walking import operations, symbol_of


def calls_in(op: Operation) -> list[func.CallOp]:
    """The calls of functions in an operation."""
    return [o for o in operations(op) if isinstance(o, func.CallOp)]


def callees_first(functions: dict[str, func.FuncOp]) -> list[str]:
    """The functions in an order in which each stands after those that it calls."""
    order: list[str] = []
    active: list[str] = []

    def visit(name: str) -> None:
        active.append(name)
        for call in calls_in(functions[name]):
            callee = call.callee.string_value()
            if callee in active:
                raise PassError(
                    call,
                    "device-refuses-recursion",
                    f"'{callee}' calls itself, and this device has no recursion",
                    hint="isa.md section 7: the device may refuse recursion; write it as a loop",
                )
            if callee in functions and functions[callee].body.blocks and callee not in order:
                visit(callee)
        active.pop()
        order.append(name)

    for name, function in functions.items():
        if name not in order and function.body.blocks:
            visit(name)
    return order


def inline_calls(op: Operation, callees: Sequence[tuple[func.CallOp, func.FuncOp]]) -> None:
    """Puts the bodies of functions in place of calls of them, which stand in an operation."""
    sizes = {callee: len(operations(callee)) for _, callee in callees}
    count = len(operations(op)) + sum(sizes[callee] for _, callee in callees)
    check_operations(count, op, f"'{symbol_of(op)}' with the functions in place of their calls")
    for call, callee in callees:
        _inline(call, callee)


def _inline(call: func.CallOp, callee: func.FuncOp) -> None:
    body = callee.body.clone()
    if len(body.blocks) != 1:
        raise PassError(
            call,
            "kernel-text-unstructured",
            f"the function '{callee.sym_name.data}' has branches between blocks",
            hint="write its control flow with scf.if, scf.for and scf.while",
        )
    block = call.parent
    assert block is not None
    replace_results(call, splice(body.blocks[0], call.operands, block, call))
