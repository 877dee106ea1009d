"""Rules of core operations that xDSL's verifiers leave out: what branches and yields pass on must fit where it goes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from xdsl.dialects import cf, scf
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import SymbolTable

from hologram.errors import VerifyError, where_of


def check_core(op: Operation) -> None:
    """Raises a VerifyError if `op` breaks one of the rules below."""
    if (rule := _RULES.get(op.name)) is not None:
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


# Symbols


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


_RULES: dict[str, Callable[[Operation], None]] = {
    "cf.br": _check_branch,
    "cf.cond_br": _check_branch,
    "scf.if": _check_if,
    "scf.while": _check_while,
}
