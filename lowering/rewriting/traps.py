"""Trapping sites: what a lane records when it traps, and how the record reaches it.

A function in which something may trap takes a hidden argument, the trap record: `%trap: memref<8xi64>` with the
argument attribute `hologram.trap`. Word 0 holds the site's number plus one (0: nothing trapped), word 1 the lane, the
next words the values at fault. The attribute `hologram.sites` of the function has a text for each site of the module;
where values are no signed integers of up to 64 bits it ends in their types and the words that each has: `; values
u256:4 u256:2`. The least words of a value come first; of one that is longer than what is left they are all there is.

What the compiler and the runtime agree on for the texts of trapping sites. Imports nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from xdsl.dialects import arith, cf, func, memref, scf
from xdsl.dialects.builtin import (
    ArrayAttr,
    DictionaryAttr,
    FunctionType,
    IndexType,
    IntegerType,
    ModuleOp,
    StringAttr,
    i1,
    i64,
)
from xdsl.ir import Block, Operation, Region, SSAValue

from hologram.dialects import marks
from hologram.dialects.memref import AtomicYieldOp, GenericAtomicRMWOp
from hologram.errors import where_of
from hologram.lowering.rewriting.conversion import Rewriter
from hologram.lowering.rewriting.core_builder import Core, is_float
from hologram.lowering.rewriting.helper_functions import define_helpers
from hologram.lowering.rewriting.hidden_arguments import TRAP, Function, find, is_function
from hologram.support.walking import operations

RECORD = TRAP.type
ARGUMENT = TRAP.attribute
FUNCTION, WIDE_FUNCTION = "hologram_trap", "hologram_trap_words"
CONTINUES = "hologram_continues"
"""Takes the record and returns whether its lane shall go on: it is declared where a loop asks, and LLVM's code is made
where functions are converted."""
FUNCTIONS = (FUNCTION, WIDE_FUNCTION, CONTINUES)
MOST_EXITS = 32
"""The places where lanes of a kernel for Vulkan leave it, at most; in kernels with more they go on without touching
memory. Drivers nest what follows in what has not left, and Mesa's for processors forgets what is nested 80 deep."""
"""What fills the record, with one word for each of two values or with all that it has for values, and what asks it."""
VALUE_WORDS = 6


def record_of(function: Function) -> SSAValue | None:
    """The trap record among a function's arguments."""
    return find(function, TRAP)


def enclosing_function(op: Operation) -> Function | None:
    """The function or program around `op`."""
    parent = op.parent_op()
    while parent is not None and not is_function(parent):
        parent = parent.parent_op()
    return cast("Function | None", parent)


@dataclass
class Sites:
    """The trapping sites of a module, numbered as they are met."""

    texts: list[str] = field(default_factory=list[str])

    @staticmethod
    def of(module: ModuleOp) -> Sites:
        """The sites that the module's functions name already."""
        texts: list[str] = []
        for op in module.body.block.ops:
            known = op.attributes.get(marks.SITES)
            sites = [t.data for t in cast("ArrayAttr[StringAttr]", known)] if isinstance(known, ArrayAttr) else []
            texts = max(texts, sites, key=len)
        return Sites(texts)

    def number(self, op: Operation, text: str, types: Sequence[str] = ()) -> int:
        """The number of a new site, for values of some types."""
        where = where_of(op)
        if any(not t.startswith("i") or int(t[1:]) > 64 for t in types):
            words = words_of(types)
            text += f"; values {' '.join(f'{t}:{n}' for t, n in zip(types, words, strict=True))}"
        place = "" if where is None else f"; at {where.file}:{where.line}:{where.column}"
        self.texts.append(f"{text}{place}")
        return len(self.texts) - 1

    def attach(self, module: ModuleOp) -> None:
        """Writes the texts to every function with a record, and adds the function that fills it."""
        texts = ArrayAttr([StringAttr(t) for t in self.texts])
        define_helpers(module, {FUNCTION: lambda: trap_function(2), WIDE_FUNCTION: lambda: trap_function(VALUE_WORDS)})
        for op in operations(module):
            if op.name not in ("func.func", "gpu.func"):
                continue
            arg_attrs = cast("ArrayAttr[DictionaryAttr] | None", op.get_attr_or_prop("arg_attrs"))
            if any(ARGUMENT in a.data for a in arg_attrs or ()):
                op.attributes[marks.SITES] = texts


