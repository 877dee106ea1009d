"""Verifies IR operation by operation, so that an error names the place in the user's text, and checks dominance."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING

from xdsl.ir import Operation, Region
from xdsl.passes import ModulePass
from xdsl.traits import IsTerminator, NoTerminator
from xdsl.utils.exceptions import VerifyException

from hologram.errors import HologramError, VerifyError, where_of
from hologram.transforms.core_rules import check_core
from hologram.transforms.dominance import DominanceCheck
from hologram.walking import operations

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp


def verify_module(module: Operation) -> None:
    """Raises the first error of `find_errors`."""
    for error in find_errors(module):
        raise error


def collect_errors(module: Operation, limit: int = 20) -> list[HologramError]:
    """The first `limit` errors."""
    return list(islice(find_errors(module), limit))


def find_errors(module: Operation) -> Iterator[HologramError]:
    """Every error of the first kind that there is: of structure, of dominance, of the operations' own rules."""
    for kind in (_structure_errors, _dominance_errors, _operation_errors):
        sound = True
        for error in kind(module):
            sound = False
            yield error
        if not sound:
            return


def _structure_errors(module: Operation) -> Iterator[HologramError]:
    return (error for op in operations(module) if (error := _check(op, _check_structure)) is not None)


def _dominance_errors(module: Operation) -> Iterator[HologramError]:
    return DominanceCheck(module).errors()


def _operation_errors(module: Operation) -> Iterator[HologramError]:
    return (error for op in operations(module) if (error := _check(op, _verify_operation)) is not None)


def _verify_operation(op: Operation) -> None:
    check_core(op)
    op.verify_()


def _check(op: Operation, rule: Callable[[Operation], None]) -> HologramError | None:
    """What `rule` finds wrong with one operation, with its place."""
    try:
        rule(op)
    except HologramError as error:
        found = error
    except VerifyException as error:
        found = VerifyError("verify-op", f"'{op.name}' is not valid: {_sentence(error)}")
    except Exception as error:
        found = VerifyError("verify-refused", f"'{op.name}' is not valid: {_sentence(error)}")
    else:
        return None
    found.where = found.where or where_of(op)
    return found


def _sentence(error: Exception) -> str:
    text = " ".join(str(error).split())
    return text or type(error).__name__


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


def _check_blocks(op: Operation, region: Region) -> None:
    """Every block ends in a terminator, where the operation asks for one."""
    several = region.first_block is not region.last_block
    if not several and op.has_trait(NoTerminator, value_if_unregistered=True):
        return
    for block in region.blocks:
        last = block.last_op
        if last is None:
            raise VerifyError(
                "verify-empty-block", f"'{op.name}' holds an empty block, which must end in a terminator at least"
            )
        if not last.has_trait(IsTerminator):
            error = VerifyError(
                "verify-no-terminator", f"'{last.name}' ends a block of '{op.name}' but is no terminator"
            )
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
