"""Emits residues of what regions of scalars compute: the same sums and products, of numbers that stand for integers.

A residue is a number that is congruent to an integer modulo 96, and so modulo 32 and 16, and that fits easily into an
i64: 2^8, 2^16 and 2^32 are all 64 modulo 96, so x = 2^s h + l is congruent to 64 h + l. No division is needed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from xdsl.dialects.builtin import i64
from xdsl.ir import Block, BlockArgument, Operation, SSAValue
from xdsl.traits import is_side_effect_free

from hologram.dialects.atlas.instructions.instruction import ScalarOp
from hologram.dialects.atlas.instructions.scalar import CvtOp
from hologram.dialects.atlas.instructions.types import DTYPES, DType
from hologram.transforms.analysis.integer_ranges import RULES, Range, Ranges, bits_of, fits
from hologram.transforms.arrays.array_forms import Scalars

MODULUS = 96
SURVIVES = 32
"""The greatest modulus that divides 96 and all powers of two that integers wrap at; 16 divides it."""
SMALL = (1 << 32) + 1
"""What is less than this may be summed up over 2^31 elements."""
ROOM = 1 << 62
I64 = DTYPES["i64"]
RING = frozenset({"add", "sub", "mul", "neg", "fma", "fms", "mad"})
"""The instructions that residues go through."""


@dataclass(frozen=True)
class Residue:
    """A number of i64 in `range` that stands for an integer."""

    value: SSAValue
    range: Range

    @property
    def size(self) -> int:
        """The greatest it can be, without its sign."""
        return max(abs(self.range[0]), abs(self.range[1]))


@dataclass(frozen=True)
class Chain:
    """A value of a region that consists of sums and products."""

    value: SSAValue
    dtype: DType
    """How it is read."""
    exact: bool
    """Whether nothing on the way to it wraps, so that residues modulo 96 hold."""


def chain_of(value: SSAValue, ranges: Ranges) -> Chain | None:
    """Return the chain of sums and products that a value is; None if it is none, or can't be computed a second time."""
    owner = _through_conversions(value).owner
    dtype = _dtype_of(value)
    if not isinstance(owner, ScalarOp) or not _is_ring(owner) or dtype is None:
        return None
    return term_of(value, ranges, dtype)


def term_of(value: SSAValue, ranges: Ranges, dtype: DType) -> Chain | None:
    """The same of what is itself added or multiplied, read as `dtype`: it may be an element as it is."""
    if any(_leaf_is_barred(leaf) for leaf in _leaves(value, set())):
        return None
    return Chain(value, dtype, _is_exact(value, dtype, ranges))


def _is_ring(op: Operation | Block) -> bool:
    if isinstance(op, ScalarOp):
        return op.INSTRUCTION.name in RING and op.dtype.is_integer and op.dtype.bits <= 64
    return isinstance(op, CvtOp) and _whole(op.source_type.dtype) and _whole(op.type.dtype)


def _whole(dtype: DType) -> bool:
    return dtype.is_integer and dtype.bits <= 64


def _through_conversions(value: SSAValue) -> SSAValue:
    while isinstance(value.owner, CvtOp) and _is_ring(value.owner):
        value = value.owner.a
    return value


def _dtype_of(value: SSAValue) -> DType | None:
    owner = value.owner
    return owner.dtype if isinstance(owner, ScalarOp) else owner.type.dtype if isinstance(owner, CvtOp) else None


def _leaves(value: SSAValue, seen: set[SSAValue]) -> list[SSAValue]:
    """Return the values that the sums and products start from."""
    if value in seen:
        return []
    seen.add(value)
    owner = value.owner
    if isinstance(owner, Operation) and _is_ring(owner):
        return [leaf for operand in owner.operands for leaf in _leaves(operand, seen)]
    return [value]


def _leaf_is_barred(value: SSAValue) -> bool:
    """Return whether a value can't be computed again: it traps, or is no integer."""
    if bits_of(value.type) not in (8, 16, 32, 64):
        return True
    waiting, seen = [value], set[SSAValue]()
    while waiting:
        owner = waiting.pop().owner
        if not isinstance(owner, Operation):
            continue
        if owner.regions or not is_side_effect_free(owner):
            return True
        waiting += [v for v in owner.operands if v not in seen]
        seen.update(owner.operands)
    return False


def _is_exact(value: SSAValue, dtype: DType, ranges: Ranges) -> bool:
    """Return whether the value, read as `dtype`, is the number that sums and products without bounds would give."""
    owner = value.owner
    if isinstance(owner, ScalarOp) and _is_ring(owner):
        if not fits(ranges.exact(owner, owner.dtype), owner.dtype) or not fits(ranges.exact(owner, owner.dtype), dtype):
            return False
        return all(_is_exact(v, owner.dtype, ranges) for v in owner.operands)
    if isinstance(owner, CvtOp) and _is_ring(owner):
        source = owner.source_type.dtype
        read = ranges.read(owner.a, source)
        return fits(read, owner.type.dtype) and fits(read, dtype) and _is_exact(owner.a, source, ranges)
    return True


