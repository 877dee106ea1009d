"""WGSL for WebGPU: what it lacks is emulated or refused (isa.md section 7, `docs/launch-abi.mdx` for the bindings).

Buffers are the storage bindings of group 0 in the order of the arguments, then comes one that holds those that are
joined, then the scalars in one uniform struct, which also says which part of the grid a dispatch is.
Elements of 8 and 16 bits live in words of 32; a store changes its own bits of the word with an atomic operation, so
that no lane's store is lost. An index is 32 bits wide; a wider integer that does not fit becomes 2^31 - 1 as one, which
no size exceeds, so that guards still refuse it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Block

from hologram.errors import PassError
from hologram.lowering.arithmetic.subnormals import chooses_operand
from hologram.lowering.rewriting.traps import MOST_EXITS
from hologram.lowering.targets.text.kinds import decoded, encoded, shortest
from hologram.lowering.targets.text.language import Code, Language, Parameter
from hologram.lowering.targets.text.wgsl_memory import HELPERS, NARROW, RESERVED, ZERO, WordMemory

if TYPE_CHECKING:
    from xdsl.ir import Operation, SSAValue

_IDS = ("thread_id", "block_id", "grid_dim")
_GRID = [f"{name}_{axis}" for name in ("grid", "first") for axis in "xyz"]
"""Members of the struct of scalars: the sizes of the whole grid, and the block that the dispatch begins with."""
_HIDE = "hidden = grid_dim.x >> 31u;"
_SUMS = ("arith.addf", "arith.subf")
_SMALLEST = {"f16": 2.0**-14, "f32": 2.0**-126, "f64": 2.0**-1022}
_DIRECT = {
    "addi": "atomicAdd", "andi": "atomicAnd", "ori": "atomicOr", "xori": "atomicXor", "assign": "atomicExchange",
    "maxu": "atomicMax", "minu": "atomicMin",
}  # fmt: skip


@dataclass
class Wgsl(WordMemory):
    """The table of WGSL."""

    name: ClassVar[str] = "WGSL"
    index_bits = 32
    types = {
        "i1": "bool", "i8": "u32", "i16": "u32", "i32": "u32", "index": "u32", "f16": "u32", "bf16": "u32", "f32": "f32"
    }  # fmt: skip
    optional = {"i64": "u64", "f64": "f64", "f16": "f16"}
    wide_words = {"v2i64": "vec2<u64>", "v4i64": "vec4<u64>"}
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
    shares_arrays = True
    most_exits = MOST_EXITS

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

    def given(self, op: Any, kind: str, pattern: int) -> str:
        # Compilers compute what is of constants alone: they refuse what overflows, and know few functions of f64.
        hides = kind != "i1" and any(_is_of_constants(use.operation) for use in op.result.uses)
        return self._by_bits(kind, pattern) if hides else self.literal(kind, pattern)

    def _by_bits(self, kind: str, pattern: int) -> str:
        """A number by bits that the compiler does not see: it refuses constants that are not finite."""
        word = f"i{self.bits(kind)}"
        return self.reinterpret(f"({self._hidden(word)} | {self.integer_literal(word, pattern)})", word, kind)

    def _hidden(self, word: str) -> str:
        """A zero of which the compiler does not know that it is one."""
        self.helper("hidden", "var<private> hidden: u32;")
        return "u64(hidden)" if word == "i64" else "hidden"

    def terms(self, p: Code, op: Any) -> tuple[str, str]:
        """Drivers take (a + b) - a for b, (a + b) + 1 for (a + 1) + b and (a * b) * 2 for (a * 2) * b, which is not
        what errors are computed for, or overflows: such operands are hidden, and so is what has a term in common with
        the other one. Of f64 all sums are: some take (a - b) - c for a - (b + c). Of f32 Mesa does where a and b are
        products."""
        texts = [p.value(op.lhs), p.value(op.rhs)]
        sums = op.name in _SUMS
        if not sums and op.name != "arith.mulf":
            return texts[0], texts[1]
        kind = p.kind(op.result)
        if sums and texts[0] == texts[1]:  # Zero, but for infinities and NaN.
            return texts[0], self._hide(texts[1], kind)
        for place, value in enumerate((op.lhs, op.rhs)):
            owner = value.owner
            if isinstance(owner, Block) or owner.name not in ((*_SUMS, "math.fma") if sums else ("arith.mulf",)):
                continue
            other = (op.rhs, op.lhs)[place].owner
            moves = not isinstance(other, Block) and other.name == "arith.constant"
            again = texts[1 - place] in [p.value(v) for v in owner.operands] or _shares(owner, other)
            if moves or (sums and (kind == "f64" or again or _adds_products(owner))):
                texts[place] = self._hide(texts[place], kind)
        return texts[0], texts[1]

    def _hide(self, a: str, kind: str) -> str:
        """A float of which the compiler does not know where it comes from."""
        word = f"i{self.bits(kind)}"
        return self.reinterpret(f"({self.reinterpret(a, kind, word)} ^ {self._hidden(word)})", word, kind)

    def compared(self, p: Code, op: Any) -> tuple[str, str]:
        """Drivers make a choice between what is compared a minimum, which loses NaN: one side is hidden."""
        texts = [p.value(op.lhs), p.value(op.rhs)]
        both = {op.lhs, op.rhs}
        users: list[Any] = [use.operation for use in op.result.uses]
        if any(user.name == "arith.select" and {user.lhs, user.rhs} == both for user in users):
            place = int(getattr(op.lhs.owner, "name", "") == "arith.constant")
            texts[place] = self._hide(texts[place], p.kind(op.lhs))
        return texts[0], texts[1]

    # Integers

    def cast(self, type: str, a: str) -> str:
        return f"{type}({a})"

    def wide(self, kind: str, a: str) -> str:
        return a

    def wrap(self, kind: str, a: str) -> str:
        return f"({a}) & {hex((1 << NARROW[kind]) - 1)}u" if kind in NARROW else a

    def signed(self, kind: str, a: str) -> str:
        if a.endswith("u") and a[:-1].isdigit() and kind not in NARROW:
            return f"{a[:-1]}{'li' if self.bits(kind) == 64 else 'i'}"
        if kind in NARROW:
            gap = 32 - NARROW[kind]
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

    def operands(self, p: Code, op: Any) -> list[str]:
        """Drivers take a * b - (a * b), fused, for 0, which is what the product is rounded by: a factor is hidden."""
        texts = super().operands(p, op)
        if op.name == "math.fma" and _is_negated_product(op.c, {op.a, op.b}):
            texts[0] = self._hide(texts[0], p.kind(op.result))
        return texts

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
        if name == "math.roundeven" and kind == "f64":
            self._hidden("i64")
            return f"{self.helper('round_64', HELPERS['round_64'])}({given})"
        if name == "math.sqrt" and kind == "f32" and "fma" in self.features:
            return f"{self.helper('square_root', HELPERS['square_root'])}({given})"
        return f"{function}({given})"

    def extreme(
        self, name: str, kind: str, *, nan_a: str, nan_b: str, results: Sequence[str], zeros: str, operator: str
    ) -> str:
        type = self.type(kind)
        if self.bits(kind) > 16:
            # The bits order numbers, if those of negative ones are turned round; zeros too, and nothing is flushed.
            word, last = f"i{self.bits(kind)}", self.bits(kind) - 1
            keys = [
                f"bitcast<{word}>({v}) ^ bitcast<{word}>(bitcast<u{word[1:]}>(bitcast<{word}>({v}) >> {last}u) >> 1u)"
                for v in "ab"
            ]
            ends = f"    return select(b, a, ({keys[0]}) {operator} ({keys[1]}));"
        else:
            ends = f"    if (a == b) {{ return {zeros}; }}\n    return select(b, a, a {operator} b);"
        return f"""fn {name}(a: {type}, b: {type}) -> {type}
{{
    if ({nan_a}) {{ return {results[0]}; }}
    if ({nan_b}) {{ return {results[1]}; }}
{ends}
}}"""

    def count(self, what: str, kind: str, a: str) -> str:
        if self.bits(kind) == 64:
            name = {"lz": "leading_zeros_64", "tz": "trailing_zeros_64", "pop": "ones_64"}[what]
            return f"{self.helper(name, HELPERS[name])}({a})"
        width = NARROW.get(kind, 32)
        if what == "pop":
            return f"countOneBits({a})"
        if what == "lz":
            return f"countLeadingZeros({a})" + (f" - {32 - width}u" if width < 32 else "")
        return f"countTrailingZeros({a}" + (f" | {hex(1 << width)}u)" if width < 32 else ")")

    def quotient(self, p: Code, op: Any, a: str, b: str) -> str:
        # Devices multiply by the reciprocal, and that of a great number is subnormal.
        if p.kind(op.result) != "f32" or getattr(op.rhs.owner, "name", "") == "arith.constant":
            return f"{a} / {b}"
        name = "quotient" if "fma" in self.features else "rough_quotient"
        return f"{self.helper(name, HELPERS[name])}({a}, {b})"

    def compare_zero(self, p: Code, op: Any, name: str, a: str) -> str | None:
        if p.kind(op.lhs) != "f32" or p.value(op.rhs) != self.literal("f32", 0) or name not in ZERO:
            return None
        return ZERO[name].format(f"bitcast<u32>({a})") if chooses_operand(op) else None

    def remainder(self, kind: str, a: str, b: str) -> str:
        # Vulkan does not say what its own gives of negative numbers.
        quotient = self.unsigned(kind, f"{self.signed(kind, a)} / {self.signed(kind, b)}")
        return self.wrap(kind, f"{a} - ({quotient}) * {b}")

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

    def exchange(self, p: Code, space: str, kind: str, place: str, current: str, seen: str, value: str) -> list[str]:
        claim = p.fresh("claim")
        return [
            f"let {claim} = atomicCompareExchangeWeak(&{place}, {seen}, {value});",
            f"if ({claim}.exchanged) {{ break; }}",
            f"{current} = {claim}.old_value;",
        ]

    def fetch(self, name: str, space: str, kind: str, place: str, operand: str) -> str | None:
        return f"{_DIRECT[name]}(&{place}, {operand})" if name in _DIRECT else None

    def array(self, p: Code, value: SSAValue, q: Parameter, size: int) -> list[str]:
        if q.space != "workgroup":
            return [f"var {q.name}: array<{self.type(q.kind)}, {size}>;"]
        element = self._element(q) if q.atomic else "u32" if self.is_shared_truth(q) else self.type(q.kind)
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
        own, joined = [q for q in buffers if not q.joined], [q for q in buffers if q.joined]
        for number, q in enumerate(own):
            p.values[q.value] = p.outside(q.name)
            access = "read_write" if q.written or q.atomic else "read"
            p.globals.append(
                f"@group(0) @binding({number}) var<storage, {access}> {p.values[q.value]}: array<{self._element(q)}>;"
            )
        if joined:
            self._join(p, name, joined, len(own))
        scalars = [q for q in parameters if not q.is_buffer]
        entry = self._scalars(p, name, scalars, joined, len(own) + bool(joined))
        sizes = ", ".join(map(str, block)) if block else "block_x, block_y, block_z"
        if not block:
            self.helper("block", "\n".join(f"override block_{axis}: u32 = 1u;" for axis in "xyz"))
        ids = {"thread_id": "local_invocation_id", "part_id": "workgroup_id"}
        given = ", ".join(f"@builtin({builtin}) {name}: vec3<u32>" for name, builtin in ids.items())
        p.entry += [*entry, _HIDE]
        return [f"@compute @workgroup_size({sizes})", f"fn {name}({given})"]

    def _element(self, q: Parameter) -> str:
        """The type of a buffer's elements."""
        if q.atomic or (self.packed(q.kind) and q.written):
            return f"atomic<{'u64' if self.bits(q.kind) == 64 and not q.is_trap else 'u32'}>"
        return "u32" if self.packed(q.kind) else self.type(q.kind)

    def _join(self, p: Code, name: str, joined: Sequence[Parameter], binding: int) -> None:
        """Declares the buffer in which some lie, and makes them views of it."""
        changed = any(q.written or q.atomic for q in joined)
        whole = p.outside(f"{name}_joined")
        for q in joined:
            q.written, q.atomic, q.bytes_before = changed, changed, p.fresh(f"{q.name}_begin")
            p.values[q.value] = whole
        access, element = ("read_write", "atomic<u32>") if changed else ("read", "u32")
        p.globals.append(f"@group(0) @binding({binding}) var<storage, {access}> {whole}: array<{element}>;")

    def _scalars(
        self, p: Code, name: str, scalars: Sequence[Parameter], joined: Sequence[Parameter], binding: int
    ) -> list[str]:
        """Declares the struct; gives the statements that read it."""
        struct, value = p.outside(f"{name}_scalars_type"), p.outside(f"{name}_scalars")
        members = [
            f"    {'@align(8) ' if q.aligned else ''}{q.name}: {'u32' if self.packed(q.kind) else self.type(q.kind)},"
            for q in scalars
        ]
        grid, begins = [p.fresh(name) for name in _GRID], [q.bytes_before for q in joined]
        members += [f"    {name}: u32," for name in (*grid, *begins)]
        p.globals += [f"struct {struct} {{", *members, "}"]
        p.globals.append(f"@group(0) @binding({binding}) var<uniform> {value}: {struct};")
        sizes, first = (", ".join(f"{value}.{n}" for n in names) for names in (grid[:3], grid[3:]))
        return [
            *(f"let {q.name} = {value}.{q.name}{' != 0u' if q.kind == 'i1' else ''};" for q in scalars),
            *(f"let {begin} = {value}.{begin};" for begin in begins),
            f"let grid_dim = vec3<u32>({sizes});",
            f"let block_id = part_id + vec3<u32>({first});",
        ]

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


