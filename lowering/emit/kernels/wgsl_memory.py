"""How WGSL goes through memory: elements of 8 and 16 bits share words of 32; buffers that are joined are words too.

A store changes its own bits of the word with an atomic operation, so that no lane's store is lost.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hologram.lowering.emit.kernels.language import Code, Language, Parameter

if TYPE_CHECKING:
    from xdsl.ir import SSAValue

NARROW = {"i8": 8, "i16": 16}


@dataclass
class WordMemory(Language):
    """Loads, stores and places of atomic operations."""

    def _words(self, p: Code, buffer: SSAValue, kind: str) -> int:
        """The bits of an element if several share a word, else 0."""
        q = p.parameters.get(buffer)
        return 0 if q is None or q.space != "global" else self.packed(kind)

    def packed(self, kind: str) -> int:
        return 0 if self.native(kind) and kind not in ("i1", *NARROW) else max(self.bits(kind), 8)

    def has_wide_atomics(self, p: Code, buffer: SSAValue | None) -> bool:
        q = None if buffer is None else p.parameters.get(buffer)
        return super().has_wide_atomics(p, buffer) and (q is None or q.bytes_before is None)

    def place(self, p: Code, buffer: SSAValue, index: str) -> str:
        q = p.parameters.get(buffer)
        name = p.value(buffer)
        if q is None or q.bytes_before is None:
            return self.element(name, index)
        return f"{name}[{self._view_place(q, name, index)[0]}]"

    def load(self, p: Code, buffer: SSAValue, kind: str, index: str) -> str:
        q = p.parameters.get(buffer)
        name, bits = p.value(buffer), self._words(p, buffer, kind)
        if q is not None and q.bytes_before is not None:
            return self._load_view(q, name, index)
        if not bits:
            if q is not None and q.atomic:
                return self.reinterpret(f"atomicLoad(&{name}[{index}])", f"i{self.bits(kind)}", kind)
            return f"({name}[{index}] != 0u)" if self.is_shared_truth(q) else f"{name}[{index}]"
        word, shift = self._place(name, index, bits)
        assert q is not None
        whole = f"atomicLoad(&{word})" if q.written else word
        value = f"({whole} >> {shift}) & {hex((1 << bits) - 1)}u"
        return f"({value}) != 0u" if kind == "i1" else value

    @staticmethod
    def is_shared_truth(q: Parameter | None) -> bool:
        """Whether an array of the block holds truth values, which are words: lanes lose each other's bool on NVIDIA."""
        return q is not None and q.space == "workgroup" and q.kind == "i1"

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
            return [f"{name}[{index}] = {self.choose(value, '1u', '0u') if self.is_shared_truth(q) else value};"]
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
        return f"atomicLoad(&{self.place(p, buffer, index)})"
