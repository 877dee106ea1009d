"""Programs that run until they are stopped, for tests and for `make soak`."""

# Kernels are no Python that a type checker knows.
# pyright: basic

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager

import hologram
from hologram.language import Array, f64, get_global_id, i64

WHILE = """
func.func @main(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  scf.while () : () -> () {
    %v = memref.load %a[%c0] : memref<2xf64>
    %c = arith.cmpf oeq, %v, %z : f64
    scf.condition(%c)
  } do {
    memref.store %z, %a[%c1] : memref<2xf64>
    scf.yield
  }
  return
}
"""
"""Ends as soon as the first element is not 0."""


@hologram.kernel(lanes="x.shape[0]")
def spin(x: Array[i64]):
    """Counts in each element until that is 0."""
    i = get_global_id()
    n: i64 = 0
    if i < x.shape[0]:
        while x[i] != 0:
            n = n + 1
            x[i] = n


@hologram.kernel(lanes="x.shape[0]")
def counted(x: Array[f64], n: i64):
    """Adds half of x to itself n times."""
    i = get_global_id()
    if i < x.shape[0]:
        total: f64 = 0.0
        for j in range(n):
            total = total + x[i] * 0.5 + f64(j) * 0.0
        x[i] = total


@hologram.kernel(lanes="x.shape[0]")
def nested(x: Array[i64], y: Array[i64]):
    """Loops in loops whose bounds are elements."""
    i = get_global_id()
    if i < x.shape[0]:
        total: i64 = 0
        for j in range(x[i]):
            for k in range(x[i]):
                total = total ^ (j + k)
        y[i] = total


@hologram.kernel(lanes="n")
def by_scalar(n: i64, x: Array[f64]):
    """A lane for each number below n; it does little."""
    i = get_global_id()
    if i < x.shape[0]:
        x[i] = x[i] + 1.0


@contextmanager
def interrupted(after: float = 0.15, number: int = signal.SIGINT) -> Generator[None]:
    """Sends this process a signal in the midst of a block. Background jobs of a shell begin with SIGINT ignored."""
    timer = threading.Timer(after, os.kill, (os.getpid(), number))
    old = signal.signal(number, signal.default_int_handler) if number == signal.SIGINT else None
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()
        if old is not None:
            signal.signal(number, old)
