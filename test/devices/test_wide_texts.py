"""Integers in limbs: of 64 bits where a device has 32, of 128 to 1024 everywhere, against Python's numbers."""

from __future__ import annotations

import operator
import struct
from collections.abc import Callable

import numpy as np
import pytest

from devices.texts import OpenCLKernels, WgslKernels, element_kernels, flat

pytestmark = pytest.mark.device
Numbers = Callable[[int, int, int], int]


def signed(value: int, bits: int) -> int:
    """The number that bits stand for."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> (bits - 1) else value


def quotient(a: int, b: int) -> int:
    """Rounded toward zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


OPERATIONS: dict[str, Numbers] = {
    "addi": lambda a, b, n: a + b,
    "subi": lambda a, b, n: a - b,
    "muli": lambda a, b, n: a * b,
    "andi": lambda a, b, n: a & b,
    "ori": lambda a, b, n: a | b,
    "xori": lambda a, b, n: a ^ b,
    "divui": lambda a, b, n: a // (b or 1),
    "remui": lambda a, b, n: a % (b or 1),
    "divsi": lambda a, b, n: quotient(signed(a, n), signed(b, n) or 1),
    "remsi": lambda a, b, n: signed(a, n) - quotient(signed(a, n), signed(b, n) or 1) * (signed(b, n) or 1),
    "minui": lambda a, b, n: min(a, b),
    "maxsi": lambda a, b, n: max(signed(a, n), signed(b, n)),
    "shli": lambda a, b, n: a << (b % n),
    "shrui": lambda a, b, n: a >> (b % n),
    "shrsi": lambda a, b, n: signed(a, n) >> (b % n),
}


COMPARISONS: dict[str, Callable[[int, int], bool]] = {"ult": operator.lt, "sge": operator.ge}


def text_of(bits: int) -> str:
    """A kernel for each operation; divisors are not zero, amounts are less than the width."""
    type = f"i{bits}"
    rows = [(f"k_{name}", f"arith.{name} %x0, %y : {type}", [type, type], type) for name in OPERATIONS]
    rows += [("k_ult", "arith.cmpi ult, %x0, %y : " + type, [type, type], "i1")]
    rows += [("k_sge", "arith.cmpi sge, %x0, %y : " + type, [type, type], "i1")]
    text = element_kernels(rows)
    zero = f"%zero = arith.constant 0 : {type}\n      %one = arith.constant 1 : {type}\n"
    zero += f"      %none = arith.cmpi eq, %x1, %zero : {type}\n"
    lines: list[str] = []
    for line in text.splitlines():
        if "arith." in line and "%y" in line:
            if ".sh" in line:
                lines.append(f"      %top = arith.constant {bits - 1} : {type}")
                lines.append(f"      %y = arith.andi %x1, %top : {type}")
            elif ".div" in line or ".rem" in line:
                lines += [zero, f"      %y = arith.select %none, %one, %x1 : {type}"]
            else:
                line = line.replace("%y", "%x1")
        lines.append(line)
    return "\n".join(lines)


def numbers(bits: int) -> list[tuple[int, int]]:
    random = np.random.default_rng(bits)
    top = 1 << bits
    edges = [0, 1, 2, 3, top - 1, top - 2, top // 2, top // 2 - 1, 1 << 32, (1 << 32) - 1, 1 << 31, top // 3]
    edges += [int.from_bytes(random.bytes(bits // 8), "little") >> int(random.integers(0, bits)) for _ in range(12)]
    return [(a % top, b % top) for a in edges for b in edges]


def array(values: list[int], bits: int) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    return np.frombuffer(b"".join(v.to_bytes(bits // 8, "little") for v in values), np.uint8).copy()


def check(run: Callable[[str, list[np.ndarray[tuple[int], np.dtype[np.uint8]]], int], None], bits: int) -> None:
    pairs = numbers(bits)
    a, b = (array([p[n] for p in pairs], bits) for n in (0, 1))
    for name, operation in OPERATIONS.items():
        got = np.zeros_like(a)
        run(f"k_{name}", [a, b, got], len(pairs))
        for at, (x, y) in enumerate(pairs):
            found = int.from_bytes(got[at * bits // 8 : (at + 1) * bits // 8].tobytes(), "little")
            want = operation(x, y, bits) % (1 << bits)
            assert found == want, f"{name} of {x:#x} and {y:#x} is {want:#x}, not {found:#x}"
    for name, test in COMPARISONS.items():
        got = np.zeros(len(pairs), np.uint8)
        run(f"k_{name}", [a, b, got], len(pairs))
        assert got.astype(bool).tolist() == [
            test(signed(x, bits), signed(y, bits)) if name == "sge" else test(x, y) for x, y in pairs
        ]


@pytest.mark.parametrize("bits", [128, 256, 1024])
def test_opencl(bits: int) -> None:
    kernels = OpenCLKernels(flat(text_of(bits), "flatten-kernels,split-wide-integers,canonicalize,cse"))
    assert not kernels.log.strip()
    check(lambda name, arrays, count: kernels(name, arrays, [np.uint64(count)], count), bits)


@pytest.mark.parametrize("bits", [64, 128, 256])
def test_wgsl_without_64_bits(bits: int) -> None:
    passes = "flatten-kernels,split-wide-integers{limb=32},canonicalize,cse"
    kernels = WgslKernels(flat(text_of(bits), passes), frozenset())
    check(lambda name, arrays, count: kernels(name, arrays, struct.pack("<I", count), count), bits)
