"""Tensor functions: Python functions of whole arrays, compiled as one program for the shapes they are called with.

python examples/tensor_functions.py [DEVICE]
"""

# Tensor functions are typed by what they are called with.
# pyright: basic

import sys

import numpy as np

import hologram
from hologram import ops

DEVICE = sys.argv[1] if sys.argv[1:] else "cpu"


@hologram.jit(device=DEVICE)
def attention(q, k, v):
    """A head of attention: two products, and a softmax between them."""
    scores = q @ k.T / ops.sqrt(q.shape[-1])
    return ops.softmax(scores, axis=-1) @ v


@hologram.jit(device=DEVICE)
def normalized(x):
    """What has mean 0 and variance 1 along the last axis."""
    centered = x - ops.mean(x, axis=-1, keepdims=True)
    return centered / ops.sqrt(ops.mean(centered * centered, axis=-1, keepdims=True) + 1e-5)


def main() -> None:
    random = np.random.default_rng(0)
    q, k, v = (random.standard_normal((16, 8), np.float32) for _ in range(3))
    scores = q @ k.T / np.sqrt(8)
    weights = np.exp(scores - scores.max(axis=1, keepdims=True))
    expected = weights / weights.sum(axis=1, keepdims=True) @ v
    print(f"attention: {np.allclose(attention(q, k, v), expected, 1e-4, 1e-5)}")
    x = random.standard_normal((3, 100), np.float32) * 5 + 2
    y = np.asarray(normalized(x))
    print(f"normalized: {np.allclose(y.mean(axis=1), 0, atol=1e-5)}, {np.allclose(y.std(axis=1), 1, atol=1e-3)}")


if __name__ == "__main__":
    main()
