"""Pools: data of any length goes through memory of constant size.

python examples/pools.py
"""

# Tensor functions are typed by what they are called with.
# pyright: basic

import numpy as np

import hologram
from hologram import ops, sigil


@hologram.jit
def total(x):
    return ops.sum(x)


def main() -> None:
    numbers = np.random.default_rng(0).uniform(0, 1, 1_000_000).astype(np.float32)

    pool = hologram.Pool(36864)
    parts = [float(total(part)) for part in pool.stream(numbers)]
    print(f"{len(parts)} parts through {pool.capacity} bytes: {np.isclose(sum(parts), numbers.sum(dtype=float))}")

    ring = hologram.Pool(16).ring()
    for word in (b"what was ", b"written ", b"first is gone"):
        ring.write(word)
    print(ring.read(0, len(ring)))

    squares = 0.0
    for (part,) in sigil.stream("merge.mul@c00[c01,c02]", numbers, numbers):
        squares += float(part.sum(dtype=float))
    print(f"a circuit over a stream: {np.isclose(squares, np.square(numbers, dtype=float).sum())}")


if __name__ == "__main__":
    main()
