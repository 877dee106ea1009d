"""OpenCL C 1.2: exact, so that its results are those of every other exact device (isa.md section 7)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects import arith, memref
from xdsl.dialects.builtin import DenseIntOrFPElementsAttr, FloatAttr

from hologram.dialects.arith import constant_of
from hologram.dialects.memref import GenericAtomicRMWOp
from hologram.errors import PassError
from hologram.lowering.targets.text.language import Code, Language, Parameter, PointerLanguage
from hologram.lowering.targets.text.scalars import FLOAT_PREDICATES, INTEGER, MAGNITUDES, NEGATED, is_nan

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

_HEAD = """\
// OpenCL C 1.2. To be exact this needs the build option -cl-fp32-correctly-rounded-divide-sqrt where the device offers
// it (CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT), and none that flushes subnormals or relaxes floats."""

_TRAP = """\
void {name}(global ulong *trap, ulong site, ulong lane, {parameters})
{{
    // The number of the site fits in the lower half of the first word: an exchange of 32 bits will do.
    if (atomic_cmpxchg((volatile global uint *)trap, 0u, (uint)site + 1u) == 0u) {{
        trap[1] = lane;
{stores}
    }}
}}"""


_BY_ELEMENT = (memref.LoadOp, memref.StoreOp, memref.AtomicRMWOp, GenericAtomicRMWOp)
"""Operations that see an array as what it is declared as."""


_STRICT = {"ogt": ">", "olt": "<", "ugt": ">", "ult": "<"}
"""The comparisons that leave out equal numbers."""


def _is_zero(value: SSAValue, *, sign: int = 0) -> bool:
    """Return whether a value is a constant zero, of a sign if one is given."""
    owner = value.owner
    constant: Any = owner.value if isinstance(owner, arith.ConstantOp) else None
    if isinstance(constant, FloatAttr):
        number = constant.value.data
    elif isinstance(constant, DenseIntOrFPElementsAttr) and constant.is_splat():
        number = constant.get_values()[0]
    else:
        return False
    return number == 0 and (not sign or math.copysign(1, number) == sign)


def _strict(condition: SSAValue) -> tuple[SSAValue, str, bool] | None:
    """The value that a condition compares with zero, by < or >, and whether it holds for NaN too; None for others."""
    test, negated = condition.owner, False
    if isinstance(test, arith.XOrIOp) and constant_of(test.rhs) in (1, -1):
        test, negated = test.lhs.owner, True
    if not isinstance(test, arith.CmpfOp) or not (_is_zero(test.lhs) or _is_zero(test.rhs)):
        return None
    name = FLOAT_PREDICATES[int(test.predicate.value.data)]
    if negated:
        name = NEGATED.get(name) or next((n for n, opposite in NEGATED.items() if opposite == name), name)
    if (way := _STRICT.get(name)) is None:
        return None
    if _is_zero(test.rhs):
        return test.lhs, way, name[0] == "u"
    return test.rhs, "<" if way == ">" else ">", name[0] == "u"


