"""The Metal Shading Language, 3.2 or newer. There is no compiler for it here: the text has never been run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from hologram.errors import PassError
from hologram.lowering.targets.text.language import Code, Language, Parameter

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

_HEAD = """\
// Metal 3.2: floats as written, neither contracted nor relaxed.
#include <metal_stdlib>
using namespace metal;
#pragma METAL fp math_mode(safe)
#pragma METAL fp contract(off)"""

_IDS = {
    "thread_id": "thread_position_in_threadgroup", "block_id": "threadgroup_position_in_grid",
    "block_dim": "threads_per_threadgroup", "grid_dim": "threadgroups_per_grid",
}  # fmt: skip

_FETCH = {
    "addi": "add", "andi": "and", "ori": "or", "xori": "xor", "maxu": "max", "maxs": "max", "minu": "min",
    "mins": "min",
}  # fmt: skip

_TRAP = """\
static void {name}(device ulong *trap, ulong site, ulong lane, {parameters})
{{
    // The number of the site fits in the lower half of the first word. An exchange may fail for no reason.
    device atomic_uint *claim = (device atomic_uint *)trap;
    uint found = 0;
    while (!atomic_compare_exchange_weak_explicit(claim, &found, (uint)site + 1u, memory_order_relaxed,
                                                  memory_order_relaxed)) {{
        if (found != 0)
            return;
    }}
    trap[1] = lane;
{stores}
}}"""


