"""Tests when the pool is made, by which call, and how loops run where it can't be made; each in a fresh process."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from hologram.runtime.devices.cpu import pool as cpu_pool

pytestmark = pytest.mark.skipif(bool(cpu_pool.why_not()), reason="this system has no POSIX threads")

START = """
import os, signal, threading
import numpy as np
import hologram
from hologram.runtime.devices.cpu import pool as cpu_pool
double = hologram.compile('''
func.func @double(%a: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.add %a, %a : tensor<?xf32>
  return %r : tensor<?xf32>
}''')

def go(count):
    assert (double(np.ones(count, np.float32)) == 2).all()

def made():
    return len(cpu_pool._kept)

SMALL, LARGE = 1000, 1 << 20
"""


def run(code: str, threads: int = 2) -> str:
    """The standard error of `code` in a new interpreter."""
    environment = {**os.environ, "HOLOGRAM_NUM_THREADS": str(threads)}
    command = [sys.executable, "-P", "-c", START + code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_the_first_large_loop_makes_the_pool():
    assert not run("go(SMALL); assert not made(); go(LARGE); assert made(); assert cpu_pool.pool().workers; go(SMALL)")


def test_one_thread_needs_none():
    assert not run("go(LARGE); assert not made(); hologram.set_num_threads(2); go(LARGE); assert made()", threads=1)


def test_interrupts_come_where_the_kernel_was_called():
    code = """
# A shell that starts the tests in the background lets them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
pool = cpu_pool.pool

def interrupted():
    cpu_pool.pool = pool
    raise KeyboardInterrupt

cpu_pool.pool = interrupted
try:
    go(LARGE)
except KeyboardInterrupt:
    go(LARGE)
    assert made()
else:
    raise AssertionError
"""
    assert not run(code)


def test_loops_run_where_the_pool_fails():
    code = """
def fails():
    raise OSError("out of threads")

cpu_pool.pool = fails
go(LARGE)
assert not made()
"""
    assert "out of threads" in run(code)


def test_threads_that_come_at_once():
    code = """
together = [threading.Thread(target=go, args=(LARGE,)) for _ in range(8)]
for thread in together:
    thread.start()
for thread in together:
    thread.join()
assert made()
"""
    assert not run(code)


def test_a_child_makes_its_own():
    code = """
child = os.fork()
go(LARGE)
assert made()
if not child:
    os._exit(0)
assert os.waitpid(child, 0)[1] == 0
"""
    assert not run(code)