@dataclass
class OpenCL(PointerLanguage):
    """The table of OpenCL C."""

    name: ClassVar[str] = "OpenCL C"
    types = {
        "i1": "bool", "i8": "uchar", "i16": "ushort", "i32": "uint", "i64": "ulong", "index": "ulong",
        "f16": "ushort", "bf16": "ushort", "f32": "float",
    }  # fmt: skip
    optional = {"f64": "double", "f16": "half"}
    identities = {
        f"gpu.{name}": [f"get_{function}({axis})" for axis in range(3)]
        for name, function in {
            "thread_id": "local_id", "block_id": "group_id", "block_dim": "local_size", "grid_dim": "num_groups",
        }.items()
    }  # fmt: skip
    reserved = frozenset(
        "auto bool break case char const constant continue default do double else enum extern float for global goto"
        " half if image1d_t image2d_t image3d_t inline int kernel local long private read_only register restrict return"
        " sampler_t short signed sizeof static struct switch typedef uchar uint ulong union unsigned ushort void"
        " volatile while write_only event_t true false size_t ptrdiff_t intptr_t uintptr_t pipe generic complex"
        " imaginary quad NAN INFINITY HUGE_VAL M_PI half2 half4 barrier mem_fence clamp degrees radians mix step"
        " smoothstep sign dot cross distance length normalize select shuffle printf any all isnan isinf min max mad"
        " abs abs_diff add_sat hadd rotate mul_hi clz popcount upsample exp log sin cos tan pow sqrt fma floor ceil"
        " round rint trunc fabs fmin fmax fmod tanh erf exp2 log2 read_mem_fence write_mem_fence linux unix uchar_any"
        " ushort_any uint_any ulong_any half_any float_any double_any".split()
    )

    def for_lanes(self) -> Language:
        return _Lanes(self.features, self.helpers, self.used)

    def head(self) -> list[str]:
        newer = ["// Its fences are those of OpenCL C 2.0."] if "fences" in self.used else []
        lines = [_HEAD, *newer, "#pragma OPENCL FP_CONTRACT OFF"]
        extensions = {"f64": "cl_khr_fp64", "f16": "cl_khr_fp16", "atomics64": "cl_khr_int64_base_atomics"}
        lines += [
            f"#pragma OPENCL EXTENSION {extensions[f]} : enable" for f in extensions if f in self.features & self.used
        ]
        return lines

    def condition(self, p: Code, op: Any) -> str:
        """LLVM before 16 takes `x < 0 ? -0.0 : x` for the greater of x and -0.0, and gives -0.0 for 0.0 then: there the
        comparison is one of bits."""
        strict = _strict(op.cond) if _is_zero(op.lhs, sign=-1) else None
        if strict is None:
            return super().condition(p, op)
        x, way, or_nan = strict
        kind, a = p.kind(x), p.value(x)
        word, (magnitude, infinity) = f"i{self.bits(kind)}", MAGNITUDES[kind]
        bits, least = self.reinterpret(a, kind, word), 1 if way == ">" else magnitude + 2
        distance = INTEGER["arith.subi"](self, word, bits, self.literal(word, least))
        text = f"{distance} < {self.literal(word, infinity)}"
        return f"({text} || {is_nan(self, kind, a)})" if or_nan else f"({text})"

    def barrier(self) -> list[str]:
        return [f"barrier(CLK_LOCAL_MEM_FENCE{' | CLK_GLOBAL_MEM_FENCE' * self.shares_buffers});"]

    def fence(self, p: Code, op: Operation, scope: str) -> list[str]:
        memory = "CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE"
        if scope == "block":
            return [f"mem_fence({memory});"]
        if "fences" not in self.features:
            raise PassError(
                op,
                "device-refuses-fence-opencl",
                f"{op.name} orders memory for other blocks, which OpenCL before 2.0 can't",
                hint="isa.md section 7: memfence of scope device and system is refused; order within the block, or "
                "launch twice",
            )
        self.used.add("fences")
        # Nobody but the device sees its buffers while kernels run: that is the whole system.
        return [f"atomic_work_item_fence({memory}, memory_order_acq_rel, memory_scope_device);"]

    def qualified(self, space: str, type: str) -> str:
        return f"{'local' if space == 'workgroup' else space} {type}"

    def changing_pointer(self, space: str, kind: str) -> str:
        # Compilers go by the elements' types: accesses as different ones were to different memory.
        type = self.storage(kind)
        any = self.helper(f"{type}_any", f"typedef {type} {type}_any __attribute__((may_alias));")
        return f"{self.qualified(space, any)} *"

    def array(self, p: Code, value: SSAValue, q: Parameter, size: int) -> list[str]:
        (line,) = super().array(p, value, q, size)
        if all(isinstance(use.operation, _BY_ELEMENT) for use in value.uses):
            return [line]
        # isa.md section 4: what an array may be looked at as wants this much.
        return [line.replace(";", " __attribute__((aligned(16)));")]

    def kernel(
        self,
        p: Code,
        name: str,
        parameters: Sequence[Parameter],
        block: Sequence[int] | None,
        shared: str | None,
    ) -> list[str]:
        size = f"__attribute__((reqd_work_group_size({', '.join(map(str, block))}))) " if block else ""
        given = [self._kernel_parameter(p, q) for q in parameters]
        if shared is not None:  # The last argument, without a value but with a size. Its alignment is 16.
            given.append(f"local ulong2 *{shared}")
        return [f"kernel {size}void {name}({', '.join(given)})"]

    def _kernel_parameter(self, p: Code, q: Parameter) -> str:
        if q.kind == "i1" and not q.is_buffer:  # A bool can't be passed to a kernel.
            p.values[q.value] = f"({q.name} != 0)"
            return f"uchar {q.name}"
        return self.parameter(q)

    def compare_exchange(self, space: str, kind: str, place: str, expected: str, value: str) -> str:
        return f"{self._function(kind)}_cmpxchg({self._pointer(space, kind, place)}, {expected}, {value})"

    def fetch(self, name: str, space: str, kind: str, place: str, operand: str) -> str | None:
        names = {"addi": "add", "assign": "xchg"}
        if self.bits(kind) == 32:
            names |= {
                "andi": "and", "ori": "or", "xori": "xor", "maxs": "max", "maxu": "max", "mins": "min", "minu": "min",
            }  # fmt: skip
        if name not in names:
            return None
        signed = name in ("maxs", "mins")
        pointer = self._pointer(space, kind, place, signed=signed)
        call = f"{self._function(kind)}_{names[name]}({pointer}, {self.signed(kind, operand) if signed else operand})"
        return self.unsigned(kind, call) if signed else call

    def _function(self, kind: str) -> str:
        if self.bits(kind) == 32:
            return "atomic"
        self.used.add("atomics64")
        return "atom"

    def _pointer(self, space: str, kind: str, place: str, *, signed: bool = False) -> str:
        type = self.signed_types[self.integer(kind)] if signed else self.type(kind)
        return f"(volatile {self.qualified(space, type)} *)&{place}"

    def trap(self, name: str, words: int) -> str | None:
        stores = "\n".join(f"        trap[{n + 2}] = v{n};" for n in range(words))
        return _TRAP.format(name=name, parameters=", ".join(f"ulong v{n}" for n in range(words)), stores=stores)


class _Lanes(OpenCL):
    """Vectors of sixteen elements: operators and functions take them as they are."""

    types = {"i1": "int16", "i32": "uint16", "f32": "float16"}
    optional: ClassVar[Mapping[str, str]] = {}
    signed_types = {"i32": "int16"}
    has_lanes = True

    def literal(self, kind: str, pattern: int) -> str:
        return self.row(kind, [pattern])

    def row(self, kind: str, patterns: Sequence[int]) -> str:
        if len(set(patterns)) == 1:
            patterns = patterns[:1]
        of_one = [str(-pattern) if kind == "i1" else super(_Lanes, self).literal(kind, pattern) for pattern in patterns]
        return f"({self.type(kind)})({', '.join(of_one)})"

    def cast(self, type: str, a: str) -> str:
        return f"as_{type}({a})"

    def signed(self, kind: str, a: str) -> str:
        return self.cast(self.signed_types[kind], a)
