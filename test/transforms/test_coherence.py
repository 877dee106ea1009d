"""Programs that check themselves: what they find, what they say, and what they leave alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from coherence_programs import QUANTIZED, checks_of, gemm, insert, mapping, moduli, numbers, random_program
from hologram.dialects import make_context
from hologram.errors import TrapError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret


class TestProducts:
    @pytest.mark.parametrize("dtype", ["int8", "int64"])
    def test_wrapping(self, dtype: str) -> None:
        t = f"i{np.iinfo(dtype).bits}"
        text = gemm("?x?", "?x?", "?x?", t)
        assert moduli(text) == ["16 and 32"]
        check = checks_of(text)
        a, b = numbers((5, 7), dtype), numbers((7, 3), dtype, 1)
        r = a @ b
        check(a, b, r)
        r[4, 2] ^= 16
        with pytest.raises(TrapError, match="in lane 4: atlas.gemm: the checksum of a row .* modulo 32"):
            check(a, b, r)

    @pytest.mark.parametrize("transposed", [1, 2])
    def test_transposed_batches_with_scales(self, transposed: int) -> None:
        flips = bool(transposed & 1), bool(transposed & 2)
        shapes = ["2x7x5" if flips[0] else "2x5x7", "2x3x7" if flips[1] else "2x7x3"]
        said = f"trans_a = {int(flips[0])} : i64, trans_b = {int(flips[1])} : i64, alpha = 3.0 : f64, beta = -2.0 : f64"
        check = checks_of(gemm(shapes[0], shapes[1], "2x5x3", "i32", said, added=True))
        a, b = (numbers(tuple(int(n) for n in s.split("x")), "int32", seed) for seed, s in enumerate(shapes))
        d = numbers((2, 5, 3), "int32", 2)
        x, y = (v.swapaxes(1, 2) if flip else v for v, flip in zip((a, b), flips, strict=True))
        r = 3 * (x @ y) - 2 * d
        check(a, b, d, r)
        r[1, 2, 0] += 1
        with pytest.raises(TrapError, match="in lane 7: "):
            check(a, b, d, r)

    def test_terms_decide(self) -> None:
        text = QUANTIZED.replace("KxN", "?x?")
        assert moduli(text) == ["96 up to 131071 terms, 16 and 32 beyond"]
        check = checks_of(text)
        for k in (0, 1, 131071, 131072):
            # All products are the greatest there are: one more term, and the sum wraps.
            a, b = np.full((2, k), -128, np.int8), np.full((k, 2), -128, np.int8)
            check(a, b, np.full((2, 2), k * 2**14).astype(np.int32))

    def test_unsigned(self) -> None:
        text = QUANTIZED.replace("KxN", "7x3").replace("dtype<i8>", "dtype<u8>, type_b = #atlas.dtype<i8>")
        check = checks_of(text)
        a, b = numbers((5, 7), "uint8"), numbers((7, 3), "int8")
        c = a.astype(np.int32) @ b.astype(np.int32)
        check(a.view(np.int8), b, c)
        c[0, 0] ^= 1 << 30
        with pytest.raises(TrapError, match="modulo 96"):
            check(a.view(np.int8), b, c)

    def test_empty_and_one(self) -> None:
        kernel = hologram.compile(gemm("?x?", "?x?", "?x?", "i32"), cache=False, opt_level=1, coherence=True)
        for m, k, n in ((0, 3, 2), (3, 0, 2), (3, 2, 0), (1, 1, 1), (13, 300, 17)):
            a, b, r = numbers((m, k), "int32"), numbers((k, n), "int32"), np.ones((m, n), np.int32)
            kernel(a, b, r)
            assert np.array_equal(r, a @ b)


CHAIN = """    %p = atlas.mul i32 %a, %b
    %n = atlas.neg i32 %b
    %q = atlas.fma i32 %p, %n, %a
    %s = atlas.sub i32 %q, %b
    atlas.yield %s : i32"""
WIDENED = """    %v = atlas.cvt i16 to i32 %a
    %w = atlas.cvt u16 to i32 %b
    %p = atlas.mul i32 %v, %w
    %s = atlas.sub i32 %p, %v
    atlas.yield %s : i32"""


class TestMaps:
    def test_chain_that_wraps(self) -> None:
        text = mapping(CHAIN)
        assert moduli(text) == ["16 and 32"]
        check = checks_of(text)
        for shape in ((4, 9), (1, 1), (0, 3), (3, 0)):
            x, y = numbers(shape, "int32"), numbers(shape, "int32", 1)
            r = x * y * -y + x - y
            check(x, y, r)
            if r.size:
                r[-1, -1] ^= 1
                with pytest.raises(TrapError, match=f"in lane {shape[0] - 1}: atlas.map: the checksum of a row"):
                    check(x, y, r)

    @pytest.mark.parametrize("shape", ["", "?", "2x3x4"])
    def test_widened_chain(self, shape: str) -> None:
        text = mapping(WIDENED.replace("u16", "i16"), shape, "i16", "i32")
        assert moduli(text) == ["96"]
        check = checks_of(text)
        sizes = tuple(int(n.replace("?", "33")) for n in shape.split("x") if n)
        x, y = numbers(sizes, "int16"), numbers(sizes, "int16", 1)
        r = np.array(x.astype(np.int32) * y - x)
        check(x, y, r)
        for bit in range(32):
            flipped = r.copy()
            flipped.reshape(-1).view(np.uint32)[-1] ^= np.uint32(1 << bit)
            with pytest.raises(TrapError, match="modulo 96"):
                check(x, y, flipped)

    def test_sign_counts(self) -> None:
        """Least times greatest of both kinds still fits, but then a subtraction may wrap."""
        assert moduli(mapping(WIDENED, "?", "i16", "i32")) == ["96"]
        assert moduli(mapping(WIDENED.replace("%p, %v", "%p, %w"), "?", "i16", "i32")) == ["16 and 32"]

    def test_in_place(self) -> None:
        """The expected checksums are computed before the operands are overwritten."""
        text = mapping(CHAIN).replace("outs(%r", "outs(%x")
        kernel = hologram.compile(text, cache=False, opt_level=1, coherence=True)
        x, y = numbers((3, 4), "int32"), numbers((3, 4), "int32", 1)
        expected = x * y * -y + x - y
        kernel(x, y, np.zeros_like(x))
        assert np.array_equal(x, expected)

    def test_what_is_no_ring_operation(self) -> None:
        """A sum of what is computed again, and a comparison that has no residue."""
        body = "    %m = atlas.min i32 %a, %b\n    %s = atlas.add i32 %m, %a\n    atlas.yield %s : i32"
        assert moduli(mapping(body)) == ["16 and 32"]
        assert moduli(mapping("    %m = atlas.min i32 %a, %b\n    atlas.yield %m : i32")) == []
        # A division may trap, so it is not done a second time.
        assert moduli(mapping(body.replace("min", "div"))) == []

    def test_unsigned_64_bits(self) -> None:
        body = (
            "    %v = atlas.shr u64 %a, %c\n    %w = atlas.shr u64 %b, %c\n    %s = atlas.add u64 %v, %w\n"
            "    atlas.yield %s : i64"
        )
        text = mapping(f"    %c = atlas.mov_imm 1 : i32\n{body}", "?", "i64")
        assert moduli(text) == ["96"]
        check = checks_of(text)
        x, y = numbers((40,), "uint64"), numbers((40,), "uint64", 1)
        x, y, r = (v.view(np.int64) for v in (x, y, (x >> 1) + (y >> 1)))
        check(x, y, r)
        for bit in range(64):
            flipped = r.copy()
            flipped.view(np.uint64)[7] ^= np.uint64(1 << bit)
            with pytest.raises(TrapError, match="modulo 96"):
                check(x, y, flipped)


SUM = """
func.func @main(%x: memref<?x?xi16>, %r: memref<?xi32>) {
  atlas.reduce [KIND i32] ins(%x : memref<?x?xi16>) outs(%r : memref<?xi32>)
    maps [affine_map<(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> (d0)>] {
  ^bb0(%a: i16):
    %w = atlas.cvt i16 to i32 %a
    atlas.yield %w : i32
  }
  func.return
}
"""


class TestReductions:
    def test_sum(self) -> None:
        text = SUM.replace("KIND", "add")
        assert moduli(text) == ["96 up to 65536 terms, 16 and 32 beyond"]
        check = checks_of(text)
        for columns in (0, 1, 300, 65536, 65537):
            x, r = np.full((3, columns), -(2**15), np.int16), np.full(3, columns * -(2**15)).astype(np.int32)
            check(x, r)
        r[2] ^= 8
        with pytest.raises(TrapError, match="in lane 2: atlas.reduce: the checksum of a sum"):
            check(x, r)

    def test_product(self) -> None:
        text = SUM.replace("KIND", "mul")
        assert moduli(text) == ["16 and 32"]
        check = checks_of(text)
        x = numbers((3, 20), "int16") | 1
        r = x.prod(1, dtype=np.int32)
        check(x, r)
        r[1] ^= 1
        with pytest.raises(TrapError, match="in lane 1: "):
            check(x, r)

    def test_finish_region(self) -> None:
        """The sums are stored and checked, then finished."""
        text = """
        func.func @main(%x: tensor<?x?xi32>) -> tensor<?xf32> {
          %s = hologram.reduce sum %x {axes = [1 : i64]} : tensor<?x?xi32> to tensor<?xi32>
          %f = hologram.cast %s : tensor<?xi32> to tensor<?xf32>
          func.return %f : tensor<?xf32>
        }"""
        assert moduli(text) == ["16 and 32"]
        x = numbers((4, 6), "int32")
        kernel = hologram.compile(text, cache=False, opt_level=1, coherence=True)
        assert np.array_equal(kernel(x), x.sum(1, dtype=np.int32).astype(np.float32))


class TestPrograms:
    TEXT = """
    func.func @main(%a: tensor<5x64xi8>, %b: tensor<64x9xi8>, %c: tensor<5x9xi32>) -> tensor<5x9xi32> {
      %x = hologram.cast %a : tensor<5x64xi8> to tensor<5x64xi32>
      %y = hologram.cast %b : tensor<64x9xi8> to tensor<64x9xi32>
      %p = hologram.matmul %x, %y : (tensor<5x64xi32>, tensor<64x9xi32>) -> tensor<5x9xi32>
      %r = hologram.add %p, %c : tensor<5x9xi32>
      func.return %r : tensor<5x9xi32>
    }"""

    def test_tensors(self) -> None:
        """The product is known not to wrap from what its operands were computed from; the sum may."""
        _, remarks = insert(self.TEXT)
        assert "'atlas.gemm' is checked modulo 96, by row and column checksums" in remarks
        assert "'hologram.add' is checked modulo 16 and 32, by checksums of rows" in remarks
        kernel = hologram.compile(self.TEXT, cache=False, opt_level=1, coherence=True)
        a, b, c = numbers((5, 64), "int8"), numbers((64, 9), "int8"), numbers((5, 9), "int32")
        expected = a.astype(np.int32) @ b.astype(np.int32) + c
        assert np.array_equal(kernel(a, b, c), expected)
        # Not contiguous: the same program with other strides.
        assert np.array_equal(kernel(a, np.asfortranarray(b), c), expected)

    def test_results_are_read_from_memory(self) -> None:
        """No load of a stored result is removed between an operation and its check."""
        text, _ = insert(mapping(CHAIN))
        assert 'llvm.fence syncscope("singlethread") seq_cst' in text

    @pytest.mark.parametrize("seed", range(9))
    def test_interpreter(self, seed: int) -> None:
        """The interpreter runs checked programs too, with the same results."""
        program = random_program(seed)
        outs: list[list[NDArray[Any]]] = []
        for text in (program.text, insert(program.text)[0]):
            arguments = program.arguments(np.random.default_rng(seed))
            interpret(parse_module(text, "program.mlir", make_context()), None, arguments)
            outs.append(arguments)
        assert all(map(np.array_equal, *outs))

    def test_nothing_to_check(self) -> None:
        text = "builtin.module {\n  func.func @main(%x: memref<?xf32>) {\n    func.return\n  }\n}\n"
        assert insert(text) == (text, "")
