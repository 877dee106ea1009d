"""`insert-coherence-checks`: integer programs that check their sums, products and matrix products by residues."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from xdsl.context import Context
from xdsl.dialects import arith, func
from xdsl.dialects.builtin import ArrayAttr, DictionaryAttr, IntegerType, ModuleOp, StringAttr, i32
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import InsertPoint, Rewriter

from hologram.dialects import marks
from hologram.dialects.atlas.arrays.gemm import GemmOp
from hologram.dialects.atlas.arrays.general import ArrayOp, MapOp, ReduceOp
from hologram.dialects.atlas.arrays.products import QuantizedGemmOp
from hologram.dialects.shapes import element_type, is_tensor
from hologram.errors import PassError, where_of
from hologram.lowering.arrays.bufferize import check_layout
from hologram.lowering.pipelines.coherence_checks import Check, Checks, Unchecked, barrier
from hologram.support.walking import operations
from hologram.transforms.arrays.array_forms import ArrayForms
from hologram.transforms.arrays.finish_regions import without_finish
from hologram.transforms.arrays.generalize_atlas import generalize

SUFFIX = ".check"


@dataclass(frozen=True)
class InsertCoherenceChecksPass(ModulePass):
    """Has a program trap where the stored result of an integer sum, product or matrix product is incoherent with the
    operands: residues are a homomorphism of rings, so the same sums and products of residues give the result's residue.

    A matrix product is checked by the sums of its rows and of its columns, a map by the sum of each row of what it
    stores, a reduction sum by sum. What is expected is computed from the operands before the operation, and compared
    with what is read from memory after it. Where no number can leave its type the modulus is 96, else 32, and with it
    16; where the number of terms decides, the program tells at run time. The attribute `hologram.coherence` says which,
    or why an operation on integers is not checked; with `report` so do remarks on standard error.

    The pass works on memory: tensors are brought there by the stages `shapes` to `buffers` of `hologram-to-cpu`, with
    `layout` as `bufferize` has it. With
    `split` the checks are functions of their own, `NAME.check` beside `NAME`, with the same arguments: then whoever
    calls them may look at the results, or change them, in between.

    Before::

        atlas.gemm ins(%a, %b : memref<64x8xi32>, memref<8x4xi32>) outs(%c : memref<64x4xi32>)

    After::

        %sums = memref.alloc() {alignment = 64 : i64} : memref<8xi32>
        atlas.reduce [add i64] ins(%b : memref<8x4xi32>) outs(%sums : memref<8xi32>) ...
        %rows = memref.alloc() {alignment = 64 : i64} : memref<64xi64>
        atlas.reduce [add i64] ins(%a, %sums : memref<64x8xi32>, memref<8xi32>) outs(%rows : memref<64xi64>) ...
        ...
        atlas.gemm ins(%a, %b : ...) outs(%c : memref<64x4xi32>) {hologram.coherence = "16 and 32"}
        llvm.fence syncscope("singlethread") seq_cst
        %differences = memref.alloc() {alignment = 64 : i64} : memref<64xi64>
        atlas.reduce [add i64] ins(%c : memref<64x4xi32>) finish_ins(%rows : ...) outs(%differences : ...) ...
        scf.for %row = %c0 to %c64 step %c1 {
          ...
          atlas.assert %coherent, "atlas.gemm: the checksum of a row ..." lane %row values(%row, %rest : index, i64)
        }
        ...
    """

    name = "insert-coherence-checks"

    split: bool = False
    report: bool = False
    layout: str = "identity"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_layout(self.layout)
        names = _Names.of(op)
        if any(is_tensor(v.type) for inner in operations(op) for v in (*inner.operands, *inner.results)):
            _to_memory(ctx, op, self.layout)
        generalize(op, keep=_is_plain_product)
        for function in [f for f in op.body.block.ops if isinstance(f, func.FuncOp) and f.body.blocks]:
            _Function(function, names, self.split, self.report).run()


def _to_memory(ctx: Context, module: ModuleOp, layout: str) -> None:
    """Runs the stages up to `buffers`."""
    from hologram.lowering.pipelines.pipelines import PIPELINES, run_pipeline

    stages = PIPELINES["hologram-to-cpu"]
    last = next(n for n, stage in enumerate(stages) if stage.name == "buffers")
    laid_out = replace(stages[last], passes=f"bufferize{{layout={layout}}}")
    run_pipeline(module, ctx, [*stages[:last], laid_out])


@dataclass
class _Names:
    """The names of operations before they took their general form, by their places in the source."""

    of_place: dict[Attribute, str] = field(default_factory=dict[Attribute, str])

    @staticmethod
    def of(module: ModuleOp) -> _Names:
        names = _Names()
        for op in operations(module):
            if op.name.partition(".")[0] in ("hologram", "atlas") and isinstance(op.parent_op(), func.FuncOp):
                names.of_place.setdefault(op.location, op.name)
        return names

    def __call__(self, op: Operation) -> str:
        """The name at the operation's place, unless it is that of another kind, with which it was fused."""
        name = self.of_place.get(op.location, op.name)
        is_like = any(word in name for word in _WORDS.get(type(op), ("",)))
        return name if is_like else op.name


_WORDS: dict[type[Operation], tuple[str, ...]] = {GemmOp: ("gemm", "matmul", "contract"), ReduceOp: ("reduce",)}
"""What is in the names of those that become such operations."""


