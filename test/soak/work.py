"""What the soak does: each action is one function of the state, and raises where something is wrong."""

# Kernels are no Python that a type checker knows.
# pyright: basic

from __future__ import annotations

import contextlib
import os
import random
import shutil
import signal
import threading
import traceback
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

import hologram
import stopping_programs as programs
from hologram.errors import LaunchError

CHILD_SECONDS = 60
AGAIN = 5.0
"""Seconds after which a signal that did not end a launch is sent again; the record counts them."""
ADD = """
func.func @main(%a: memref<?xf64>) {{
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %z = arith.constant {number}.5 : f64
  %n = memref.dim %a, %c0 : memref<?xf64>
  scf.for %i = %c0 to %n step %c1 {{
    %v = memref.load %a[%i] : memref<?xf64>
    %w = arith.addf %v, %z : f64
    memref.store %w, %a[%i] : memref<?xf64>
  }}
  return
}}
"""


@dataclass
class State:
    """The random numbers, the folder of the cache, and how often each action was done."""

    rng: random.Random
    folder: Path
    counts: Counter[str] = field(default_factory=Counter)
    programs: int = 0


def same(found: object, wanted: object, what: str) -> None:
    if not np.array_equal(np.asarray(found), np.asarray(wanted)):
        raise AssertionError(f"{what}: {found} and not {wanted}")


def compile_text(state: State, rng: random.Random) -> None:
    number = rng.randrange(1 << 30)
    state.programs += 1
    kernel = hologram.compile(ADD.format(number=number), cache=rng.random() < 0.8, opt_level=rng.choice((0, 3)))
    array = np.arange(rng.choice((0, 1, 7, 1000)), dtype=np.float64)
    wanted = array + (number + 0.5)
    kernel(array)
    same(array, wanted, f"text {number}")


def tensors(state: State, rng: random.Random) -> None:
    number = float(rng.randrange(1 << 20))
    state.programs += 1

    @hologram.jit
    def function(x, y):
        return x * y + number

    x = np.arange(rng.choice((1, 5, 4097)), dtype=np.float32) % 7
    same(function(x, x), x * x + np.float32(number), f"tensors {number}")


def many_lanes(state: State, rng: random.Random) -> None:
    array = np.full(rng.choice((1, 300, 1 << 16)), 2.0)
    programs.counted(array, 10)
    same(array, np.full(array.shape, 10.0), "counted")


def stopped(state: State, rng: random.Random) -> None:
    kernel = hologram.compile(programs.WHILE)
    try:
        kernel(np.zeros(2), timeout=rng.uniform(0.001, 0.1))
    except LaunchError as error:
        same(error.code, "launch-timeout", "the error of a timeout")
    else:
        raise AssertionError("an endless kernel ended")
    kernel(np.ones(2))


def threads(state: State, rng: random.Random) -> None:
    failures: list[BaseException] = []
    shared = rng.randrange(1 << 30)

    def work(seed: int) -> None:
        own = random.Random(seed)
        try:
            for action in own.choices((compile_text, tensors, many_lanes, stopped), k=2):
                action(state, own)
            compile_text(state, random.Random(shared))
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(rng.randrange(1 << 30),)) for _ in range(3)]
    for worker in workers:
        worker.start()
    if rng.random() < 0.5:
        forks(state, rng)
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]


class Alarm(Exception):
    """What the handler of SIGALRM raises."""


def signals(state: State, rng: random.Random) -> None:
    def hear(number: int, frame: object) -> None:
        raise Alarm

    kernel = hologram.compile(programs.WHILE)
    with contextlib.suppress(hologram.HologramError):  # What is imported with the first timeout catches exceptions.
        kernel(np.zeros(2), timeout=0.001)
    old = signal.signal(signal.SIGALRM, hear)
    number, raised = rng.choice(((signal.SIGALRM, Alarm), (signal.SIGINT, KeyboardInterrupt)))
    is_over, delay = threading.Event(), rng.uniform(0.005, 0.1)

    def send() -> None:
        os.kill(os.getpid(), number)
        while not is_over.wait(AGAIN):  # What Python ran when it came may have caught what the handler raised.
            state.counts["signals sent again"] += 1
            os.kill(os.getpid(), number)

    sender = threading.Timer(delay, send)
    sender.start()
    try:
        kernel(np.zeros(2), timeout=CHILD_SECONDS)
    except raised:
        return
    finally:
        is_over.set()
        sender.join()
        signal.signal(signal.SIGALRM, old)
    raise AssertionError("a signal did not end a launch")


def forks(state: State, rng: random.Random) -> None:
    seed = rng.randrange(1 << 30)
    child = os.fork()
    if not child:
        signal.alarm(CHILD_SECONDS)
        status = 1
        try:
            own = random.Random(seed)
            for action in (*own.choices((compile_text, tensors, many_lanes), k=2), stopped):
                action(state, own)
            status = 7
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    same(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), 7, "the exit code of a child")


def disk(state: State, rng: random.Random) -> None:
    fault = rng.choice(("remove", "corrupt", "truncate", "read-only", "file", "full", "fresh"))
    folder = state.folder / "cache"
    files = [p for p in folder.rglob("*") if p.is_file()] if folder.is_dir() else []
    os.environ.pop("HOLOGRAM_CACHE_MEGABYTES", None)
    if fault == "remove":
        shutil.rmtree(folder, ignore_errors=True)
    elif fault in ("corrupt", "truncate"):
        for path in rng.sample(files, min(len(files), 5)):
            data = bytearray(path.read_bytes())
            data[len(data) // 2 :] = b"" if fault == "truncate" else bytes(len(data) - len(data) // 2)
            path.write_bytes(data)
    elif fault == "read-only" and folder.is_dir():
        folder.chmod(0o500)
    elif fault == "file":
        shutil.rmtree(folder, ignore_errors=True)
        folder.write_bytes(b"no folder")
    elif fault == "full":
        os.environ["HOLOGRAM_CACHE_MEGABYTES"] = "0"
    else:
        shutil.rmtree(folder, ignore_errors=True)
    compile_text(state, rng)
    if folder.is_dir():
        folder.chmod(0o700)
    elif folder.exists():
        folder.unlink()


ACTIONS = {
    compile_text: 8, tensors: 6, many_lanes: 3, stopped: 2, threads: 2, signals: 2, forks: 1, disk: 2,
}  # fmt: skip
"""The actions, and how often each is chosen."""
