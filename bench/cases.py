"""The rows of the table: what each computes, on what data, how its result is checked and what limits it.

Workers import this too, in environments that have numpy and the library they drive, and nothing of ours.
"""

from __future__ import annotations

import math
import mmap
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

BLOCK = 1 << 18
"""Long vectors repeat a block of this many random numbers, so that only this many references are computed."""
EPSILON = 1e-5
"""The number that layer norm adds to the variance."""


@dataclass(frozen=True)
class Case:
    """One row."""

    table: ClassVar[str] = "cases"
    """The module that has the row."""
    name: str
    title: str
    kind: str
    shape: tuple[int, ...]
    """The shape of the input; of a matrix product m, n, k."""
    stream: str | None = None
    """The memory traffic it is like: triad, copy or read; None where no limit of memory is told."""

    @property
    def elements(self) -> int:
        """The number of elements of the result; for a sum, of its input."""
        return self.shape[0] * self.shape[1] if self.kind == "gemm" else math.prod(self.shape)

    @property
    def bytes(self) -> int:
        """The least number of bytes that must move: each array once."""
        if self.kind == "gemm":
            m, n, k = self.shape
            return 4 * (m * k + k * n + m * n)
        return 4 * self.elements * KINDS[self.kind].arrays

    @property
    def operations(self) -> int:
        """Floating-point operations; exp, tanh and the like count as one."""
        return self.elements * (2 * self.shape[2] if self.kind == "gemm" else KINDS[self.kind].operations)

    @property
    def bound(self) -> str:
        """The limit of a row: `compute`, `memory`, or `call` where no limit is stated (the cost of a call)."""
        if self.kind == "gemm":
            return "compute"
        return "memory" if self.stream else "call"

    @property
    def sets(self) -> int:
        """The number of sets of buffers that take turns."""
        return 2 if self.bytes > 8 << 20 else 4


@dataclass(frozen=True)
class Kind:
    """The computation of a kind of row."""

    inputs: int
    arrays: int
    """Arrays that move through memory, the result included."""
    operations: int
    """Operations an element."""
    reference: Callable[..., Array]
    """The result in float64 from inputs in float64."""
    relative: float = 1e-5
    absolute: float = 1e-6
    """A result may differ from the reference by relative * |reference| + absolute."""


def chain(a: Array, b: Array, c: Array) -> Array:
    return np.maximum(a * b + c, 0)


def softmax(x: Array) -> Array:
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)


def layer_norm(x: Array, gamma: Array, beta: Array) -> Array:
    d = x - x.mean(axis=1, keepdims=True)
    return d / np.sqrt((d * d).mean(axis=1, keepdims=True) + EPSILON) * gamma + beta


def gelu(x: Array) -> Array:
    """x times the normal distribution's probability of being below x."""
    return x * 0.5 * np.array([math.erfc(-v / math.sqrt(2)) for v in x.tolist()])


def gelu_tanh(x: Array) -> Array:
    """The form with tanh, which some libraries give for gelu: off by up to 4.7e-4 (Hendrycks and Gimpel, 2016)."""
    return 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


KINDS = {
    "add": Kind(2, 3, 1, np.add),
    "chain": Kind(3, 4, 3, chain),
    "sum": Kind(1, 1, 1, np.sum),
    "exp": Kind(1, 2, 1, np.exp),
    "tanh": Kind(1, 2, 1, np.tanh, relative=1e-4),
    "gelu": Kind(1, 2, 1, gelu, absolute=1e-5),
    "gelu_tanh": Kind(1, 2, 1, gelu_tanh, absolute=1e-5),
    "softmax": Kind(1, 2, 4, softmax, absolute=1e-7),
    "layer_norm": Kind(3, 2, 7, layer_norm, absolute=1e-4),
    "transpose": Kind(1, 2, 0, np.transpose, relative=0, absolute=0),
    "gemm": Kind(2, 0, 0, np.matmul),
}
ROWS = ("softmax", "layer_norm", "transpose", "gemm")
"""Kinds whose elements depend on others, so that their reference is computed from whole arrays."""

