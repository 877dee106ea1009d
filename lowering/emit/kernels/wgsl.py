"""WGSL for WebGPU: what it lacks is emulated or refused (isa.md section 7, `docs/launch-abi.mdx` for the bindings).

Buffers are the storage bindings of group 0 in the order of the arguments, then come the scalars in one uniform struct.
Elements of 8 and 16 bits live in words of 32; a store changes its own bits of the word with an atomic operation, so
that no lane's store is lost. An index is 32 bits wide; a wider integer that does not fit becomes 2^31 - 1 as one, which
no size exceeds, so that guards still refuse it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.ir import Block

from hologram.errors import PassError
from hologram.lowering.emit.kernels.language import Code, Language, Parameter, decoded, encoded, shortest
from hologram.lowering.emit.kernels.wgsl_words import HELPERS, RESERVED

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

_NARROW = {"i8": 8, "i16": 16}
_IDS = ("thread_id", "block_id", "grid_dim")
_HIDE = "hidden = grid_dim.x >> 31u;"
_SUMS = ("arith.addf", "arith.subf")
_SMALLEST = {"f16": 2.0**-14, "f32": 2.0**-126, "f64": 2.0**-1022}
_DIRECT = {
    "addi": "atomicAdd", "andi": "atomicAnd", "ori": "atomicOr", "xori": "atomicXor", "assign": "atomicExchange",
    "maxu": "atomicMax", "minu": "atomicMin",
}  # fmt: skip


@dataclass
class Wgsl(Language):
    """The table of WGSL."""

    name: ClassVar[str] = "WGSL"
    index_bits = 32
    types = {
        "i1": "bool", "i8": "u32", "i16": "u32", "i32": "u32", "index": "u32", "f16": "u32", "bf16": "u32", "f32": "f32"
    }  # fmt: skip
    optional = {"i64": "u64", "f64": "f64", "f16": "f16"}
    functions = {
        **Language.functions, "math.absf": "abs", "math.roundeven": "round", "math.copysign": "copysign",
        "math.round": "round_away",
    }  # fmt: skip
    identities = {
        **{f"gpu.{name}": [f"{name}.{axis}" for axis in "xyz"] for name in _IDS},
        "gpu.block_dim": ["block_x", "block_y", "block_z"],
    }
    reserved = RESERVED
    functions_take_memory = False
    functions_have_ids = False

    def finish(self, lines: Sequence[str]) -> list[str]:
        return [line for line in lines if line.strip() != _HIDE or "hidden" in self.helpers]

    def head(self) -> list[str]:
        return ["enable f16;"] if "f16" in self.features & self.used else []

    # Types and literals

    def integer_literal(self, kind: str, pattern: int) -> str:
        digits = str(pattern) if pattern < 1 << 16 else hex(pattern)
        return digits + ("lu" if self.bits(kind) == 64 else "u")

    def float_literal(self, kind: str, pattern: int) -> str:
        value = decoded(kind, pattern)
        # Compilers may take what is neither normal nor +0 for an error, or for 0.
        if pattern and not (math.isfinite(value) and abs(value) >= _SMALLEST[kind]):
            return self._by_bits(kind, pattern)
        text = shortest(kind, value) + {"f16": "h", "f32": "f", "f64": "lf"}[kind]
        return f"({text})" if text.startswith("-") else text

    def _by_bits(self, kind: str, pattern: int) -> str:
        """A float by bits that the compiler does not see: it refuses constants that are not finite."""
        word = f"i{self.bits(kind)}"
        return self.reinterpret(f"({self._hidden(word)} | {self.integer_literal(word, pattern)})", word, kind)

    def _hidden(self, word: str) -> str:
        """A zero of which the compiler does not know that it is one."""
        self.helper("hidden", "var<private> hidden: u32;")
        return "u64(hidden)" if word == "i64" else "hidden"

    def terms(self, p: Code, op: Any) -> tuple[str, str]:
        """Drivers take (a + b) - a for b, which is not what errors of sums are computed for: that sum is hidden."""
        texts = [p.value(op.lhs), p.value(op.rhs)]
        if op.name not in _SUMS:
            return texts[0], texts[1]
        kind = p.kind(op.result)
        for place, value in enumerate((op.lhs, op.rhs)):
            owner = value.owner
            if place and texts[0] == texts[1]:  # Zero, but for infinities and NaN.
                texts[1] = self._hide(texts[1], kind)
                break
            if isinstance(owner, Block) or owner.name not in (*_SUMS, "math.fma"):
                continue
            if texts[1 - place] in [p.value(v) for v in owner.operands]:
                texts[place] = self._hide(texts[place], kind)
        return texts[0], texts[1]

    def _hide(self, a: str, kind: str) -> str:
        """A float of which the compiler does not know where it comes from."""
        word = f"i{self.bits(kind)}"
        return self.reinterpret(f"({self.reinterpret(a, kind, word)} ^ {self._hidden(word)})", word, kind)

    # Integers

    def cast(self, type: str, a: str) -> str:
        return f"{type}({a})"

    def wide(self, kind: str, a: str) -> str:
        return a

    def wrap(self, kind: str, a: str) -> str:
        return f"({a}) & {hex((1 << _NARROW[kind]) - 1)}u" if kind in _NARROW else a

    def signed(self, kind: str, a: str) -> str:
        if a.endswith("u") and a[:-1].isdigit() and kind not in _NARROW:
            return f"{a[:-1]}{'li' if self.bits(kind) == 64 else 'i'}"
        if kind in _NARROW:
            gap = 32 - _NARROW[kind]
            return f"(bitcast<i32>({a} << {gap}u) >> {gap}u)"
        return f"bitcast<i{self.bits(kind)}>({a})"

    def unsigned(self, kind: str, a: str) -> str:
        return self.wrap(kind, f"bitcast<u{max(self.bits(kind), 32)}>({a})")

    def extend(self, a: str, source: str, target: str, *, signed: bool) -> str:
        if source == "i1":
            return Language.extend(self, a, source, target, signed=signed)
        if self.bits(target) == 64:
            return f"bitcast<u64>(i64({self.signed(source, a)}))" if signed else f"u64({a})"
        return self.wrap(target, f"bitcast<u32>({self.signed(source, a)})") if signed else a

    def truncate(self, a: str, source: str, target: str) -> str:
        if target == "i1":
            return Language.truncate(self, a, source, target)
        a = f"u32({a} & 0xfffffffflu)" if self.bits(source) == 64 else a
        return self.wrap(target, a)

    def to_index(self, a: str, source: str, *, signed: bool) -> str:
        if self.bits(source) != 64:
            return self.resize(a, source, "index", signed=signed)
        name = "signed_index" if signed else "unsigned_index"
        return f"{self.helper(name, HELPERS[name])}({a})"

    def shift_amount(self, kind: str, a: str) -> str:
        if a.endswith("lu") and a[:-2].isdigit():
            return f"{a[:-2]}u"
        return f"u32({a})" if self.bits(kind) == 64 else a

    def choose(self, condition: str, a: str, b: str) -> str:
        return f"select({b}, {a}, {condition})"

    # Floats

    def to_integer(self, a: str, source: str, target: str, *, signed: bool) -> str:
        if target == "i1":
            return Language.to_integer(self, a, source, target, signed=signed)
        width = max(self.bits(target), 32)
        return self.unsigned(target, f"i{width}({a})") if signed else self.wrap(target, f"u{width}({a})")

    def reinterpret(self, a: str, source: str, target: str) -> str:
        if self.type(source) == self.type(target):
            return a
        if self.type(target) == "f16":
            return f"bitcast<vec2<f16>>({a}).x"
        if self.type(source) == "f16":
            return f"bitcast<u32>(vec2<f16>({a}, 0h))"
        return f"bitcast<{self.type(target)}>({a})"

    def call(self, p: Code, name: str, kind: str, given: str) -> str:
        function = self.functions[name]
        if name == "math.copysign":
            word = f"i{self.bits(kind)}"
            sign = self.literal(word, 1 << (self.bits(kind) - 1))
            rest = self.literal(word, (1 << (self.bits(kind) - 1)) - 1)
            a, b = (self.reinterpret(v, kind, word) for v in given.split(", "))
            return self.reinterpret(f"(({a} & {rest}) | ({b} & {sign}))", word, kind)
        if name == "math.round":
            half, zero = self.literal(kind, encoded(kind, 0.5)), self.literal(kind, 0)
            return f"trunc({given}) + select({zero}, sign({given}), abs({given} - trunc({given})) >= {half})"
        return f"{function}({given})"

    def extreme(
        self, name: str, kind: str, *, nan_a: str, nan_b: str, results: Sequence[str], zeros: str, operator: str
    ) -> str:
        type = self.type(kind)
        return f"""fn {name}(a: {type}, b: {type}) -> {type}
{{
    if ({nan_a}) {{ return {results[0]}; }}
    if ({nan_b}) {{ return {results[1]}; }}
    if (a == b) {{ return {zeros}; }}
    return select(b, a, a {operator} b);
}}"""

    def count(self, what: str, kind: str, a: str) -> str:
        if self.bits(kind) == 64:
            name = {"lz": "leading_zeros_64", "tz": "trailing_zeros_64", "pop": "ones_64"}[what]
            return f"{self.helper(name, HELPERS[name])}({a})"
        width = _NARROW.get(kind, 32)
        if what == "pop":
            return f"countOneBits({a})"
        if what == "lz":
            return f"countLeadingZeros({a})" + (f" - {32 - width}u" if width < 32 else "")
        return f"countTrailingZeros({a}" + (f" | {hex(1 << width)}u)" if width < 32 else ")")

    def high_product(self, kind: str, a: str, b: str, *, signed: bool) -> str:
        bits, zero = self.bits(kind), self.literal(kind, 0)
        if bits < 32:
            x, y = (self.signed(kind, v) if signed else v for v in (a, b))
            return self.wrap(kind, f"bitcast<u32>(({x} * {y}) >> {bits}u)")
        name = "high_product" if bits == 32 else "high_product_64"
        high = f"{self.helper(name, HELPERS[name])}({a}, {b})"
        if not signed:
            return high
        negative = [f"{self.signed(kind, v)} < 0" for v in (a, b)]
        less = f"select({zero}, {b}, {negative[0]})", f"select({zero}, {a}, {negative[1]})"
        return f"{high} - {less[0]} - {less[1]}"

    # Statements

    def constant(self, kind: str, name: str, value: str) -> str:
        return f"let {name} = {value};"

    def variable(self, kind: str, name: str, value: str | None = None) -> str:
        return f"var {name}: {self.type(kind)}" + ("" if value is None else f" = {value}") + ";"

    def barrier(self) -> list[str]:
        # That of storage is one for the whole device in what drivers are given, and costs as much.
        return ["storageBarrier();"] * self.shares_buffers + ["workgroupBarrier();"]

    def fence(self, p: Code, op: Operation, scope: str) -> list[str]:
        if scope != "block" or p.depth > 1:
            raise PassError(
                op,
                "device-refuses-fence-wgsl",
                f"{op.name} orders memory for other blocks, or where lanes went different ways: WGSL has no fences",
                hint="isa.md section 7: memfence of scope device and system is refused; use a barrier of the block",
            )
        return ["storageBarrier();", "workgroupBarrier();"]

    # Memory

    def _words(self, p: Code, buffer: SSAValue, kind: str) -> int:
        """The bits of an element if several share a word, else 0."""
        q = p.parameters.get(buffer)
        return 0 if q is None or q.space != "global" else self._packed(kind)

    def _packed(self, kind: str) -> int:
        return 0 if self.native(kind) and kind not in ("i1", *_NARROW) else max(self.bits(kind), 8)

    def load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        q = p.parameters.get(buffer)
        name, bits = p.value(buffer), self._words(p, buffer, kind)
        if q is not None and q.bytes_before is not None:
            return self._load_view(q, name, index)
        if not bits:
            if q is not None and q.atomic:
                return self.reinterpret(f"atomicLoad(&{name}[{index}])", f"i{self.bits(kind)}", kind)
            return f"{name}[{index}]"
        word, shift = self._place(name, index, bits)
        assert q is not None
        whole = f"atomicLoad(&{word})" if q.written else word
        value = f"({whole} >> {shift}) & {hex((1 << bits) - 1)}u"
        return f"({value}) != 0u" if kind == "i1" else value

    def _place(self, name: str, index: str, bits: int) -> tuple[str, str]:
        """The word of an element, and by how much it is shifted there."""
        lanes = 32 // bits
        return f"{name}[{index} / {lanes}u]", f"({index} % {lanes}u * {bits}u)"

    def store(self, p: Code, buffer: SSAValue, kind: str, index: str, value: str) -> list[str]:
        q = p.parameters.get(buffer)
        name, bits = p.value(buffer), self._words(p, buffer, kind)
        if q is not None and q.bytes_before is not None:
            return self._store_view(q, name, index, value)
        if not bits:
            if q is not None and q.atomic:
                bits_of_value = self.reinterpret(value, kind, f"i{self.bits(kind)}")
                return [f"atomicStore(&{name}[{index}], {bits_of_value});"]
            return [f"{name}[{index}] = {value};"]
        word, shift = self._place(name, index, bits)
        value = self.choose(value, "1u", "0u") if kind == "i1" else value
        return [self._change(word, shift, bits, value)]

    def _view_place(self, q: Parameter, name: str, index: str) -> tuple[str, str, int]:
        """The word of an element of a view, by how much it is shifted there, and its bits. Elements are aligned."""
        bits = max(self.bits(q.kind), 8)
        at = f"({q.bytes_before} + {index} * {bits // 8}u)"
        return f"{at} / 4u", f"({at} % 4u * 8u)", bits

    def _load_view(self, q: Parameter, name: str, index: str) -> str:
        place, shift, bits = self._view_place(q, name, index)

        def word(n: int) -> str:
            where = f"{name}[{place}{f' + {n}u' if n else ''}]"
            return f"atomicLoad(&{where})" if q.written or q.atomic else where

        if bits == 64:
            whole = f"(u64({word(0)}) | (u64({word(1)}) << 32u))"
            return self.reinterpret(whole, "i64", q.kind)
        if bits == 32:
            return self.reinterpret(word(0), "i32", q.kind)
        value = f"({word(0)} >> {shift}) & {hex((1 << bits) - 1)}u"
        return f"({value}) != 0u" if q.kind == "i1" else self.reinterpret(f"({value})", "i16", q.kind)

    def _store_view(self, q: Parameter, name: str, index: str, value: str) -> list[str]:
        place, shift, bits = self._view_place(q, name, index)
        if bits == 64:
            value = self.reinterpret(value, q.kind, "i64")
            return [
                f"atomicStore(&{name}[{place}], u32({value} & 0xfffffffflu));",
                f"atomicStore(&{name}[{place} + 1u], u32({value} >> 32u));",
            ]
        if bits == 32:
            return [f"atomicStore(&{name}[{place}], {self.reinterpret(value, q.kind, 'i32')});"]
        value = self.choose(value, "1u", "0u") if q.kind == "i1" else self.reinterpret(value, q.kind, "i16")
        return [self._change(f"{name}[{place}]", shift, bits, value)]

    def _change(self, word: str, shift: str, bits: int, value: str) -> str:
        """Exclusive or with what differs: other lanes' bits of the word stay, whatever they become meanwhile."""
        mask = f"{hex((1 << bits) - 1)}u"
        return f"atomicXor(&{word}, ((((atomicLoad(&{word}) >> {shift}) ^ {value}) & {mask}) << {shift}));"

    def atomic_load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        return f"atomicLoad(&{self.element(p.value(buffer), index)})"

    def exchange(self, p: Code, space: str, kind: str, place: str, found: str, seen: str, value: str) -> list[str]:
        claim = p.fresh("claim")
        return [
            f"let {claim} = atomicCompareExchangeWeak(&{place}, {seen}, {value});",
            f"if ({claim}.exchanged) {{ break; }}",
            f"{found} = {claim}.old_value;",
        ]

    def fetch(self, name: str, space: str, kind: str, place: str, operand: str) -> str | None:
        return f"{_DIRECT[name]}(&{place}, {operand})" if name in _DIRECT else None

    def array(self, p: Code, value: SSAValue, q: Parameter, size: int) -> list[str]:
        if q.space != "workgroup":
            return [f"var {q.name}: array<{self.type(q.kind)}, {size}>;"]
        element = "atomic<u32>" if q.atomic else self.type(q.kind)
        p.values[value] = p.outside(q.name)
        p.globals.append(f"var<workgroup> {p.values[value]}: array<{element}, {size}>;")
        return []

    def table(self, kind: str, name: str, values: Sequence[str]) -> list[str]:
        return [f"var<private> {name}: array<{self.type(kind)}, {len(values)}> = array({', '.join(values)});"]

    # Functions

    def kernel(
        self,
        p: Code,
        name: str,
        parameters: Sequence[Parameter],
        block: Sequence[int] | None,
        shared: str | None,
    ) -> list[str]:
        if shared is not None:
            assert p.function is not None
            raise PassError(
                p.function,
                "device-refuses-launch-shared",
                f"the kernel '{name}' takes shared memory of a size that the launch chooses, which WGSL has not",
                hint="give the shared array a constant size",
            )
        buffers = [q for q in parameters if q.is_buffer]
        for number, q in enumerate(buffers):
            p.values[q.value] = p.outside(q.name)
            access = "read_write" if q.written or q.atomic else "read"
            p.globals.append(
                f"@group(0) @binding({number}) var<storage, {access}> {p.values[q.value]}: array<{self._element(q)}>;"
            )
        entry = self._scalars(p, name, [q for q in parameters if not q.is_buffer], len(buffers))
        sizes = ", ".join(map(str, block)) if block else "block_x, block_y, block_z"
        if not block:
            self.helper("block", "\n".join(f"override block_{axis}: u32 = 1u;" for axis in "xyz"))
        ids = {"thread_id": "local_invocation_id", "block_id": "workgroup_id", "grid_dim": "num_workgroups"}
        given = ", ".join(f"@builtin({ids[i]}) {i}: vec3<u32>" for i in _IDS)
        p.entry += [*entry, _HIDE]
        return [f"@compute @workgroup_size({sizes})", f"fn {name}({given})"]

    def _element(self, q: Parameter) -> str:
        """The type of a buffer's elements."""
        if q.atomic or (self._packed(q.kind) and q.written):
            return "atomic<u32>"
        return "u32" if self._packed(q.kind) else self.type(q.kind)

    def _scalars(self, p: Code, name: str, scalars: Sequence[Parameter], binding: int) -> list[str]:
        """Declares the struct; gives the statements that read it."""
        if not scalars:
            return []
        struct, value = p.outside(f"{name}_scalars_type"), p.outside(f"{name}_scalars")
        members = [
            f"    {'@align(8) ' if q.aligned else ''}{q.name}: {'u32' if self._packed(q.kind) else self.type(q.kind)},"
            for q in scalars
        ]
        p.globals += [f"struct {struct} {{", *members, "}"]
        p.globals.append(f"@group(0) @binding({binding}) var<uniform> {value}: {struct};")
        return [f"let {q.name} = {value}.{q.name}{' != 0u' if q.kind == 'i1' else ''};" for q in scalars]

    def function(self, name: str, result: str | None, parameters: Sequence[Parameter]) -> str:
        given = ", ".join(f"{q.name}: {self.type(q.kind)}" for q in parameters)
        return f"fn {name}({given})" + ("" if result is None else f" -> {self.type(result)}")

    def trap_call(self, p: Code, name: str, record: SSAValue, values: Sequence[SSAValue]) -> str:
        place = p.value(record)
        halves: list[str] = []
        for value in values:
            text = p.value(value)
            wide = p.kind(value) == "i64"
            halves += [f"u32({text} & 0xfffffffflu)", f"u32({text} >> 32u)"] if wide else [text]
        function = f"{name}_{place}"
        count = len(halves)
        stores = "\n".join(f"    atomicStore(&{place}[{n}], v{n});" for n in range(2, count))
        given = ", ".join(f"v{n}: u32" for n in range(count))
        self.helper(function, HELPERS["trap"].format(name=function, given=given, place=place, stores=stores))
        return f"{function}({', '.join(halves)});"
