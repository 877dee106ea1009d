"""Calls of lanes: who calls whom, which functions call themselves, how deep calls nest, and inlining."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, FunctionType, ModuleOp, i32
from xdsl.ir import Block, Operation, SSAValue
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects.atlas.instructions.checks import AssertOp
from hologram.dialects.atlas.instructions.scalar import MovImmOp
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.instructions.verbs import InstructionBuilder
from hologram.dialects.atlas.lanes.branches import CALL_STACK
from hologram.dialects.atlas.lanes.pools import PoolAllocOp
from hologram.dialects.atlas.lanes.programs import AllocaOp, BarSyncOp, CallOp, ExitOp, FuncOp, ProgramOp
from hologram.errors.limits import check_operations
from hologram.support.splicing import move, replace_results
from hologram.support.walking import operations

Body = FuncOp | ProgramOp
BOUND = (BarSyncOp, AllocaOp, PoolAllocOp)
"""What can't be in a function that lanes call."""
SMALL_PROGRAM = 2048
"""The operations of a program in which every call is replaced by what it calls."""
LARGE_COPIES = 256
"""The operations that copies of one function may add to a larger one."""


class CallGraph:
    """The calls among a module's functions and programs."""

    def __init__(self, module: ModuleOp):
        self.bodies: list[Body] = [op for op in module.body.block.ops if isinstance(op, FuncOp | ProgramOp)]
        self.functions = {op.sym_name.data: op for op in self.bodies if isinstance(op, FuncOp)}
        self.calls = {op: [o for o in operations(op) if isinstance(o, CallOp)] for op in self.bodies}
        self._counts = Counter(c.callee.root_reference.data for calls in self.calls.values() for c in calls)
        self._reached: dict[Body, set[FuncOp]] = {op: self._closure(op) for op in self.bodies}

    def callee(self, call: CallOp) -> FuncOp:
        """The function that a call calls."""
        return self.functions[call.callee.root_reference.data]

    def _closure(self, op: Body) -> set[FuncOp]:
        callees: set[FuncOp] = set()
        waiting: list[Body] = [op]
        while waiting:
            for call in self.calls[waiting.pop()]:
                if (function := self.callee(call)) not in callees:
                    callees.add(function)
                    waiting.append(function)
        return callees

    def count(self, function: FuncOp) -> int:
        """Return the number of calls of a function in the text."""
        return self._counts[function.sym_name.data]

    def is_recursive(self, function: FuncOp) -> bool:
        """Return whether a function may call itself, straight or through others."""
        return function in self._reached[function]

    def callees_first(self) -> list[Body]:
        """The bodies, each after what it calls; functions that call each other stand in any order."""
        return sorted(self.bodies, key=lambda op: len(self._reached[op]))

    def kept(self) -> set[FuncOp]:
        """The functions that stay functions: those that call themselves, and those whose copies would be most of a
        large program. What has barriers or memory of its own goes where it is called."""
        kept = {f for f in self.functions.values() if self.is_recursive(f)}
        bodies = {op: operations(op) for op in self.callees_first() if op not in kept}
        sizes: dict[Body, int] = {}
        for op in bodies:
            sizes[op] = self._size(op, len(bodies[op]), sizes)
        if sum(size for op, size in sizes.items() if isinstance(op, ProgramOp)) <= SMALL_PROGRAM:
            return kept
        sizes.clear()
        bound: set[Body] = set()
        for op, ops in bodies.items():
            size = self._size(op, len(ops), sizes)
            if any(isinstance(o, BOUND) for o in ops) or any(self.callee(call) in bound for call in self.calls[op]):
                bound.add(op)
            elif isinstance(op, FuncOp) and size * (self.count(op) - 1) > LARGE_COPIES:
                kept.add(op)
                continue
            check_operations(size, op, f"@{op.sym_name.data} with the functions in place of their calls")
            sizes[op] = size
        return kept

    def _size(self, op: Body, own: int, sizes: Mapping[Body, int]) -> int:
        """The operations of a body with what is put in place of its calls, of which the sizes are known."""
        return own + sum(sizes.get(self.callee(call), 0) for call in self.calls[op])

    def needs_depth(self) -> set[Body]:
        """The bodies with calls for which it is not certain that the call stack suffices."""
        deep = self._longest() > CALL_STACK
        recursive = {f for f in self.functions.values() if self.is_recursive(f)}
        if not recursive and not deep:
            return set()
        below = {g for f in recursive for g in self._reached[f]}
        return {op for op in self.bodies if self.calls[op] and (deep or op in below or self._reached[op] & recursive)}

    def _longest(self) -> int:
        """The most return addresses at once, leaving recursion aside."""
        longest: dict[Body, int] = {}
        for op in sorted(self.bodies, key=lambda op: len(self._reached[op])):
            longest[op] = max((1 + longest.get(self.callee(c), 0) for c in self.calls[op]), default=0)
        return max(longest.values(), default=0)


def count_depth(graph: CallGraph) -> None:
    """Makes the depth of calls a value where it may pass what the call stack holds, and checks it before each call."""
    counted = graph.needs_depth()
    depths: dict[Body, SSAValue] = {}
    for op in counted:
        entry = op.body.blocks[0]
        if isinstance(op, FuncOp):
            depths[op] = entry.insert_arg(i32, len(entry.args))
            depths[op].name_hint = "depth"
            type = op.function_type
            op.properties["function_type"] = FunctionType.from_lists([*type.inputs, i32], type.outputs.data)
            if op.arg_attrs is not None:
                op.properties["arg_attrs"] = ArrayAttr([*op.arg_attrs, DictionaryAttr({})])
        else:
            zero = MovImmOp.of(0, DTYPES["i32"])
            zero.location = op.location
            Rewriter.insert_op(zero, InsertPoint.at_start(entry))
            depths[op] = zero.result
    for op in counted:
        for call in graph.calls[op]:
            _count_call(call, depths[op], graph.callee(call) in counted)


def _count_call(call: CallOp, depth: SSAValue, passes_on: bool) -> None:
    at = InstructionBuilder(call)
    i32 = at.of(DTYPES["i32"])
    fits = i32.compare("lt", depth, CALL_STACK)
    name = call.callee.root_reference.data
    at.emit(AssertOp(fits, f"atlas.call @{name}: calls are nested deeper than {CALL_STACK} return addresses"))
    if passes_on:
        call.operands = [*call.operands, i32.add(depth, 1)]


def inline(call: CallOp, function: FuncOp, entry: Block, *, only_call: bool) -> None:
    """Puts a structured function in place of a call: a copy, or itself if nothing else calls it. Its local arrays move
    to `entry`.
    """
    block, place = function.body.block, call.parent
    assert place is not None
    values: dict[SSAValue, SSAValue] = dict(zip(block.args, call.arguments, strict=True))
    if only_call:
        for argument, value in values.items():
            argument.replace_all_uses_with(value)
    else:
        block = Block([op.clone(values) for op in block.ops])
    for alloca in [o for o in operations(block) if isinstance(o, AllocaOp)]:
        move([alloca], entry, entry.first_op)
    last = block.last_op
    assert last is not None
    move(block.ops, place, call)
    if isinstance(last, ExitOp):
        return _cut(call)
    replace_results(call, last.operands)
    Rewriter.erase_op(last)


def _cut(call: CallOp) -> None:
    """Removes a call that no lane comes back from, and what follows in its block."""
    op: Operation | None = call
    while op is not None:
        following = op.next_op
        op.detach()
        op.drop_all_references()
        op = following