@dataclass
class ResidueBuilder:
    """Emits residues into a region that is being written; `arguments` has the new region's for those of the old one."""

    scalars: Scalars
    ranges: Ranges
    arguments: Mapping[SSAValue, SSAValue]
    _made: dict[tuple[SSAValue, DType], Residue] = field(default_factory=dict[tuple[SSAValue, DType], Residue])
    _copied: dict[SSAValue, SSAValue] = field(default_factory=dict[SSAValue, SSAValue])

    def of(self, value: SSAValue, dtype: DType) -> Residue:
        """The residue of a value, read as `dtype`."""
        key = value, dtype
        if key not in self._made:
            self._made[key] = self._compute(value, dtype)
        return self._made[key]

    def small(self, residue: Residue, limit: int = SMALL) -> Residue:
        """A residue below a limit of at least 2^30."""
        while residue.size >= limit:
            residue = self._folded(residue, 32 if residue.size >= 1 << 40 else 16)
        return residue

    def element(self, value: SSAValue, dtype: DType) -> Residue:
        """The residue of a value that is there in the new region: its bits read as `dtype`."""
        if dtype.name == "u64":
            high = self.scalars.core.shr(value, 32)
            return self._joined(high, (0, (1 << 32) - 1), value, 32)
        return Residue(self.scalars.cvt(dtype, I64, value), (int(dtype.least), int(dtype.greatest)))

    def _folded(self, residue: Residue, shift: int) -> Residue:
        """64 h + l of 2^shift h + l."""
        high = self.scalars.core.ashr(residue.value, shift)
        return self._joined(high, (residue.range[0] >> shift, residue.range[1] >> shift), residue.value, shift)

    def _joined(self, high: SSAValue, range: Range, value: SSAValue, shift: int) -> Residue:
        core, factor, mask = self.scalars.core, (1 << shift) % MODULUS, (1 << shift) - 1
        low = core.both(value, mask)
        total = core.add(core.mul(high, factor), low)
        return Residue(total, (range[0] * factor, range[1] * factor + mask))

    def _compute(self, value: SSAValue, dtype: DType) -> Residue:
        owner = value.owner
        if isinstance(owner, ScalarOp) and _is_ring(owner):
            return self._ring(owner, [self.of(v, owner.dtype) for v in owner.operands])
        if isinstance(owner, CvtOp) and _is_ring(owner):
            return self.of(owner.a, owner.source_type.dtype)
        known = self.ranges.of(value)
        if known is not None and known.signed[0] == known.signed[1]:
            number = known.read(dtype)[0] % MODULUS
            return Residue(self.scalars.core.constant(number, i64), (number, number))
        residue = self.element(self._copy(value), dtype)
        range = self.ranges.read(value, dtype)
        # What is known is known of the number itself, not of what a fold made of it.
        return residue if dtype.name == "u64" else Residue(residue.value, range)

    def _copy(self, value: SSAValue) -> SSAValue:
        """The value itself, computed again in the new region."""
        if value in self.arguments:
            return self.arguments[value]
        if value not in self._copied:
            owner = value.owner
            if isinstance(owner, BlockArgument | Block) or owner.parent is None or not self._is_inside(owner):
                return value
            new = owner.clone({v: self._copy(v) for v in owner.operands})
            self.scalars.block.add_op(new)
            self._copied.update(zip(owner.results, new.results, strict=True))
        return self._copied[value]

    def _is_inside(self, op: Operation) -> bool:
        """Return whether an operation stands in the old region."""
        first = next(iter(self.arguments), None)
        return first is not None and op.parent is first.owner

    def _ring(self, op: ScalarOp, operands: list[Residue]) -> Residue:
        name, rule = op.INSTRUCTION.name, RULES[op.INSTRUCTION.name]
        least = 1 << 30 if name in ("mul", "fma", "fms", "mad") else ROOM >> 2
        ranges = [r.range for r in operands]
        if max(map(abs, rule(I64, *ranges))) >= ROOM:
            operands = [self.small(r, least) for r in operands]
            ranges = [r.range for r in operands]
        core, values = self.scalars.core, [r.value for r in operands]
        match name:
            case "add" | "sub" | "mul":
                result = core.binary(name, values[0], values[1])
            case "neg":
                result = core.negate(values[0])
            case _:
                result = core.binary("sub" if name == "fms" else "add", core.mul(values[0], values[1]), values[2])
        return Residue(result, rule(I64, *ranges))


def identity_element(value: SSAValue, scalars: Scalars, dtype: DType) -> Residue:
    """The small residue of an element of an array."""
    builder = ResidueBuilder(scalars, Ranges(), {})
    return builder.small(builder.element(value, dtype))