def _shares(sum: Operation, other: Any) -> bool:
    """Return whether the last term of a sum is one of another sum or of its negation."""
    if isinstance(other, Block) or other.name not in (*_SUMS, "math.fma"):
        return False
    return not {_unsigned(v) for v in sum.operands[-1:]}.isdisjoint(_unsigned(v) for v in other.operands)


def _adds_products(sum: Operation) -> bool:
    """Return whether both terms of a sum are products."""
    return all(getattr(value.owner, "name", "") == "arith.mulf" for value in sum.operands)


def _unsigned(value: SSAValue) -> SSAValue:
    owner: Any = value.owner
    return value if isinstance(owner, Block) or owner.name != "arith.negf" else owner.operand


def _is_negated_product(value: SSAValue, factors: set[SSAValue]) -> bool:
    """Return whether a value is the product of the factors, with the other sign."""
    owner: Any = value.owner
    if isinstance(owner, Block) or owner.name != "arith.negf":
        return False
    product: Any = owner.operand.owner
    return not isinstance(product, Block) and product.name == "arith.mulf" and {product.lhs, product.rhs} == factors


def _is_of_constants(op: Operation) -> bool:
    """Return whether an operation computes a float, or of floats, from nothing but constants."""
    floats = any(isinstance(v.type, AnyFloat) for v in (*op.operands, *op.results))
    return (
        floats
        and op.dialect_name() in ("arith", "math")
        and all(not isinstance(v.owner, Block) and v.owner.name == "arith.constant" for v in op.operands)
    )
