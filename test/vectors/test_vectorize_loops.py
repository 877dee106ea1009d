"""vectorize-loops gives the bits of the loop it replaces: for all types, lengths, alignments and register widths."""

from __future__ import annotations

import numpy as np
import pytest

from vectors.programs import NUMPY, bits, has_vectors, kernels, loop, misaligned, samples, vectorized

LENGTHS = range(131)


def arithmetic(t: str) -> str:
    """A body of some operations on one type."""
    if t == "i1":
        return "%r = arith.xori %x, %y : i1"
    kind, less = ("f", "cmpf olt") if "f" in t else ("i", "cmpi slt")
    return f"""%p = arith.mul{kind} %x, %y : {t}
    %q = arith.add{kind} %p, %k : {t}
    %c = arith.{less}, %q, %x : {t}
    %r = arith.select %c, %y, %q : {t}"""


def elementwise(t: str) -> str:
    return loop(
        f"%a: memref<?x{t}>, %b: memref<?x{t}>, %o: memref<?x{t}>, %k: {t}",
        f"""%x = memref.load %a[%i] : memref<?x{t}>
    %y = memref.load %b[%i] : memref<?x{t}>
    {arithmetic(t)}
    memref.store %r, %o[%i] : memref<?x{t}>""",
    )


@pytest.mark.slow
@pytest.mark.parametrize("t", NUMPY)
def test_every_type_and_length(t: str) -> None:
    text = elementwise(t)
    assert has_vectors(text)
    plain, *others = kernels(text)
    scalar = NUMPY[t].type(1)
    for count in LENGTHS:
        a, b = samples(t, count), samples(t, count, 4)
        expected = np.full_like(a, 1)
        plain(a, b, expected, scalar, 0, count)
        for number, kernel in enumerate(others):
            offset = (count + number) % 17
            found = misaligned(np.full_like(a, 1), offset)
            kernel(misaligned(a, offset), misaligned(b, offset // 2), found, scalar, 0, count)
            assert bits(found) == bits(expected), (count, number)


@pytest.mark.slow
@pytest.mark.parametrize("t", ["i1", "i8", "f16", "f32", "f64"])
def test_past_the_cache(t: str) -> None:
    text = elementwise(t).replace("{hologram.vectorize}", "{hologram.vectorize = {past_cache = 40 : i64}}")
    assert any(op.name == "llvm.fence" for op in vectorized(text, 64).walk())
    plain, *others = kernels(text)
    scalar = NUMPY[t].type(1)
    for count in [*range(35, 60), 63, 64, 65, 127, 200, 255, 256, 257, 1000, 1500]:
        a, b = samples(t, count), samples(t, count, 4)
        expected = np.full_like(a, 1)
        low = count % 3
        plain(a, b, expected, scalar, low, count - low)
        for number, kernel in enumerate(others):
            found = misaligned(np.full_like(a, 1), (count * 7 + number) % 67)
            kernel(a, b, found, scalar, low, count - low)
            assert bits(found) == bits(expected), (count, number)


def test_much_work_past_the_cache() -> None:
    """A line is more than the main loop would take at once of a long body."""
    work = "".join(f"%x{n + 1} = arith.addf %x{n}, %x{n} : f32\n" for n in range(14))
    body = f"%x0 = memref.load %a[%i] : memref<?xf32>\n{work}memref.store %x14, %b[%i] : memref<?xf32>"
    mark = "{hologram.vectorize = {past_cache = 20 : i64}}"
    for kernel in kernels(loop("%a: memref<?xf32>, %b: memref<?xf32>", body, mark=mark)):
        for count in (7, 19, 31, 47, 127):
            a = samples("f32", count)
            found = misaligned(np.zeros_like(a), count % 17)
            kernel(a, found, 0, count)
            with np.errstate(over="ignore"):
                assert bits(found) == bits(a * np.float32(2.0**14)), count


def test_rows_past_the_cache() -> None:
    """Rows of odd lengths begin anywhere in a line."""
    arguments = "%a: memref<?x?xf32>, %b: memref<?x?xf32>, %r: index"
    body = "%x = memref.load %a[%r, %i] : memref<?x?xf32>\nmemref.store %x, %b[%r, %i] : memref<?x?xf32>"
    mark = "{hologram.vectorize = {past_cache = 500 : i64}}"
    for kernel in kernels(loop(arguments, body, mark=mark)):
        for columns in (1, 200, 255, 256, 257, 600):
            a = samples("f32", 5 * columns).reshape(5, columns)
            found = misaligned(np.full_like(a, 1).reshape(-1), columns % 17).reshape(5, columns)
            for row in (0, 3, 4):
                kernel(a, found, row, columns % 3, columns - columns % 2)
            expected = np.full_like(a, 1)
            inside = slice(columns % 3, columns - columns % 2)
            expected[[0, 3, 4], inside] = a[[0, 3, 4], inside]
            assert bits(found) == bits(expected), columns


def test_what_is_read_or_stored_twice_stays_in_the_cache() -> None:
    mark = "{hologram.vectorize = {past_cache = 4 : i64}}"
    load = "%x = memref.load %a[%i] : memref<?xf32>\n"
    for body in (
        f"{load}memref.store %x, %a[%i] : memref<?xf32>",
        f"{load}memref.store %x, %b[%i] : memref<?xf32>\nmemref.store %x, %b[%i] : memref<?xf32>",
        f"{load}%j = arith.addi %i, %c1 : index\nmemref.store %x, %b[%j] : memref<?xf32>",
    ):
        text = loop("%a: memref<?xf32>, %b: memref<?xf32>", body, mark=mark)
        assert has_vectors(text)
        assert not any(op.name == "llvm.fence" for op in vectorized(text, 64).walk())


def test_nothing_outside_the_bounds_is_touched() -> None:
    text = elementwise("f32")
    a = np.ones(200, np.float32)
    for kernel in kernels(text)[1:]:
        for low, high in [(0, 0), (5, 5), (7, 3), (100, 0), (3, 20), (1, 131), (64, 199), (190, 200)]:
            out = np.zeros(200, np.float32)
            kernel(a, a, out, np.float32(1), low, high)
            assert list(np.flatnonzero(out)) == list(range(low, high))


def test_in_place() -> None:
    text = loop(
        "%a: memref<?xf32>",
        """%x = memref.load %a[%i] : memref<?xf32>
    %y = arith.mulf %x, %x : f32
    memref.store %y, %a[%i] : memref<?xf32>
    %z = memref.load %a[%i] : memref<?xf32>
    %w = arith.addf %z, %x : f32
    memref.store %w, %a[%i] : memref<?xf32>""",
    )
    assert has_vectors(text)
    for kernel in kernels(text):
        for count in LENGTHS:
            a = np.arange(count, dtype=np.float32)
            kernel(a, 0, count)
            np.testing.assert_array_equal(a, np.arange(count) * np.arange(count, dtype=np.float32) + np.arange(count))


MIXED = {
    "f16 in f32": ("f16", "f16", "%w = arith.extf %x : f16 to f32\n%v = arith.mulf %w, %w : f32\n"
                   "%r = arith.truncf %v : f32 to f16"),
    "f32 to bool": ("f32", "i1", "%r = arith.cmpf oge, %x, %x : f32"),
    "bool to f64": ("i1", "f64", "%k = arith.constant 2.5 : f64\n%r = arith.uitofp %x : i1 to f64"),
    "i8 to i64": ("i8", "i64", "%r = arith.extsi %x : i8 to i64"),
    "i64 to i16": ("i64", "i16", "%r = arith.trunci %x : i64 to i16"),
    "bits": ("f64", "i64", "%r = arith.bitcast %x : f64 to i64"),
    "index": ("i32", "i32", "%n32 = arith.index_cast %i : index to i32\n%r = arith.muli %x, %n32 : i32"),
    "index times three": ("i64", "i64", "%c3 = arith.constant 3 : index\n%j = arith.muli %i, %c3 : index\n"
                          "%l = arith.subi %n, %j : index\n%m = arith.index_cast %l : index to i64\n"
                          "%r = arith.addi %x, %m : i64"),
    "first": ("f32", "f32", "%f = memref.load %a[%lb] : memref<?xf32>\n%r = arith.subf %x, %f : f32"),
    "math": ("f32", "f32", "%s = math.absf %x : f32\n%t = math.sqrt %s : f32\n%r = math.fma %t, %x, %s : f32"),
    "exp": ("f64", "f64", "%r = math.exp %x : f64"),
}  # fmt: skip


@pytest.mark.parametrize("name", MIXED)
def test_mixed_types_and_scalars(name: str) -> None:
    source, target, body = MIXED[name]
    text = loop(
        f"%a: memref<?x{source}>, %o: memref<?x{target}>",
        f"%x = memref.load %a[%i] : memref<?x{source}>\n{body}\nmemref.store %r, %o[%i] : memref<?x{target}>",
    )
    assert has_vectors(text)
    plain, *others = kernels(text)
    for count in (0, 1, 7, 8, 33, 130):
        a = samples(source, count + 2)
        expected = np.zeros(count + 2, NUMPY[target])
        plain(a, expected, 1, count + 1)
        for kernel in others:
            found = np.zeros_like(expected)
            kernel(a, found, 1, count + 1)
            assert bits(found) == bits(expected), count


@pytest.mark.slow
@pytest.mark.parametrize("count", [0, 1, 3, 8, 13, 64, 128, 3000])
def test_known_lengths(count: int) -> None:
    text = loop(
        "%a: memref<?xi16>, %o: memref<?x?xi16>",
        """%j = arith.addi %lb, %i : index
    %x = memref.load %a[%j] : memref<?xi16>
    memref.store %x, %o[%c1, %i] : memref<?x?xi16>""",
        lower="%c0",
        upper="%count",
    ).replace("  %c0 =", f"  %count = arith.constant {count} : index\n  %c0 =")
    assert has_vectors(text) == (count > 1)
    a = np.arange(count + 5, dtype=np.int16)
    for kernel in kernels(text):
        out = np.full((3, count), -1, np.int16)
        kernel(a, out, 5, 0)
        assert (out[1] == a[5:]).all()
        assert (out[[0, 2]] == -1).all()


def test_short_loops_of_known_length_are_straight_code() -> None:
    text = loop("%o: memref<?xf32>, %k: f32", "memref.store %k, %o[%i] : memref<?xf32>", lower="%c0", upper="%c1")
    long = text.replace("to %c1", "to %far").replace("  %c0 =", "  %far = arith.constant 1000000 : index\n  %c0 =")
    assert not any(op.name == "scf.for" for op in vectorized(text, 32).walk())
    assert any(op.name == "scf.for" for op in vectorized(long, 32).walk())


@pytest.mark.slow
@pytest.mark.parametrize("t", ["f16", "f32", "f64"])
def test_places_apart_are_gathered_for_functions(t: str) -> None:
    wide = "f32" if t == "f16" else t
    body = f"""%j = arith.muli %i, %c3 : index
    %x = memref.load %a[%j] : memref<?x{t}, strided<[?]>>
    {"%w = arith.extf %x : f16 to f32" if t == "f16" else f"%w = arith.addf %x, %x : {t}"}
    %y = math.exp %w : {wide}
    {"%r = arith.truncf %y : f32 to f16" if t == "f16" else f"%r = arith.addf %y, %x : {t}"}
    memref.store %r, %o[%i] : memref<?x{t}>"""
    body = body.replace(f"%o[%i] : memref<?x{t}>", f"%o[%i] : memref<?x{t}, strided<[?]>>")
    text = loop(f"%a: memref<?x{t}, strided<[?]>>, %o: memref<?x{t}, strided<[?]>>", body)
    text = text.replace("  %c0 =", "  %c3 = arith.constant 3 : index\n  %c0 =")
    names = {op.name for op in vectorized(text, 32).walk()}
    assert {"vector.gather", "vector.scatter"} <= names
    plain, *others = kernels(text)
    for count in (0, 1, 15, 16, 70):
        source = samples(t, 6 * count + 6)
        for a in (source[::2], source[::-1]):
            expected = np.zeros(3 * count + 2, NUMPY[t])
            plain(a, expected[1::3], 0, count)
            for kernel in others:
                found = np.zeros_like(expected)
                kernel(a, found[1::3], 0, count)
                assert bits(found) == bits(expected), count
