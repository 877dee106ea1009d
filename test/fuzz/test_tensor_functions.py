"""Random tensor functions, called with arrays of many sizes: what each program gives is what numpy gives, whichever
sizes it was traced for."""

# Tensor functions are typed by what they are called with.
# pyright: basic

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest

import hologram
from hologram import ops

from .counts import FUZZING, PROGRAMS, WORKERS, numbers

COUNT = PROGRAMS if FUZZING else 60
SIZES = (0, 1, 1, 2, 3, 4, 5, 8)


def step(rng: random.Random, np_like: Any, values: list[Any]) -> Any:
    """One random operation, the same by numpy and in a trace: both draw the same numbers."""
    x, y = rng.choice(values), rng.choice(values)
    kind = rng.randrange(16)
    n = rng.randrange(3)
    match kind:
        case 0 | 1 | 2:
            return (x + y, x - y, x * y)[kind]
        case 3:
            return np_like.where(x > y, x, 0.5)
        case 4:
            return x.reshape(-1) if n else x[None]
        case 5:
            return x.T if x.ndim else x + 1
        case 6:
            return x.sum(axis=n % x.ndim) if x.ndim else x * 2
        case 7:
            return x.max(axis=n % x.ndim, keepdims=True) if x.ndim and 0 not in x.shape else x - 1
        case 8:
            return x[n:] if x.ndim else -x
        case 9:
            return x[: x.shape[0] // 2] if x.ndim else abs(x)
        case 10:
            return x[-1] if x.ndim and x.shape[0] > 0 else x * 0.5
        case 11:
            return x @ y if x.ndim == 2 and y.ndim == 2 else x * x.shape[0] if x.ndim else x
        case 12:
            return np_like.concat([x, x], axis=n % x.ndim) if x.ndim else x + y
        case 13:
            return x[::2, ..., None] if x.ndim else x
        case 14:
            return x[::-1] if x.ndim and n == 0 else x + n
        case _:
            return np_like.expand_dims(x, n % (x.ndim + 1))


class Numpy:
    """numpy under the names of `hologram.ops`."""

    where, expand_dims = staticmethod(np.where), staticmethod(np.expand_dims)

    @staticmethod
    def concat(parts: Any, axis: int) -> Any:
        return np.concatenate(parts, axis)


def program(seed: int, np_like: Any) -> Any:
    """A random function of two arrays, which refuses as numpy does what does not fit."""

    def run(x: Any, y: Any) -> Any:
        rng = random.Random(seed)
        values = [x, y]
        for _ in range(rng.randrange(1, 7)):
            values.append(step(rng, np_like, values))
        return values[-1], values[len(values) // 2]

    return run


@pytest.mark.parametrize("worker", range(WORKERS))
def test_like_numpy(worker: int):
    for seed in numbers(worker, COUNT):
        like_numpy(seed)


def like_numpy(seed: int) -> None:
    """A program of arrays, held against numpy."""
    rng = random.Random(~seed)
    function, expected = hologram.jit(program(seed, ops)), program(seed, Numpy)
    ranks = rng.randrange(3), rng.randrange(1, 3)
    for _ in range(5):
        arrays = [np.asarray(np.random.default_rng(seed).integers(-4, 5, [rng.choice(SIZES) for _ in range(r)]), "f4")
                  for r in ranks]  # fmt: skip
        try:
            wanted = expected(*arrays)
        except (ValueError, IndexError):
            with pytest.raises(hologram.InputError):
                function.interpret(*arrays)
            continue
        for found, right in zip(function.interpret(*arrays), wanted, strict=True):
            assert found.shape == np.shape(right)
            np.testing.assert_allclose(found, right, rtol=1e-5, atol=1e-4)
