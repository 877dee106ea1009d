"""WebAssembly: modules of the llvm dialect to wasm32 objects by LLVM, and to modules that load as they are.

LLVM calls functions by name for products and shifts of 128 bits, which other code gets from its compiler's library:
their text is here, in 64-bit operations, so that none of them becomes a call of itself. Other such operations are
expanded by passes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING

from xdsl.utils.target import Target

from hologram.errors import UsageError

if TYPE_CHECKING:
    from xdsl.context import Context
    from xdsl.dialects.builtin import ModuleOp

    from hologram.support.host_target import HostTarget


_MULTIPLY = """
define hidden i128 @__multi3(i128 %a, i128 %b) noinline optnone {
  %a_low = trunc i128 %a to i64
  %a_upper = lshr i128 %a, 64
  %a_high = trunc i128 %a_upper to i64
  %b_low = trunc i128 %b to i64
  %b_upper = lshr i128 %b, 64
  %b_high = trunc i128 %b_upper to i64
  %a0 = and i64 %a_low, 4294967295
  %a1 = lshr i64 %a_low, 32
  %b0 = and i64 %b_low, 4294967295
  %b1 = lshr i64 %b_low, 32
  %p00 = mul i64 %a0, %b0
  %p01 = mul i64 %a0, %b1
  %p10 = mul i64 %a1, %b0
  %p11 = mul i64 %a1, %b1
  %carry = lshr i64 %p00, 32
  %middle = add i64 %p01, %carry
  %middle_low = and i64 %middle, 4294967295
  %middle_high = lshr i64 %middle, 32
  %second = add i64 %p10, %middle_low
  %second_high = lshr i64 %second, 32
  %low_part = and i64 %p00, 4294967295
  %second_up = shl i64 %second, 32
  %low = or i64 %second_up, %low_part
  %h0 = add i64 %p11, %middle_high
  %h1 = add i64 %h0, %second_high
  %cross0 = mul i64 %a_low, %b_high
  %cross1 = mul i64 %a_high, %b_low
  %h2 = add i64 %h1, %cross0
  %high = add i64 %h2, %cross1
  %wide_low = zext i64 %low to i128
  %wide_high = zext i64 %high to i128
  %up = shl i128 %wide_high, 64
  %r = or i128 %up, %wide_low
  ret i128 %r
}
"""


def _shift(name: str, near: str, far: str) -> str:
    """A shift of 128 bits by parts: `near` and `far` give the words for amounts below 64 and from 64 on."""
    return f"""
define hidden i128 @{name}(i128 %x, i32 %amount) noinline optnone {{
  %low = trunc i128 %x to i64
  %upper = lshr i128 %x, 64
  %high = trunc i128 %upper to i64
  %n32 = and i32 %amount, 63
  %n = zext i32 %n32 to i64
  %is_far = icmp ugt i32 %amount, 63
  ; The bits that cross: a shift by 64 less n in two steps, for n may be 0.
  %less = sub i64 63, %n
{near}{far}
  %r_low = select i1 %is_far, i64 %far_low, i64 %near_low
  %r_high = select i1 %is_far, i64 %far_high, i64 %near_high
  %wide_low = zext i64 %r_low to i128
  %wide_high = zext i64 %r_high to i128
  %up = shl i128 %wide_high, 64
  %r = or i128 %up, %wide_low
  ret i128 %r
}}
"""


_LEFT = """  %near_low = shl i64 %low, %n
  %half = lshr i64 %low, 1
  %crossing = lshr i64 %half, %less
  %moved = shl i64 %high, %n
  %near_high = or i64 %moved, %crossing
"""
_LEFT_FAR = """  %far_low = add i64 0, 0
  %far_high = shl i64 %low, %n"""


def _right(word: str) -> str:
    return f"""  %near_high = {word} i64 %high, %n
  %half = shl i64 %high, 1
  %crossing = shl i64 %half, %less
  %moved = lshr i64 %low, %n
  %near_low = or i64 %moved, %crossing
  %far_low = {word} i64 %high, %n
"""


BUILTINS = {
    "__multi3": _MULTIPLY,
    "__ashlti3": _shift("__ashlti3", _LEFT, _LEFT_FAR),
    "__lshrti3": _shift("__lshrti3", _right("lshr"), "  %far_high = add i64 0, 0"),
    "__ashrti3": _shift("__ashrti3", _right("ashr"), "  %far_high = ashr i64 %high, 63"),
}
"""Each function's text."""


def texts_of(names: Sequence[str]) -> str:
    """The text of these functions."""
    return "".join(BUILTINS[name] for name in names)


TRIPLE = "wasm32-unknown-unknown"
FEATURES = "+simd128,+bulk-memory,+bulk-memory-opt,+nontrapping-fptoint,+sign-ext,+mutable-globals"
"""What every engine of today has: vectors of 16 bytes, no threads, no relaxed vector instructions."""


def target() -> HostTarget:
    """The target that code is generated for."""
    from hologram.support.host_target import HostTarget

    return HostTarget(TRIPLE, "generic", FEATURES)


def to_object(text: str, level: int = 3) -> bytes:
    """The wasm32 object of LLVM IR text, made in a helper process."""
    from hologram.lowering.targets.objects.compile_helper import HELPER

    header = {"triple": TRIPLE, "cpu": "generic", "level": level}
    return HELPER.request("wasm", header, text.encode())


def to_object_here(text: str, level: int) -> bytes:
    """The same in this process. Functions that LLVM calls by name come from our own text, if it calls them."""
    from hologram.lowering.targets.objects.native import compile_ir
    from hologram.lowering.targets.objects.native import to_object as generate
    from hologram.lowering.targets.objects.wasm_link import missing

    compiled = compile_ir(text, target(), level)
    needed = [name for name in missing(compiled.object) if name in BUILTINS]
    if not needed:
        return compiled.object
    return generate(compiled.optimised + texts_of(needed), target(), level)


@dataclass(frozen=True)
class WasmTarget(Target):
    """Writes a module of the llvm dialect as a WebAssembly module that an engine loads as it is."""

    name = "wasm"

    level: int = 3

    def emit(self, ctx: Context, module: ModuleOp, output: IO[str]) -> None:
        raise UsageError("wasm-is-binary", "a WebAssembly module is no text", hint="write it to a file with -o")

    def emit_binary(self, ctx: Context, module: ModuleOp) -> bytes:
        """The module."""
        from hologram.lowering.targets.llvm.text.module import emit_llvm_ir
        from hologram.lowering.targets.objects.native import checked_level
        from hologram.lowering.targets.objects.wasm_link import link

        return link(to_object(emit_llvm_ir(module), checked_level(self.level)))