ODD = (
    (17, 19, 23), (31, 33, 37), (63, 65, 67), (97, 101, 103), (127, 129, 131), (255, 257, 259), (333, 555, 777),
    (511, 509, 513), (1000, 1000, 1000), (1021, 1023, 1025), (1, 1024, 1024), (3, 1024, 1024), (1024, 3, 1024),
    (1024, 1024, 3), (8, 4096, 64), (2048, 7, 2048), (5000, 16, 16), (64, 3000, 64), (129, 31, 2000), (1536, 384, 96),
)  # fmt: skip
M16 = (1 << 24,)
MATRIX = (4096, 1024)


def make_cases() -> list[Case]:
    """All rows, in the order of the table."""
    maps = [Case(f"{k}-16m", f"{k if k != 'gelu' else 'GELU'} 16M", k, M16, "copy") for k in ("exp", "tanh", "gelu")]
    squares = [Case(f"gemm-{n}", f"GEMM {n}", "gemm", (n, n, n)) for n in (128, 512, 1024, 2048)]
    odd = [Case(f"gemm-{m}x{n}x{k}", f"GEMM {m}x{n}x{k}", "gemm", (m, n, k)) for m, n, k in ODD]
    return [
        Case("add-1k", "add 1K, one call", "add", (1024,)),
        Case("add-262k", "add 262K", "add", (1 << 18,), "cached"),
        Case("add-16m", "add 16M", "add", M16, "triad"),
        Case("chain-16m", "relu(a*b+c) 16M", "chain", M16, "triad"),
        Case("sum-16m", "sum 16M", "sum", M16, "read"),
        *maps,
        Case("softmax", "softmax 4096x1024", "softmax", MATRIX, "copy"),
        Case("layer-norm", "layer norm 4096x1024", "layer_norm", MATRIX, "copy"),
        Case("transpose", "transpose 4096x4096", "transpose", (4096, 4096), "copy"),
        *squares,
        *odd,
    ]


def tiny(case: Case) -> Case:
    """The same row on few elements, for tests of the benchmark itself; odd sizes, one set of matrices per shape."""
    shape = (1031,) if len(case.shape) == 1 else tuple(min(n, 33) for n in case.shape)
    return Case(case.name, case.title, case.kind, shape, case.stream)