@dataclass
class Msl(Language):
    """The table of MSL."""

    name: ClassVar[str] = "MSL"
    types = {
        "i1": "bool", "i8": "uchar", "i16": "ushort", "i32": "uint", "i64": "ulong", "index": "ulong", "f16": "half",
        "bf16": "ushort", "f32": "float",
    }  # fmt: skip
    identities = {f"gpu.{name}": [f"{name}.{axis}" for axis in "xyz"] for name in _IDS}
    reserved = frozenset(
        "alignas alignof and asm auto bitand bitor bool break case catch char class compl const constant constexpr"
        " continue decltype default delete device do double else enum explicit export extern false float for fragment"
        " friend goto half if inline int kernel long metal mutable namespace new noexcept not nullptr operator or"
        " private protected public ray_data register return short signed size_t sizeof static struct switch template"
        " texture this thread threadgroup threadgroup_imageblock throw true try typedef typeid typename uchar uint"
        " ulong union unsigned ushort using vertex virtual visible void volatile while xor as_type bfloat fma sqrt"
        " floor ceil rint round trunc fabs copysign popcount clz ctz mulhi select min max clamp abs sign"
        " thread_id block_id block_dim grid_dim".split()
    )
    functions_have_ids = False

    def head(self) -> list[str]:
        return [_HEAD]

    def native(self, kind: str) -> bool:
        return kind != "bf16"

    def reinterpret(self, a: str, source: str, target: str) -> str:
        return a if self.type(source) == self.type(target) else f"as_type<{self.type(target)}>({a})"

    def float_cast(self, a: str, source: str, target: str) -> str:
        return f"{self.type(target)}({a})"

    def high_product(self, kind: str, a: str, b: str, *, signed: bool) -> str:
        return super().high_product(kind, a, b, signed=signed).replace("mul_hi", "mulhi")

    def extreme(
        self, name: str, kind: str, *, nan_a: str, nan_b: str, results: Sequence[str], zeros: str, operator: str
    ) -> str:
        text = super().extreme(name, kind, nan_a=nan_a, nan_b=nan_b, results=results, zeros=zeros, operator=operator)
        return f"static {text}"

    def barrier(self) -> list[str]:
        return [f"threadgroup_barrier({'mem_flags::mem_device | ' * self.shares_buffers}mem_flags::mem_threadgroup);"]

    def fence(self, p: Code, op: Operation, scope: str) -> list[str]:
        scopes = {"block": "threadgroup", "device": "device"}
        if scope not in scopes:
            raise PassError(
                op,
                "device-refuses-fence-metal",
                f"{op.name} orders memory for the whole system, which Metal can't",
                hint="isa.md section 7: a device may refuse memfence of scope system; use scope device",
            )
        flags = "mem_flags::mem_device | mem_flags::mem_threadgroup"
        return [f"atomic_thread_fence({flags}, memory_order_seq_cst, thread_scope_{scopes[scope]});"]

    def qualified(self, space: str, type: str) -> str:
        return f"{ {'global': 'device', 'workgroup': 'threadgroup', 'private': 'thread'}[space] } {type}"

    def array(self, p: Code, value: SSAValue, q: Parameter, size: int) -> list[str]:
        space = "threadgroup " if q.space == "workgroup" else ""
        return [f"{space}{self.storage(q.kind)} {q.name}[{size}];"]

    def kernel(
        self,
        p: Code,
        name: str,
        parameters: Sequence[Parameter],
        block: Sequence[int] | None,
        shared: str | None,
    ) -> list[str]:
        buffers = [q for q in parameters if q.is_buffer]
        given = [f"{self.parameter(q)} [[buffer({n})]]" for n, q in enumerate(buffers)]
        if scalars := [q for q in parameters if not q.is_buffer]:
            struct, value = p.outside(f"{name}_scalars_type"), p.fresh("scalars")
            p.globals += [f"struct {struct} {{", *(f"    {self.storage(q.kind)} {q.name};" for q in scalars), "};"]
            given.append(f"constant {struct} &{value} [[buffer({len(buffers)})]]")
            p.entry += [self.constant(q.kind, q.name, f"{value}.{q.name}") for q in scalars]
        if shared is not None:
            given.append(f"threadgroup uint4 *{shared} [[threadgroup(0)]]")
        given += [f"uint3 {name} [[{attribute}]]" for name, attribute in _IDS.items()]
        head = [f"kernel void {name}(", *(f"    {g}," for g in given[:-1]), f"    {given[-1]})"]
        if block:
            head.insert(0, f"[[max_total_threads_per_threadgroup({block[0] * block[1] * block[2]})]]")
        return head

    def function(self, name: str, result: str | None, parameters: Sequence[Parameter]) -> str:
        return f"static {super().function(name, result, parameters)}"

    def _atomic(self, space: str, place: str, *, signed: bool = False) -> str:
        return f"({self.qualified(space, 'atomic_int' if signed else 'atomic_uint')} *)&{place}"

    def atomic_load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        place = self.element(p.value(buffer), index)
        space = p.parameters[buffer].space if buffer in p.parameters else "global"
        return f"atomic_load_explicit({self._atomic(space, place)}, memory_order_relaxed)"

    def exchange(self, p: Code, space: str, kind: str, place: str, current: str, seen: str, value: str) -> list[str]:
        order = "memory_order_relaxed, memory_order_relaxed"
        call = f"atomic_compare_exchange_weak_explicit({self._atomic(space, place)}, &{current}, {value}, {order})"
        return [f"if ({call})", "    break;"]

    def fetch(self, name: str, space: str, kind: str, place: str, operand: str) -> str | None:
        if name == "assign":
            return f"atomic_exchange_explicit({self._atomic(space, place)}, {operand}, memory_order_relaxed)"
        if name not in _FETCH:
            return None
        signed = name in ("maxs", "mins")
        value = self.signed(kind, operand) if signed else operand
        pointer = self._atomic(space, place, signed=signed)
        call = f"atomic_fetch_{_FETCH[name]}_explicit({pointer}, {value}, memory_order_relaxed)"
        return self.unsigned(kind, call) if signed else call

    def trap(self, name: str, words: int) -> str | None:
        stores = "\n".join(f"    trap[{n + 2}] = v{n};" for n in range(words))
        return _TRAP.format(name=name, parameters=", ".join(f"ulong v{n}" for n in range(words)), stores=stores)
