"""Kernels in Python: what each lane computes, on any device.

python examples/python_kernels.py [DEVICE]
"""

# Kernels are compiled from their source; pyright would take them for functions that run in Python.
# pyright: basic, reportInvalidTypeForm=false

import sys

import numpy as np

import hologram
from hologram.language import Array, Element, barrier, f32, get_global_id, get_local_id, shared, u32

DEVICE = sys.argv[1] if sys.argv[1:] else "cpu"
T = Element("T", "f32", "f64")


@hologram.kernel(lanes="len(y)")
def axpy(a: T, x: Array[T], y: Array[T]):
    i = get_global_id()
    if i < len(y):
        y[i] = a * x[i] + y[i]


@hologram.kernel(lanes="len(x)", block=256)
def block_sums(x: Array[f32], sums: Array[f32]):
    """The lanes of a block share an array, and meet at barriers."""
    part = shared(f32, 256)
    lane, i = get_local_id(), get_global_id()
    part[lane] = x[i] if i < len(x) else 0.0
    width: u32 = 128
    while width > 0:
        barrier()
        if lane < width:
            part[lane] += part[lane + width]
        width //= 2
    if lane == 0:
        sums[i // 256] = part[0]


def main() -> None:
    x = np.linspace(0, 1, 1000, dtype=np.float32)
    y = np.ones(1000, np.float32)
    axpy(3, x, y, device=DEVICE)
    print(f"axpy: {np.allclose(y, 3 * x + 1)}")
    sums = np.zeros(4, np.float32)
    block_sums(x, sums, device=DEVICE)
    print(f"sums of blocks: {np.allclose(sums, np.pad(x, (0, 24)).reshape(4, 256).sum(axis=1))}")


if __name__ == "__main__":
    main()