def make_buffer(shape: tuple[int, ...], number: int) -> Array:
    """An array that lies alike in every process: on large pages where there are such, each at another offset.

    Arrays at equal offsets would make loads wait for stores to other arrays; where chance decided, it would decide
    otherwise for each library.
    """
    size = math.prod(shape) * 4
    large = 1 << 21
    if size < large or not hasattr(mmap, "MADV_HUGEPAGE"):
        raw = np.empty(size + 128, np.uint8)
        skip = -raw.ctypes.data % 64
    else:
        memory = mmap.mmap(-1, size + 2 * large, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        memory.madvise(mmap.MADV_HUGEPAGE)
        raw = np.frombuffer(memory, np.uint8)
        skip = -raw.ctypes.data % large + number % 16 * 17 * 64
    return raw[skip : skip + size].view(np.float32).reshape(shape)


class Data:
    """The arrays of the rows. Rows of the same shape use the same, so that few are made."""

    def __init__(self) -> None:
        self._kept: dict[tuple[tuple[int, ...], int, int], Array] = {}
        self._shape: tuple[int, ...] = ()

    def inputs(self, case: Case, number: int) -> list[Array]:
        """The inputs of one set of buffers."""
        if case.shape != self._shape:
            self._kept.clear()
            self._shape = case.shape
        return [self._input(shape, number, i) for i, shape in enumerate(input_shapes(case))]

    def _input(self, shape: tuple[int, ...], number: int, i: int) -> Array:
        key = shape, number, i
        if key not in self._kept:
            self._kept[key] = make_buffer(shape, 4 * number + i)
            _fill(self._kept[key], np.random.default_rng([number, i, *shape]))
        return self._kept[key]

    def output(self, case: Case, number: int) -> Array:
        """An array for the result of one set of buffers, its pages touched."""
        shape = output_shape(case)
        key = shape, number, -1
        if key not in self._kept:
            self._kept[key] = make_buffer(shape, 4 * number + 3)
        self._kept[key].fill(np.nan)
        return self._kept[key]


def input_shapes(case: Case) -> list[tuple[int, ...]]:
    """The shapes of the inputs."""
    if case.kind == "gemm":
        m, n, k = case.shape
        return [(m, k), (k, n)]
    if case.kind == "layer_norm":
        return [case.shape, case.shape[1:], case.shape[1:]]
    return [case.shape] * KINDS[case.kind].inputs


def output_shape(case: Case) -> tuple[int, ...]:
    """The shape of the result."""
    if case.kind == "gemm":
        return case.shape[:2]
    if case.kind == "sum":
        return ()
    return case.shape[::-1] if case.kind == "transpose" else case.shape


def convolution_of(image: Sequence[int], weights: Sequence[int], out: Sequence[int]) -> dict[str, tuple[int, int]]:
    """The stride and the padding of a convolution, half of whose kernel is around the image, as libraries take them."""
    padding = weights[2] // 2, weights[3] // 2
    # With as much padding the out has ceil(image / stride) elements, of which the stride follows if it is small.
    stride = -(-image[2] // out[2]), -(-image[3] // out[3])
    return {"stride": stride, "padding": padding}


def _fill(array: Array, random: np.random.Generator) -> None:
    """Normal numbers; long vectors repeat one block."""
    if array.ndim > 1:
        random.standard_normal(out=array, dtype=np.float32)
        return
    block = random.standard_normal(min(BLOCK, array.size), np.float32)
    for start in range(0, array.size, BLOCK):
        array[start : start + BLOCK] = block[: array.size - start]


def error_of(case: Case, form: str, inputs: Sequence[Array], result: Any) -> float:
    """The largest error of a result in units of what is allowed: up to 1 is right. NaN where NaN came out.

    `form` is the kind whose reference counts: the row's own, or one that a library gives in its place.
    """
    found = np.asarray(result)
    expected = output_shape(case)
    if found.size != math.prod(expected) or found.dtype != np.float32:
        return math.inf
    kind = KINDS[form]
    if form == "sum":
        return float(abs(float(found.reshape(())) - inputs[0].sum(dtype=np.float64)) / _sum_allowed(inputs[0]))
    if form in ROWS:
        reference = kind.reference(*(x.astype(np.float64) for x in inputs))
        absolute = kind.absolute if form != "gemm" else 2e-5 * math.sqrt(case.shape[2])
        return _compare(found.reshape(expected), reference, kind.relative, absolute)
    return _compare_blocks(kind, inputs, found.reshape(expected))


def _sum_allowed(x: Array) -> float:
    """The allowed error of a sum: a millionth of the sum of magnitudes."""
    return 1e-6 * float(np.abs(x).sum(dtype=np.float64)) + 1e-30


def _compare_blocks(kind: Kind, inputs: Sequence[Array], found: Array) -> float:
    """Compares block by block with the reference of one, but for the first element, which changes from call to call."""
    first = kind.reference(*(x[:1].astype(np.float64) for x in inputs))
    worst = _compare(found[:1], first, kind.relative, kind.absolute)
    start = BLOCK if len(found) >= 2 * BLOCK else 0
    block = [x[start : start + BLOCK].astype(np.float64) for x in inputs]
    reference = kind.reference(*block)
    for start in range(0, len(found), BLOCK):
        part = found[start : start + BLOCK]
        skip = int(start == 0)
        error = _compare(part[skip:], reference[skip : len(part)], kind.relative, kind.absolute)
        worst = math.nan if math.isnan(error) else max(worst, error)
    return worst


def _compare(found: Array, reference: Array, relative: float, absolute: float) -> float:
    if not found.size:
        return 0.0
    difference = np.abs(found - reference)
    if relative == absolute == 0:
        return 0.0 if not difference.any() else math.inf
    return float(np.max(difference / (relative * np.abs(reference) + absolute)))
