"""The layout of the binary container, for its writer and its reader. `docs/isa/binary.mdx` describes every byte."""

from __future__ import annotations

import struct

from blake3 import blake3

MAGIC = b"\x89ATLAS\r\n"
MAJOR, MINOR = 1, 2
"""A reader takes its own major version and minor versions up to its own. A writer gives the least that fits."""
ARRAYS_MINOR = 1
"""The minor version since which there are array-level programs."""
HEAD = struct.Struct("<8sHHIQ")
"""Magic, major, minor, number of sections, length of the file; the digest follows."""
DIGEST = 32
HEADER = HEAD.size + DIGEST
SECTION = struct.Struct("<4sIQQ")
"""Name, zero, offset, length of a section."""
OUTSIDE_MINOR = 2
"""The minor version since which there are instructions of plug-ins."""
OUTSIDE = 0x8000
"""The least number of an instruction of a plug-in. A container numbers those that it has by their names, in order."""
OPCODES, CODE, NAMES = b"OPCS", b"CODE", b"NAME"

POOL, PROGRAM, FUNCTION, ARRAYS = 0, 1, 2, 3
"""What begins an item of the code section."""
POINTER = 255
"""Stands for a type: that of what a pointer points to follows, then its space, by the number in POINTER_SPACES."""
POINTER_SPACES = ("global", "shared", "local", "class", "pool")
ARRAY, SCALAR = 0, 1
"""What begins a parameter."""
HAS_BLOCK, HAS_GRID, HAS_SHARED = 1, 2, 4
SPACES = ("shared", "local")
ARRAY_OPERANDS = ("buf", "temp", "r", "p")
"""What an operand of an array-level instruction is."""
INDICES = ("d", "c", "+", "*", "floordiv", "ceildiv", "mod")
"""What an index expression of a map is: a loop, a number, or an operator of two expressions that follow."""
UNGUARDED, GUARDED, NEGATED = 0, 1, 2
"""What a branch is under."""


def digest_of(data: bytes) -> bytes:
    """The BLAKE3 digest of a file: of all its bytes but those that hold the digest."""
    digest = blake3(data[: HEAD.size])
    digest.update(data[HEADER:])
    return digest.digest()
