"""Faults injected into results between an operation and its check, and random programs that must raise no alarm."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from coherence_programs import QUANTIZED, checks_of, moduli, random_program
from hologram.errors import TrapError

from .counts import FUZZING, PROGRAMS, WORKERS, numbers

FLIPS = PROGRAMS if FUZZING else 300
"""Faults of each kind that are injected."""
SIZE = 1024 if FUZZING else 96
"""The size of the matrices."""
RUNS, INPUTS = (PROGRAMS // 10, 1000) if FUZZING else (4, 50)
"""Programs without a fault, and inputs of each."""
Product = tuple[NDArray[np.int8], NDArray[np.int8], NDArray[np.int32], Any]


class TestFaults:
    """Bits of a result are flipped between the product and the check."""

    @pytest.fixture(scope="class")
    @classmethod
    def product(cls) -> Product:
        random = np.random.default_rng(1)
        shape = SIZE, SIZE
        a, b = (random.integers(-128, 128, shape, np.int8) for _ in range(2))
        c = a.astype(np.int32) @ b.astype(np.int32)
        check = checks_of(QUANTIZED.replace("KxN", f"{SIZE}x{SIZE}"))
        check(a, b, c)
        return a, b, c, check

    def test_single_flips(self, product: Product) -> None:
        a, b, c, check = product
        random = np.random.default_rng(2)
        words = c.reshape(-1).view(np.uint32)
        for number in range(FLIPS):
            place = int(random.integers(words.size))
            # Each bit, whatever the count; then random ones.
            bit = np.uint32(1 << (number if number < 32 else int(random.integers(32))))
            words[place] ^= bit
            with pytest.raises(TrapError, match="checksum of a row of the result differs modulo 96") as error:
                check(a, b, c)
            assert f"in lane {place // SIZE}:" in str(error.value)
            words[place] ^= bit
        check(a, b, c)

    def test_double_flips_in_one_word(self, product: Product) -> None:
        a, b, c, check = product
        random = np.random.default_rng(3)
        words, found = c.reshape(-1).view(np.uint32), 0
        for _ in range(FLIPS):
            place = int(random.integers(words.size))
            first, second = random.choice(32, 2, replace=False)
            bits = np.uint32((1 << int(first)) | (1 << int(second)))
            words[place] ^= bits
            try:
                check(a, b, c)
            except TrapError:
                found += 1
            words[place] ^= bits
        assert found >= 0.62 * FLIPS

    def test_share_of_double_flips(self) -> None:
        """The share that the docs state: the pairs of bits and of signs with a sum that 96 does not divide."""
        pairs = [(i, j) for i in range(32) for j in range(i)]
        found = sum((s * 2**i + t * 2**j) % 96 != 0 for i, j in pairs for s in (1, -1) for t in (1, -1))
        assert 0.64 < found / (4 * len(pairs)) < 0.65

    def test_columns_alone(self, product: Product) -> None:
        """Two changes in one row that its sum does not show are found by the columns."""
        a, b, c, check = product
        c[5, 7] += 1
        c[5, 9] -= 1
        with pytest.raises(TrapError, match="in lane 7: atlas.quantized_gemm: the checksum of a column"):
            check(a, b, c)
        c[5, 7] -= 1
        c[5, 9] += 1
        check(a, b, c)


@pytest.mark.parametrize("worker", range(WORKERS))
def test_no_false_alarm(worker: int) -> None:
    """Programs over all of their types' numbers, so that most sums and products wrap."""
    checked = 0
    for seed in numbers(worker, RUNS):
        program = random_program(seed)
        kernel = hologram.compile(program.text, cache=False, opt_level=1, coherence=True)
        checked += any("unchecked" not in said for said in moduli(program.text))
        random = np.random.default_rng(seed)
        for _ in range(INPUTS):
            try:
                kernel(*program.arguments(random))
            except TrapError as error:
                pytest.fail(f"{error}\n{program.text}")
    assert checked or RUNS < 10 * WORKERS