class _Function:
    """The work on one function."""

    def __init__(self, function: func.FuncOp, names: _Names, split: bool, report: bool):
        self.function, self.names, self.split, self.report = function, names, split, report
        self.apart: list[Operation] = []
        """With `split`: all checks, on the function's own arguments."""

    def run(self) -> None:
        for op in [op for op in operations(self.function) if isinstance(op, GemmOp | ReduceOp)]:
            without_finish(op)
        # What moves or compares elements is not checked.
        for op in operations(self.function):
            if isinstance(op, GemmOp | QuantizedGemmOp | MapOp | ReduceOp) and _is_whole(op):
                self._check(op)
        if self.apart:
            self._add_function()

    def _check(self, op: ArrayOp) -> None:
        before: list[Operation] = []
        after: list[Operation] = []
        place = before
        forms = ArrayForms(lambda new: place.append(new), is_value_form=False)
        name = self.names(op)
        try:
            checks = _checks(Checks(forms, name), op)
        except Unchecked as why:
            self._say(op, f"unchecked: {why}", f"'{name}' is not checked: {why}")
            return
        if not checks:
            return
        for check in checks:
            check.expect()
        place = after
        forms.emit(barrier())
        for check in checks:
            check.compare()
        forms.free()
        moduli = ", ".join(dict.fromkeys(check.limit.text for check in checks))
        self._say(op, moduli, f"'{name}' is checked modulo {moduli}, by {checks[0].what}")
        for new in (*before, *after):
            for inner in operations(new):
                inner.location = op.location
        if self.split:
            self._apart(op, [*before, *after])
            return
        Rewriter.insert_op(before, InsertPoint.before(op))
        Rewriter.insert_op(after, InsertPoint.after(op))

    def _say(self, op: ArrayOp, attribute: str, text: str) -> None:
        op.attributes[marks.COHERENCE] = StringAttr(attribute)
        if self.report:
            where = where_of(op)
            place = "" if where is None else f"{where.file}:{where.line}:{where.column}: "
            sys.stderr.write(f"{place}remark: {text}\n")

    # Functions of their own

    def _apart(self, op: ArrayOp, ops: Sequence[Operation]) -> None:
        arguments = set[SSAValue](self.function.body.blocks[0].args)
        name = self.names(op)
        if any(v not in arguments and not _is_constant(v) for v in op.operands):
            raise PassError(
                op,
                "coherence-split",
                f"'{name}' works on what is no argument of '{self.function.sym_name.data}', so that its check can't be "
                "a function of its own",
                hint="leave out the option split, or store the value in an argument",
            )
        if set(op.outs) & set(op.ins):
            raise PassError(
                op,
                "coherence-split-in-place",
                f"'{name}' overwrites what it reads, so nothing is left to check it by afterwards",
                hint="leave out the option split, or give the result memory of its own",
            )
        self.apart += ops

    def _add_function(self) -> None:
        """`NAME.check`, beside the function, on arguments of the same types, all of which the caller gives."""
        old = self.function
        block = Block(arg_types=[a.type for a in old.body.blocks[0].args])
        values: dict[SSAValue, SSAValue] = dict(zip(old.body.blocks[0].args, block.args, strict=True))
        for before, after in values.items():
            after.name_hint = before.name_hint
        for op in self.apart:
            for inner in operations(op):
                for operand in inner.operands:
                    _bring(operand, values, block)
            block.add_op(op.clone(values))
        # What computes values of later checks was cloned before them, so the originals have no use any more.
        for op in reversed(self.apart):
            op.erase()
        block.add_op(func.ReturnOp())
        new = func.FuncOp(f"{old.sym_name.data}{SUFFIX}", old.function_type, Region(block))
        new.attributes.update(old.attributes)
        if old.arg_attrs is not None:
            kept = [{k: v for k, v in attrs.data.items() if k != marks.RESULT} for attrs in old.arg_attrs]
            new.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(attrs) for attrs in kept])
        for op in operations(new):
            op.location = old.location if op in (new, block.last_op) else op.location
        Rewriter.insert_op(new, InsertPoint.after(old))


def _bring(value: SSAValue, values: dict[SSAValue, SSAValue], block: Block) -> None:
    """Computes a constant again in the new function."""
    owner = value.owner
    if value not in values and _is_constant(value) and isinstance(owner, arith.ConstantOp) and owner.parent is not None:
        new = owner.clone()
        block.add_op(new)
        values[value] = new.result


def _is_constant(value: SSAValue) -> bool:
    return isinstance(value.owner, arith.ConstantOp)


def _checks(checks: Checks, op: ArrayOp) -> list[Check]:
    match op:
        case GemmOp() | QuantizedGemmOp():
            return checks.product(op)
        case MapOp():
            return checks.map(op)
        case ReduceOp():
            return checks.reduction(op)
        case _:
            raise Unchecked("it is neither a map, a sum nor a matrix product")


def _is_plain_product(op: Operation) -> bool:
    """Return whether a quantised product stores its sums as they are."""
    return isinstance(op, QuantizedGemmOp) and element_type(op.outs[0].type) == i32


def _is_whole(op: ArrayOp) -> bool:
    """Return whether an operation's results are integers."""
    types = [element_type(v.type) for v in op.outs]
    return all(isinstance(t, IntegerType) and t.bitwidth > 1 for t in types)
