"""Launched kernels among other objects, threads and signals: references, traps and the interpreter's lock."""

from __future__ import annotations

import contextlib
import gc
import signal
import sys
import threading
import time
import tracemalloc
import weakref
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import hologram
from hologram.runtime.launch import launcher
from hologram.runtime.launch.kernel import Kernel
from runtime_programs import Counted, add, buffer, divide, double_in_threads, loop, program, record, scale, vector

pytestmark = pytest.mark.skipif(not launcher.fitting(), reason="this interpreter or numpy has another layout")


Array = NDArray[Any]


# References


def test_reference_counts(counted: Counted):
    kernel = hologram.compile(add())
    a, b, out = vector(), vector(), vector()
    dtype = a.dtype
    with contextlib.suppress(hologram.LaunchError):
        kernel(a, b, a)  # What Python's checks need is made once.
    objects: list[Any] = [a, b, out, kernel, dtype, Kernel.__call__]
    gc.collect()  # What other tests left in cycles may hold methods.
    before = [sys.getrefcount(o) for o in objects]
    for _ in range(1000):
        kernel(a, b, out)
        kernel(a, b, out=out)
        kernel(a, b)
        with contextlib.suppress(hologram.LaunchError):
            kernel(a, b, a)
    assert [sys.getrefcount(o) for o in objects] == before
    assert sys.getrefcount(kernel(a, b)) == sys.getrefcount(vector())


def test_none_is_given_properly():
    kernel = hologram.compile(scale())
    x = vector()
    before = sys.getrefcount(None)
    for _ in range(10_000):
        assert kernel(x, 1.0) is None
    assert abs(sys.getrefcount(None) - before) < 100


def test_nothing_leaks():
    kernel, trapping = hologram.compile(add()), hologram.compile(divide())
    a, b = vector(1000), vector(1000)

    def work() -> None:
        for _ in range(300):
            kernel(a, b)
            kernel(a, b[::2].repeat(2))
            with contextlib.suppress(hologram.LaunchError):
                kernel(a, b[:7])
            with contextlib.suppress(hologram.TrapError):
                trapping(1, 0)

    work()
    gc.collect()
    tracemalloc.start()
    try:
        work()
        gc.collect()
        before = tracemalloc.get_traced_memory()[0]
        work()
        gc.collect()
        assert tracemalloc.get_traced_memory()[0] - before < 20_000
    finally:
        tracemalloc.stop()


def test_kernels_go_away():
    kernel = hologram.compile(f"{add()}; gone\n", cache=False)
    kernel(vector(), vector())
    gone = weakref.ref(kernel)
    del kernel
    gc.collect()
    assert gone() is None


def test_kernels_are_objects_like_others():
    kernel = hologram.compile(add())
    assert "main(a: f32[?]" in repr(kernel)
    assert type(kernel).__name__ == "Kernel"
    assert type(kernel).__module__ == "hologram.runtime.launch.kernel"
    assert {kernel: 1}[kernel] == 1
    assert callable(kernel)
    np.testing.assert_array_equal(kernel.__call__(vector(), vector()), vector() * 2)
    with pytest.raises(AttributeError):
        kernel.nonsense = 1  # pyright: ignore
    with pytest.raises(TypeError, match="oust"):
        kernel(vector(), vector(), oust=1)  # pyright: ignore


# Traps and the interpreter's lock


def test_traps(counted: Counted):
    kernel = hologram.compile(divide())
    assert kernel(7, 2) == 3
    with pytest.raises(hologram.TrapError, match="atlas.div: division by zero") as caught:
        kernel(42, 0)
    assert "lane 3" in caught.value.message
    assert "(values 42, 0)" in caught.value.message
    assert counted.slow == 0
    assert kernel(9, 3) == 3


def spinning(count: str = "%x_n0") -> str:
    """Adds 1 to x[0] a thousand times for each of its elements, through memory."""
    body = "  %v = load volatile float, ptr %x\n  %w = fadd float %v, 1.0\n  store volatile float %w, ptr %x\n"
    many = f"  %many = mul i64 {count}, 1000\n"
    return program(record([buffer("x", access="readwrite")]), many + loop("%many", body))


def test_other_threads_run_during_long_work(counted: Counted):
    kernel = hologram.compile(spinning())
    x = np.zeros(1 << 16, np.float32)
    seen: list[float] = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            seen.append(time.perf_counter())
            time.sleep(0.001)

    watcher = threading.Thread(target=watch)
    watcher.start()
    start = time.perf_counter()
    kernel(x)
    end = time.perf_counter()
    done.set()
    watcher.join()
    assert counted.slow == 0
    assert [t for t in seen if start + 0.01 < t < end]


def call_and_wait(kernel: Kernel, x: Array) -> None:
    kernel(x)
    time.sleep(2)


def test_interrupts_come_after_the_work():
    if not hasattr(signal, "setitimer"):
        pytest.skip("this system has no interval timers")
    kernel = hologram.compile(spinning())
    x = np.zeros(1 << 16, np.float32)
    old = signal.signal(signal.SIGALRM, signal.default_int_handler)
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.02)
        with pytest.raises(KeyboardInterrupt):
            call_and_wait(kernel, x)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert x[0] > 1e6


def test_threads_share_a_kernel(counted: Counted):
    kernel = hologram.compile(add())
    double_in_threads(kernel, 40_000)
    assert counted.slow == 0
