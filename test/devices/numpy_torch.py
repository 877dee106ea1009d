"""The part of torch that the benchmark of GPUs uses, by numpy, so that the benchmark itself runs without a GPU."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np

Base = np.ndarray[Any, Any]


class Tensor(Base):
    """An array with the methods that the benchmark calls."""

    def to(self, _where: Any) -> Tensor:
        return self

    def cpu(self) -> Tensor:
        return self

    def numpy(self) -> Base:
        return self.view(np.ndarray)

    def double(self) -> Tensor:
        return self.astype(np.float64).view(Tensor)

    def abs(self) -> Any:
        return np.abs(self)

    def clamp_min(self, least: Any) -> Any:
        return np.maximum(self, least)

    def numel(self) -> int:
        return self.size

    def t(self) -> Any:
        return self.T

    def contiguous(self) -> Any:
        return np.ascontiguousarray(self).view(Tensor)

    def copy_(self, source: Any) -> None:
        self[...] = source


class Generator:
    """Random numbers by a seed."""

    def __init__(self, device: str):
        self.random = np.random.default_rng()

    def manual_seed(self, seed: int) -> Generator:
        self.random = np.random.default_rng(seed)
        return self


def randn(*shape: int, generator: Generator, device: str) -> Tensor:
    """Random normal numbers of f32."""
    return generator.random.standard_normal(shape, np.float32).view(Tensor)


def ones(count: int, device: str) -> Tensor:
    """An array of ones of f32."""
    return np.ones(count, np.float32).view(Tensor)


def from_numpy(array: Base) -> Tensor:
    """A tensor over the same memory."""
    return array.view(Tensor)


def device_name(number: int) -> str:
    """The name of any device."""
    return "numpy"


add, mm, empty_like = np.add, np.matmul, np.empty_like
__version__ = "of numpy"
float32 = "float32"
nn = SimpleNamespace(functional=SimpleNamespace())
cuda = SimpleNamespace(is_available=lambda: True, synchronize=lambda: None, get_device_name=device_name)
backends = SimpleNamespace(cuda=SimpleNamespace(matmul=SimpleNamespace(allow_tf32=True)))
