"""Launches that never end are stopped: by Ctrl-C, by what handlers of signals raise, and by the end of their time."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import hologram
import stopping_programs as programs
from hologram.errors import LaunchError, UsageError
from hologram.tools.run.command import run
from stopping_programs import interrupted


def _bound(kernel: Any, ready: tuple[Any, ...], endless: tuple[Any, ...]) -> Callable[[], Any]:
    """A call that never ends, of a kernel that has been compiled by one that does."""
    kernel(*ready)
    return lambda: kernel(*endless)


def _text(text: str, array: Any) -> Callable[[], Any]:
    kernel = hologram.compile(text)
    if not array.flags.c_contiguous:
        kernel(np.ones(4)[::2])
    return lambda: kernel(array)


INT = np.int64
MANY = np.full(2, 1 << 40)
STRIDED = programs.WHILE.replace("2xf64>", "?xf64, strided<[?]>>")
ENDLESS: dict[str, Callable[[], Callable[[], Any]]] = {
    "while": lambda: _text(programs.WHILE, np.zeros(2)),
    "lanes": lambda: _bound(programs.spin, (np.zeros(3, INT),), (np.ones(3, INT),)),
    "count": lambda: _bound(programs.counted, (np.ones(3), 1), (np.ones(3), 1 << 62)),
    "count-vectors": lambda: _bound(programs.counted, (np.ones(3), 1), (np.ones(300), 1 << 62)),
    "nested": lambda: _bound(
        programs.nested, (np.ones(2, INT), np.ones(2, INT)), (np.full(2, 1 << 40), np.zeros(2, INT))
    ),
    "grid": lambda: _bound(programs.by_scalar, (1, np.ones(2)), (1 << 39, np.ones(2))),
    "strided": lambda: _text(STRIDED, np.zeros(4)[::2]),
    "constant": lambda: _text(CONSTANT, np.zeros(2)),
    "cfg": lambda: _text(BLOCKS, np.zeros(2)),
}
CONSTANT = """
func.func @main(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 1000000000 : index
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      %v = memref.load %a[%c0] : memref<2xf64>
      %w = math.sqrt %v : f64
      memref.store %w, %a[%c1] : memref<2xf64>
      memref.store %v, %a[%c0] : memref<2xf64>
    }
  }
  return
}
"""
BLOCKS = """
func.func @main(%a: memref<2xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant 0.0 : f64
  cf.br ^left
^left:
  %v = memref.load %a[%c0] : memref<2xf64>
  %c = arith.cmpf oeq, %v, %z : f64
  cf.cond_br %c, ^right, ^left
^right:
  memref.store %z, %a[%c1] : memref<2xf64>
  %w = memref.load %a[%c1] : memref<2xf64>
  %d = arith.cmpf oeq, %w, %z : f64
  cf.cond_br %d, ^left, ^end
^end:
  return
}
"""


@pytest.mark.parametrize("name", ENDLESS)
def test_control_c_stops_a_launch(name: str):
    endless = ENDLESS[name]()
    with pytest.raises(KeyboardInterrupt), interrupted():
        endless()


@pytest.mark.parametrize("name", ENDLESS)
def test_a_timeout_stops_a_launch(name: str):
    endless = ENDLESS[name]()
    start = time.monotonic()
    with pytest.raises(LaunchError) as caught, hologram.timeout(0.1):
        endless()
    assert caught.value.code == "launch-timeout"
    assert time.monotonic() - start < 20


def test_a_kernel_is_sound_after_it_was_stopped():
    kernel = hologram.compile(programs.WHILE)
    for _ in range(3):
        with pytest.raises(LaunchError):
            kernel(np.zeros(2), timeout=0.02)
        kernel(np.ones(2), timeout=5)
    array = np.ones(300)
    with pytest.raises(LaunchError):
        programs.counted(array, 1 << 62, timeout=0.02)
    array[:] = 2.0
    programs.counted(array, 10)
    assert (array == 10).all()


@pytest.mark.parametrize("endless", ["all", "last", "first"])
def test_lanes_on_many_threads_are_stopped(endless: str):
    lanes = np.zeros(1 << 17, np.int64)
    lanes[{"all": slice(None), "last": slice(-1, None), "first": slice(0, 1)}[endless]] = 1
    programs.spin(np.zeros(2, np.int64))
    before = hologram.get_num_threads()
    hologram.set_num_threads(3)
    try:
        with pytest.raises(KeyboardInterrupt), interrupted(0.3):
            programs.spin(lanes.copy())
        with pytest.raises(LaunchError), hologram.timeout(0.2):
            programs.spin(lanes.copy())
        done = np.zeros(1 << 17, np.int64)
        programs.spin(done)
        assert not done.any()
    finally:
        hologram.set_num_threads(before)


def test_handlers_of_signals_run_and_may_raise():
    heard: list[int] = []

    def hear(number: int, frame: object) -> None:
        heard.append(number)
        if len(heard) == 3:
            raise ZeroDivisionError("the third")

    kernel = hologram.compile(programs.WHILE)
    old = signal.signal(signal.SIGALRM, hear)
    signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)
    try:
        with pytest.raises(ZeroDivisionError, match="the third"):
            kernel(np.zeros(2))
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, old)
    assert heard == [signal.SIGALRM] * 3


def test_a_handler_may_launch():
    kernel = hologram.compile(programs.WHILE)

    def launch(number: int, frame: object) -> None:
        kernel(np.ones(2))
        with pytest.raises(LaunchError):
            kernel(np.zeros(2), timeout=0.05)
        raise ZeroDivisionError

    old = signal.signal(signal.SIGALRM, launch)
    try:
        with pytest.raises(ZeroDivisionError), interrupted(number=signal.SIGALRM):
            kernel(np.zeros(2), timeout=10)
    finally:
        signal.signal(signal.SIGALRM, old)


def test_other_threads_run_meanwhile():
    kernel = hologram.compile(programs.WHILE)
    done = threading.Event()

    def work() -> None:
        for _ in range(100):
            kernel(np.ones(2))
        done.set()

    threading.Timer(0.05, work).start()
    with pytest.raises(LaunchError):
        kernel(np.zeros(2), timeout=0.5)
    assert done.is_set()


CALLS = """
func.func private @count_up(%x: memref<?xi64>, %d: i64) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %n = memref.dim %x, %0 : memref<?xi64>
  scf.for %i = %0 to %n step %1 {
    %v = memref.load %x[%i] : memref<?xi64>
    %q = arith.divsi %v, %d : i64
    %w = arith.addi %q, %d : i64
    memref.store %w, %x[%i] : memref<?xi64>
  }
  func.return
}
func.func @f(%x: memref<?xi64>, %n: index, %d: i64) {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  scf.for %k = %0 to %n step %1 {
    func.call @count_up(%x, %d) : (memref<?xi64>, i64) -> ()
  }
  func.return
}"""
"""A function that may trap is called, and takes longer than the watch waits until it asks the launch."""


def test_what_is_asked_is_no_trap(monkeypatch: pytest.MonkeyPatch):
    """The word that asks a launch to look for signals makes no caller leave."""
    monkeypatch.setattr("hologram.runtime.launch.watch.INTERVAL", 0.0)
    kernel = hologram.compile(CALLS)
    x = np.zeros(500_000, np.int64)
    kernel(x, 50, 1)
    assert x.min() == x.max() == 50


def test_a_launch_of_another_thread_ends_by_its_timeout():
    kernel = hologram.compile(programs.WHILE)
    codes: list[str] = []

    def launch(seconds: float) -> None:
        with pytest.raises(LaunchError) as caught:
            kernel(np.zeros(2), timeout=seconds)
        codes.append(caught.value.code)

    threads = [threading.Thread(target=launch, args=(0.05 * n,)) for n in range(1, 5)]
    for thread in threads:
        thread.start()
    with pytest.raises(LaunchError):
        kernel(np.zeros(2), timeout=0.1)
    for thread in threads:
        thread.join(20)
    assert codes == ["launch-timeout"] * 4


def test_timeouts_nest_and_decorate():
    kernel = hologram.compile(programs.WHILE)

    @hologram.timeout(0.05)
    def bounded(array: Any) -> None:
        with hologram.timeout(100), hologram.timeout(None):
            kernel(array)

    bounded(np.ones(2))
    for _ in range(2):
        with pytest.raises(LaunchError):
            bounded(np.zeros(2))
    kernel(np.ones(2))


def test_what_can_not_be_stopped_is_late():
    with pytest.raises(LaunchError) as caught, hologram.timeout(0.01):
        time.sleep(0.02)
    assert caught.value.code == "launch-timeout-late"
    with pytest.raises(TypeError), hologram.timeout(0.01):
        _fail_late()


def _fail_late() -> None:
    time.sleep(0.02)
    raise TypeError


@pytest.mark.parametrize("seconds", [0, -1, float("nan"), float("inf"), "1", True, 1e300, [1]])
def test_wrong_timeouts(seconds: Any):
    kernel = hologram.compile(programs.WHILE)
    for call in (lambda: hologram.timeout(seconds), lambda: kernel(np.ones(2), timeout=seconds)):
        with pytest.raises(UsageError) as caught:
            call()
        assert caught.value.code == "timeout-number"


def test_a_launch_can_be_stopped_in_a_fork():
    kernel = hologram.compile(programs.WHILE)
    thread = threading.Thread(target=_stopped_in_time, args=(kernel, 1.0))
    thread.start()
    time.sleep(0.1)
    child = os.fork()
    if not child:
        try:
            kernel(np.zeros(2), timeout=0.05)
        except LaunchError:
            os._exit(7)
        os._exit(1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7
    thread.join(20)


def _stopped_in_time(kernel: hologram.Kernel, seconds: float) -> None:
    with pytest.raises(LaunchError):
        kernel(np.zeros(2), timeout=seconds)


RUN = [sys.executable, "-P", "-m", "hologram.tools.run"]


def test_the_tool_is_interrupted(tmp_path: Any, capsys: pytest.CaptureFixture[str]):
    file = tmp_path / "endless.mlir"
    file.write_text(programs.WHILE)
    assert run([str(file), "--arg", "f64[2]=ones"]) == 0
    with interrupted(0.5):
        assert run([str(file), "--arg", "f64[2]=zeros"]) == 130
    assert capsys.readouterr().err == "interrupted\n"


LONG = """
func.func @main(%a: memref<?xf64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        %v = memref.load %a[%j] : memref<?xf64>
        %w = math.sqrt %v : f64
        memref.store %w, %a[%k] : memref<?xf64>
      }
    }
  }
  return
}
"""


def test_the_tool_ends_what_can_not_be_stopped(tmp_path: Any):
    (tmp_path / "long.mlir").write_text(LONG)
    command = [*RUN, str(tmp_path / "long.mlir"), "--arg", "f64[20000]=ones", "--timeout", "0.2"]
    done = subprocess.run(command, capture_output=True, timeout=60)
    assert done.stderr == b"error: the launch took longer than 0.2 seconds, and could not be stopped\n"
    assert done.returncode == 1
