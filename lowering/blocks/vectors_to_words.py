"""Has kernels load and store neighbours as integers of 64 bits, for devices whose memory is read by elements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    ArrayAttr,
    DictionaryAttr,
    Float32Type,
    Float64Type,
    FunctionType,
    IntegerType,
    MemRefType,
    ModuleOp,
    NoneAttr,
    StringAttr,
    UnitAttr,
    VectorType,
    i32,
    i64,
)
from xdsl.dialects.vector import ExtractOp
from xdsl.ir import Attribute, BlockArgument, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from hologram.dialects import gpu, marks
from hologram.dialects.op_builder import OpBuilder
from hologram.dialects.vector import FromElementsOp, LoadOp, StoreOp
from hologram.dialects.verbs import Arith
from hologram.lowering.blocks.flat_launches import kernel_of, launches_of, retype_launch
from hologram.lowering.blocks.kernel_records import describe_kernels
from hologram.lowering.rewriting.entry_record import access_of
from hologram.support.option_ranges import Positive
from hologram.support.walking import operations

_TEXEL, _READ = VectorType(Float32Type(), [4]), StringAttr("read")
_WORD = 64
_ELEMENTS = (Float32Type(), Float64Type(), i32, i64)
"""What words are made of."""
Access = LoadOp | StoreOp


@dataclass(frozen=True)
class VectorsToWordsPass(ModulePass):
    """Turns vector.load and vector.store of elements of 32 and 64 bits in kernels into accesses to vectors of up to
    four words of 64 bits. A buffer of which single elements are accessed too comes as two arguments.

    Where a device's driver reads memory element by element, as Mesa's does for processors, words take half as long.
    Other vectors become their elements, and so do all of a kernel that would have more than `most` buffers, or where
    integers have no more than `limb` bits, of which there are no words. With `texels` buffers of f32 that are only read
    have vectors of four f32 in place of words, and the attribute `hologram.texels`: the driver reads such itself.

    Before::

        gpu.launch_func @m::@k blocks in (...) threads in (...) args(%a : memref<?xf32>, %b : memref<?xf32>)

        gpu.func @k(%a: memref<?xf32>, %b: memref<?xf32>) kernel {
          %v = vector.load %a[%i] {alignment = 16} : memref<?xf32>, vector<4xf32>
          %x = vector.extract %v[1] : f32 from vector<4xf32>

    After::

        %words = builtin.unrealized_conversion_cast %a : memref<?xf32> to memref<?xvector<2xi64>>
        gpu.launch_func @m::@k blocks in (...) threads in (...) args(%words, %b : ...)

        gpu.func @k(%a: memref<?xvector<2xi64>>, %b: memref<?xf32>) kernel {
          %n = arith.shrui %i, %c2 : index
          %v = memref.load %a[%n] : memref<?xvector<2xi64>>
          %word = vector.extract %v[0] : i64 from vector<2xi64>
          %high = arith.shrui %word, %c32 : i64
          %bits = arith.trunci %high : i64 to i32
          %x = arith.bitcast %bits : i32 to f32
    """

    name = "vectors-to-words"
    most: Positive = 16
    limb: Positive = _WORD
    texels: bool = False

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for module in [o for o in operations(op) if isinstance(o, gpu.ModuleOp)]:
            kernels = gpu.kernels_of(module)
            changed = kernels if self.limb >= _WORD else []
            twice = {
                k.sym_name.data: doubled
                for k in changed
                if (doubled := _Kernel(k, self.most, self.texels).convert()) is not None
            }
            for nested in operations(module):
                if isinstance(nested, LoadOp | StoreOp):
                    _by_elements(nested)
            if not twice:
                continue
            taken = {k.sym_name.data: k.function_type.inputs.data for k in kernels}
            for launch in launches_of(module, op):
                if (numbers := twice.get(name := kernel_of(launch))) is not None:
                    given = [v for n, v in enumerate(launch.kernelOperands) for _ in range(1 + (n in numbers))]
                    retype_launch(launch, [(v, [type]) for v, type in zip(given, taken[name], strict=True)])
            describe_kernels(module)


def _kind_of(op: Access) -> VectorType[Any]:
    value = op.result if isinstance(op, LoadOp) else op.vector
    return cast("VectorType[Any]", value.type)


def _words(op: Access) -> int:
    """The words that an access is of, up to four; 0 if it is not of words."""
    kind = _kind_of(op)
    size = kind.element_count() * getattr(kind.element_type, "bitwidth", 0)
    alignment = op.alignment.value.data if op.alignment is not None else 0
    whole = kind.element_type in _ELEMENTS and size in (2 * _WORD, 4 * _WORD) and alignment * 8 >= size
    taken = not isinstance(op, LoadOp) or all(isinstance(use.operation, ExtractOp) for use in op.result.uses)
    return size // _WORD if whole and taken and len(op.indices) == 1 else 0


class _Kernel:
    """One kernel."""

    def __init__(self, kernel: gpu.FuncOp, most: int, texels: bool):
        self.kernel, self.most = kernel, most
        self.arguments = list(kernel.body.block.args[: kernel.argument_count])
        given = [dict(a.data) for a in kernel.arg_attrs] if kernel.arg_attrs is not None else []
        self.given = given + [{} for _ in range(len(self.arguments) - len(given))]
        """What is said of each argument."""
        buffers = [a for a, attrs in zip(self.arguments, self.given, strict=True) if attrs.get(marks.ACCESS) == _READ]
        self.texels = {
            a.index for a in buffers if texels and cast("MemRefType[Any]", a.type).element_type == Float32Type()
        }
        """The arguments that may be texel buffers."""

    def convert(self) -> set[int] | None:
        """Changes the kernel; gives the numbers of the arguments that it takes twice, None if it stays as it is."""
        accesses: dict[BlockArgument, list[Access]] = {}
        for op in operations(self.kernel):
            if isinstance(op, LoadOp | StoreOp) and op.base in self.arguments and _words(op):
                accesses.setdefault(cast(BlockArgument, op.base), []).append(op)
        for argument, ops in accesses.items():
            most = max(map(_words, ops))
            accesses[argument] = [op for op in ops if _words(op) == most]
        twice = {a for a, ops in accesses.items() if any(use.operation not in ops for use in a.uses)}
        buffers = sum(isinstance(a.type, MemRefType) for a in self.arguments)
        if not accesses or buffers + len(twice) > self.most:
            return None
        numbers = {a.index for a in twice}
        self.texels &= {a.index for a in accesses}
        texels = [argument.index in self.texels for argument in accesses]
        for (argument, ops), is_texels in zip(accesses.items(), texels, strict=True):
            self._change(argument, ops, argument in twice, _TEXEL if is_texels else VectorType(i64, [_words(ops[0])]))
        self._say(numbers)
        return numbers

    def _change(self, argument: BlockArgument, ops: Sequence[Access], twice: bool, words: VectorType[Any]) -> None:
        type = MemRefType(words, [DYNAMIC_INDEX], NoneAttr(), cast("MemRefType[Any]", argument.type).memory_space)
        retyped = self.kernel.body.block.insert_arg(type, argument.index + 1)
        retyped.name_hint = argument.name_hint
        for op in ops:
            if words == _TEXEL:
                _by_texels(op, retyped)
            else:
                _by_words(op, retyped)
        if not twice:
            self.kernel.body.block.erase_arg(argument)

    def _say(self, twice: set[int]) -> None:
        """The signature, and what is said of the arguments."""
        kernel = self.kernel
        arg_attrs: list[dict[str, Attribute]] = []
        for number, attributes in enumerate(self.given):
            arg_attrs += (
                [attributes] if number not in twice else [{**attributes, marks.ALIASED: UnitAttr()} for _ in range(2)]
            )
            arg_attrs[-1] |= {marks.TEXELS: UnitAttr()} if number in self.texels else {}
        arguments = kernel.body.block.args[: len(arg_attrs)]
        for argument, attributes in zip(arguments, arg_attrs, strict=True):
            # Of two that are one buffer both are written or none is, which is what devices ask of it.
            if marks.ACCESS in attributes and marks.ALIASED not in attributes and isinstance(argument.type, MemRefType):
                attributes[marks.ACCESS] = StringAttr(access_of(argument))
        kernel.properties["function_type"] = FunctionType.from_lists([a.type for a in arguments], [])
        kernel.properties["arg_attrs"] = ArrayAttr([DictionaryAttr(a) for a in arg_attrs])


def _by_texels(op: Access, buffer: SSAValue) -> None:
    at, kind = OpBuilder(op), _kind_of(op)
    assert isinstance(op, LoadOp)
    first = at.core.shr(op.indices[0], 2)
    places = [at.add(first, n) for n in range(kind.element_count() // 4)]
    texels = [at.load(buffer, place) for place in places]
    _replace(op, [at.op(ExtractOp(texel, [n], Float32Type())) for texel in texels for n in range(4)])


def _replace(op: LoadOp, parts: Sequence[SSAValue]) -> None:
    """Puts values in place of the elements that are extracted from a load."""
    for use in list(op.result.uses):
        extract = use.operation
        assert isinstance(extract, ExtractOp)
        (number,) = extract.static_position.get_values()
        Rewriter.replace_op(extract, [], [parts[number]])
    Rewriter.erase_op(op)


def _by_words(op: Access, buffer: SSAValue) -> None:
    at, kind = OpBuilder(op), _kind_of(op)
    place = at.core.shr(op.indices[0], kind.element_count().bit_length() - 1)
    if isinstance(op, LoadOp):
        return _replace(op, _parts(at, at.load(buffer, place), kind))
    whole = at.op(FromElementsOp(_joined(at.core, _elements(at, op, kind)), VectorType(i64, [_words(op)])))
    at.store(whole, buffer, place)
    Rewriter.erase_op(op)


def _elements(at: OpBuilder, op: StoreOp, kind: VectorType[Any]) -> list[SSAValue]:
    """Return the elements that a store stores."""
    if isinstance(op.vector.owner, FromElementsOp):
        return list(op.vector.owner.elements)
    return [at.op(ExtractOp(op.vector, [n], kind.element_type)) for n in range(kind.element_count())]


def _parts(at: OpBuilder, vector: SSAValue, kind: VectorType[Any]) -> list[SSAValue]:
    """The elements of a vector of words."""
    words = [at.op(ExtractOp(vector, [n], i64)) for n in range(cast("VectorType[Any]", vector.type).element_count())]
    core, element = at.core, kind.element_type
    if element.bitwidth < _WORD:
        high = [core.shr(word, _WORD // 2) for word in words]
        words = [core.resize(half, i32, signed=False) for pair in zip(words, high, strict=True) for half in pair]
    return [core.bits(word, element) for word in words]


def _joined(core: Arith, elements: Sequence[SSAValue]) -> list[SSAValue]:
    """Emits the words that consist of these elements."""
    width = cast(Any, elements[0].type).bitwidth
    parts = [core.bits(v, IntegerType(width)) for v in elements]
    if width == _WORD:
        return parts
    wide = [core.resize(part, i64, signed=False) for part in parts]
    high = [core.shl(part, _WORD // 2) for part in wide[1::2]]
    return [core.either(a, b) for a, b in zip(wide[::2], high, strict=True)]


def _by_elements(op: Access) -> None:
    at, kind = OpBuilder(op), _kind_of(op)
    *outer, last = op.indices
    places = [[*outer, at.add(last, n)] for n in range(kind.element_count())]
    if isinstance(op, LoadOp):
        values = [at.load(op.base, *place) for place in places]
        for use in list(op.result.uses):
            extract = use.operation
            if isinstance(extract, ExtractOp) and len(extract.static_position.get_values()) == 1:
                (number,) = extract.static_position.get_values()
                Rewriter.replace_op(extract, [], [values[number]])
        if op.result.uses:
            op.result.replace_all_uses_with(at.op(FromElementsOp(values, kind)))
    else:
        for value, place in zip(_elements(at, op, kind), places, strict=True):
            at.store(value, op.base, *place)
    Rewriter.erase_op(op)
