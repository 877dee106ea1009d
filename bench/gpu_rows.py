"""The rows of the GPU benchmark: which kernels, of what sizes, what torch does for them, and what is asked."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "test"))

from device_kernels import EPSILON, KERNELS, Array, DeviceKernel, Sizes  # noqa: E402

Peer = Callable[..., Any]
PORTABLE = ("vulkan", "webgpu", "opencl")


@dataclass(frozen=True)
class Row:
    """One kernel at one size. `bytes` are those that must move, `operations` what a product computes."""

    name: str
    kernel: DeviceKernel
    sizes: Sizes
    bytes: int
    peer: str
    """The expression in torch, of the inputs `a`, `b`, `c` with `F` as torch.nn.functional."""
    operations: int = 0
    compiled: bool = False
    """True if torch.compile, whose code Triton makes, is a peer too."""
    limit: Mapping[str, float] = field(default_factory=dict[str, float])
    """By device, the required share of the copy limit."""
    ratio: Mapping[str, tuple[str, float]] = field(default_factory=dict[str, tuple[str, float]])
    """By device, a peer and the required ratio of its time to ours."""

    def small(self) -> Row:
        """A row of few elements, to test the benchmark."""
        sizes = tuple(max(n >> 8, 1) for n in self.sizes)
        return replace(self, sizes=sizes, bytes=max(self.bytes >> 8, 1), operations=max(self.operations >> 24, 0))

    def timed(self, devices: Collection[str]) -> list[str]:
        """The peers that are timed beside some devices: beside PORTABLE none, where only the copy limit is asked."""
        if self.limit and "cuda" not in devices:
            return []
        return ["torch", "compiled"] if self.compiled else ["torch"]


STREAM = {"cuda": 0.95, **dict.fromkeys(PORTABLE, 0.9)}
LINE, TABLE = 1 << 28, 1 << 14


def _two(sizes: Sizes) -> list[Sizes]:
    return [sizes, sizes]


def _sum_of_two(x: Array, y: Array) -> Array:
    return x + y


def _magnitude_of_two(x: Array, y: Array) -> Array:
    return abs(x) + abs(y)


ADD = replace(
    KERNELS["saxpy"],
    title="add",
    text="""
func.func @add(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.add %x, %y : tensor<?xf32>
  func.return %r : tensor<?xf32>
}
""",
    shapes=_two,
    reference=_sum_of_two,
    scale=_magnitude_of_two,
)


def _stream(name: str, arrays: int, peer: str, *, compiled: bool = False) -> Row:
    kernel = KERNELS[name]
    return Row(name, kernel, kernel.large, 4 * LINE * arrays, peer, compiled=compiled, limit=STREAM)


def _product(name: str, size: int, peer: str, asked: Mapping[str, tuple[str, float]]) -> Row:
    kernel = KERNELS[name]
    width = 4 if kernel.dtype == "float32" else 2
    sizes = (size, size, size)
    return Row(f"{name}-{size}", kernel, sizes, 3 * width * size * size, peer, 2 * size**3, ratio=asked)


_ROWS = 32768 * 4096
STREAMS: tuple[Row, ...] = (
    Row("add", ADD, (LINE,), 12 * LINE, "torch.add(a, b, out=out)", limit=STREAM),
    _stream("fused-chain", 4, "torch.exp(-((a * b + c) ** 2))", compiled=True),
    _stream("gelu", 2, "F.gelu(a)", compiled=True),
    _stream("sum", 1, "a.sum()", compiled=True),
    _stream("row-sum", 1, "a.sum(1)", compiled=True),
    _stream("column-sum", 1, "a.sum(0)", compiled=True),
    Row("softmax", KERNELS["softmax"], (32768, 4096), 8 * _ROWS, "torch.softmax(a, 1)", compiled=True,
        ratio={"cuda": ("compiled", 1.0)}),
    Row("layer-norm", KERNELS["layer-norm"], (32768, 4096), 8 * _ROWS,
        f"F.layer_norm(a, (4096,), b, c, {EPSILON})", compiled=True, ratio={"cuda": ("compiled", 1.0)}),
    Row("transpose", KERNELS["transpose"], (TABLE, TABLE), 8 * TABLE * TABLE, "a.t().contiguous()",
        ratio={"cuda": ("torch", 2.0)}),
    _product("matmul-f32", 4096, "torch.mm(a, b, out=out)",
             {"cuda": ("torch", 0.7), **dict.fromkeys(PORTABLE, ("torch", 0.4))}),
)  # fmt: skip
"""The rows that move much memory, and the product of f32."""


def find(names: list[str]) -> list[Row]:
    """The rows whose names start so; all of them for none."""
    return [row for row in STREAMS if not names or any(row.name.startswith(start) for start in names)]