def trap_function(count: int) -> func.FuncOp:
    """Fills the record, with `count` words of values, unless another lane was first."""
    block = Block(arg_types=[RECORD, i64, i64, *[i64] * count])
    record, site, lane, *values = block.args
    for arg, name in zip(block.args, ("trap", "site", "lane", *(f"v{n}" for n in range(count))), strict=True):
        arg.name_hint = name
    index = [arith.ConstantOp.from_int_and_width(n, IndexType()) for n in range(2 + count)]
    zero, one = (arith.ConstantOp.from_int_and_width(n, i64) for n in (0, 1))
    number = arith.AddiOp(site, one)
    old = GenericAtomicRMWOp(record, [index[0].result], Region(_claim(zero.result, number.result)))
    first = arith.CmpiOp(old, zero, "sle")
    stores = [memref.StoreOp.get(v, record, [i]) for v, i in zip((lane, *values), index[1:], strict=True)]
    fill = scf.IfOp(first, [], Region(Block([*stores, scf.YieldOp()])))
    block.add_ops([*index, zero, one, number, old, first, fill, func.ReturnOp()])
    types = FunctionType.from_lists([a.type for a in block.args], [])
    return func.FuncOp(FUNCTION if count == 2 else WIDE_FUNCTION, types, Region(block), visibility="private")


def _claim(zero: SSAValue, number: SSAValue) -> Block:
    """The block of an atomic step on the record's first word: it stays, unless it is 0, or less: a question."""
    block = Block(arg_types=[i64])
    (word,) = block.args
    empty = arith.CmpiOp(word, zero, "sle")
    claimed = arith.SelectOp(empty, number, word)
    block.add_ops([empty, claimed, AtomicYieldOp(claimed.result)])
    return block


def trap_if(
    rw: Rewriter,
    sites: Sites,
    op: Operation,
    bad: SSAValue,
    text: str,
    values: Callable[[], Sequence[SSAValue]],
    lane: Callable[[], SSAValue],
    *,
    signed: bool = True,
) -> None:
    """Records the site and leaves the function where `bad` holds. `values` and `lane` are emitted only for then."""
    core = Core(rw)
    function = enclosing_function(op)
    assert function is not None
    record = record_of(function)
    assert record is not None
    fail = Block()
    outer = rw.insertion_block
    rw.move_to(fail)
    recorded = values()[:2]
    site = sites.number(op, text, [_type_name(v, signed) for v in recorded])
    counts = words_of([_type_name(v, signed) for v in recorded])
    words = [w for v, n in zip(recorded, counts, strict=True) for w in _words(core, v, signed, n)]
    name, count = (FUNCTION, 2) if len(words) <= 2 else (WIDE_FUNCTION, VALUE_WORDS)
    words += [core.constant(0, i64)] * (count - len(words))
    rw.emit(func.CallOp(name, [rw.value(record), core.constant(site, i64), lane(), *words], []))
    rw.emit(scf.YieldOp())
    rw.move_to(outer)
    rw.emit(scf.IfOp(bad, [], Region(fail)))
    good = core.xor(bad, 1)
    rw.emit(cf.AssertOp(good, text))


def is_recorded(check: cf.AssertOp) -> bool:
    """Return whether the record says why a check leaves: what `trap_if` made does, what a program brings does not."""
    before = check.prev_op
    if isinstance(before, arith.XOrIOp):
        before = before.prev_op
    return isinstance(before, scf.IfOp) and any(
        isinstance(o, func.CallOp) and o.callee.string_value() in FUNCTIONS for o in operations(before)
    )


def words_of(types: Sequence[str]) -> list[int]:
    """The words that the record has for each of at most two values: the last one has what the first leaves."""
    wanted = [max(-(-int(t.lstrip("biuf")) // 64), 1) for t in types]
    first = [min(n, VALUE_WORDS - len(wanted) + 1) for n in wanted[:1]]
    return first + [min(n, VALUE_WORDS - first[0]) for n in wanted[1:]]


def _bits(value: SSAValue) -> int:
    return 64 if isinstance(value.type, IndexType) else cast(Any, value.type).bitwidth


def _type_name(value: SSAValue, signed: bool) -> str:
    """The ISA type that a value is printed as."""
    if is_float(value.type):
        return str(value.type)
    return f"{'i' if signed or _bits(value) < 64 else 'u'}{max(_bits(value), 8)}"


def _words(core: Core, value: SSAValue, signed: bool, count: int) -> list[SSAValue]:
    """The lowest words of a value; one that is narrower fills its word."""
    if _bits(value) <= 64:
        return [_word(core, value, signed)]
    parts = [core.shr(value, 64 * n) if n else value for n in range(count)]
    return [core.resize(part, i64, signed=False) for part in parts]


def _word(core: Core, value: SSAValue, signed: bool) -> SSAValue:
    """A scalar's bits as an i64."""
    if isinstance(value.type, IndexType):
        return core.op(arith.IndexCastOp(value, i64))
    if is_float(value.type):
        width = cast(Any, value.type).bitwidth
        value = core.bits(value, IntegerType(width))
    return core.resize(value, i64, signed=signed and value.type != i1)


NO_MEMORY = "no memory for "
"""How a text begins where memory is asked for: an operation's name follows, and the record's first value is the number
of bytes. What is told then is no trap of the program."""
MOST_BYTES = 1 << 62
"""More bytes are told as so many: the record has words of 64 bits."""
