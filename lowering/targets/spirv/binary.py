"""The binary form of SPIR-V: five words, then instructions that begin with their length and number."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence

MAGIC = 0x07230203
GLSL = "GLSL.std.450"

OPCODES = {
    "Source": 3, "Name": 5, "MemberName": 6, "String": 7, "Line": 8, "Extension": 10, "ExtInstImport": 11,
    "ExtInst": 12, "MemoryModel": 14, "EntryPoint": 15, "ExecutionMode": 16, "Capability": 17, "TypeVoid": 19,
    "TypeBool": 20, "TypeInt": 21, "TypeFloat": 22, "TypeVector": 23, "TypeImage": 25, "TypeArray": 28,
    "TypeRuntimeArray": 29, "TypeStruct": 30, "TypePointer": 32, "TypeFunction": 33, "ConstantTrue": 41,
    "ConstantFalse": 42, "Constant": 43, "ConstantComposite": 44, "ConstantNull": 46, "SpecConstantTrue": 48,
    "SpecConstantFalse": 49, "SpecConstant": 50, "Function": 54, "FunctionParameter": 55, "FunctionEnd": 56,
    "FunctionCall": 57, "Variable": 59, "Decorate": 71, "MemberDecorate": 72, "Phi": 245, "LoopMerge": 246,
    "SelectionMerge": 247, "Label": 248, "Branch": 249, "BranchConditional": 250, "NoLine": 317,
    "ModuleProcessed": 330,
}  # fmt: skip
"""The instructions that are no operation of the dialect, or only part of one."""


def instruction(name: str, *words: int) -> list[int]:
    """An instruction by its name."""
    return encoded(OPCODES[name], words)


def encoded(opcode: int, words: Sequence[int]) -> list[int]:
    """An instruction by its number."""
    return [(len(words) + 1) << 16 | opcode, *words]


def text_words(text: str) -> list[int]:
    """A string as words: UTF-8 that ends in a zero byte, padded."""
    data = text.encode() + b"\0"
    return list(struct.unpack(f"<{-(-len(data) // 4)}I", data.ljust(-(-len(data) // 4) * 4, b"\0")))


def text_of(words: Sequence[int]) -> tuple[str, int]:
    """The string at the start of some words, and how many words it takes."""
    data = struct.pack(f"<{len(words)}I", *words)
    end = data.index(b"\0")
    return data[:end].decode(errors="replace"), end // 4 + 1


def instructions(words: Sequence[int]) -> Iterator[tuple[int, int, Sequence[int]]]:
    """Place, number and operand words of each instruction behind the header; ValueError where one is cut off."""
    place = 5
    while place < len(words):
        count, opcode = words[place] >> 16, words[place] & 0xFFFF
        if not count or place + count > len(words):
            raise ValueError(f"the instruction at word {place} says that it has {count} words")
        yield place, opcode, words[place + 1 : place + count]
        place += count
