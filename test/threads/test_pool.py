"""The pool itself, in both forms: every part once, several callers, forks, signals, exits; each in a fresh process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from hologram.runtime.devices.cpu import pool as cpu_pool

pytestmark = pytest.mark.skipif(bool(cpu_pool.why_not()), reason="this system has no POSIX threads")

START = """
import ctypes, os, signal, sys, threading, time
import hologram
from hologram.runtime.devices.cpu import pool as cpu_pool
# A shell that starts the tests in the background lets them ignore it.
signal.signal(signal.SIGINT, signal.default_int_handler)
hologram.set_num_threads(4)
pool = cpu_pool.Pool(futex={futex})
pool.least = pool.share = pool.alarm = 0
pool.configure()
BODY = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)
RUN = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64, ctypes.c_int64)(pool.run)
import llvmlite.binding as llvm
from hologram.runtime.devices.cpu import device as cpu
from hologram.lowering.targets.objects.native import compile_ir
from hologram.support.host_target import host_target
CODE = '''
define void @count(ptr %context, i64 %begin, i64 %end) {{
  br label %head
head:
  %i = phi i64 [ %begin, %0 ], [ %next, %one ]
  %more = icmp slt i64 %i, %end
  br i1 %more, label %one, label %out
one:
  %place = getelementptr i64, ptr %context, i64 %i
  %old = atomicrmw add ptr %place, i64 1 monotonic
  %next = add i64 %i, 1
  br label %head
out:
  ret void
}}
define void @nested(ptr %context, i64 %begin, i64 %end) {{
  %run = load ptr, ptr %context
  %cells = getelementptr i64, ptr %context, i64 1
  br label %head
head:
  %i = phi i64 [ %begin, %0 ], [ %next, %one ]
  %more = icmp slt i64 %i, %end
  br i1 %more, label %one, label %out
one:
  call void %run(ptr @count, ptr %cells, i64 0, i64 64, i64 1000)
  %next = add i64 %i, 1
  br label %head
out:
  ret void
}}
define void @forever(ptr %context, i64 %begin, i64 %end) {{
  br label %again
again:
  %stop = load atomic i64, ptr %context monotonic, align 8
  %done = icmp ne i64 %stop, 0
  br i1 %done, label %out, label %again
out:
  ret void
}}
'''
names = ["count", "nested", "forever"]
module = cpu.load_with(compile_ir(CODE, host_target()).object, "test", {{}}, names)
count, nested, forever = (module.address(name) for name in names)

def cells(n):
    return (ctypes.c_int64 * n)()

def go(n, times=1):
    found = cells(n)
    for _ in range(times):
        RUN(count, found, 0, n, 1000)
    assert list(found) == [times] * n, list(found)
"""


def run(code: str, futex: bool, *, timeout: float = 60, ok: bool = True) -> str:
    """Runs `code` after the start in a new interpreter; what it prints."""
    text = START.format(futex=futex) + code
    done = subprocess.run([sys.executable, "-P", "-c", text], capture_output=True, text=True, timeout=timeout)
    assert not ok or done.returncode == 0, done.stderr
    return done.stdout


BOTH = pytest.mark.parametrize("futex", [True, False], ids=["futex", "mutex"])


@BOTH
def test_every_index_once(futex: bool):
    code = """
for n in (1, 2, 3, 7, 64, 1000, 4099):
    go(n, 50)
for pause in (0.0002, 0.001, 0.02):  # workers awake, falling asleep, asleep
    for _ in range(20):
        time.sleep(pause)
        go(100)
for threads in (1, 7, 2, 3, 4):
    hologram.set_num_threads(threads)
    pool.configure()
    go(1000, 50)
print(pool.workers)
pool.alarm = 1 << 40  # nothing is worth waking workers for
pool.configure()
for _ in range(20):
    time.sleep(0.002)
    go(1000)
"""
    assert run(code, futex) == "6\n"


@BOTH
def test_empty_and_whole_ranges_run_on_the_caller(futex: bool):
    code = """
go(0)
hologram.set_num_threads(1)
pool.configure()
go(1000)
hologram.set_num_threads(4)
pool.least = 1 << 40
pool.configure()
go(1000)
print(pool.workers)
pool.least = 1 << 62
pool.configure()
found = cells(4)
RUN(count, found, 0, 4, 1 << 62)  # the product does not fit: that much is shared
print(list(found), pool.workers)
"""
    assert run(code, futex) == "0\n[1, 1, 1, 1] 3\n"


@BOTH
def test_nested_and_several_callers(futex: bool):
    code = """
def nest():
    context = (ctypes.c_int64 * 65)()
    context[0] = pool.run
    RUN(nested, context, 0, 40, 1000)
    assert list(context)[1:] == [40] * 64, list(context)
def caller():
    for _ in range(50):
        go(500)
        nest()
threads = [threading.Thread(target=caller) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
print("ok")
"""
    assert run(code, futex) == "ok\n"


@BOTH
def test_fork(futex: bool):
    """A child begins without workers, whatever its parent's other threads were doing."""
    code = """
stop = cells(1)
busy = threading.Thread(target=lambda: RUN(forever, stop, 0, 4, 1000))
go(1000)
busy.start()
time.sleep(0.05)
for _ in range(3):
    child = os.fork()
    if child == 0:
        assert pool.workers == 0
        go(1000, 20)
        os._exit(7 if pool.workers == 3 else 1)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
stop[0] = 1
busy.join()
go(1000, 20)
"""
    assert run(code, futex) == "7\n7\n7\n"


@BOTH
def test_exit_with_work_in_flight(futex: bool):
    """A daemon thread's call, and idle workers, do not keep the interpreter from ending."""
    code = """
stop = cells(1)
threading.Thread(target=lambda: RUN(forever, stop, 0, 4, 1000), daemon=True).start()
time.sleep(0.05)
print("end", flush=True)
"""
    assert run(code, futex) == "end\n"


@BOTH
@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_interrupt(futex: bool):
    """Ctrl-C reaches the main thread, and no worker: it is raised when the call is over."""
    code = """
stop = cells(1)
go(1000)
def later():
    time.sleep(0.2)
    os.kill(os.getpid(), signal.SIGINT)
    time.sleep(0.2)
    stop[0] = 1
threading.Thread(target=later).start()
try:
    RUN(forever, stop, 0, 4, 1000)
    for _ in range(100):
        time.sleep(0.01)
    print("nothing")
except KeyboardInterrupt:
    print("interrupted", stop[0])
go(1000, 10)
"""
    assert run(code, futex) == "interrupted 1\n"


def test_workers_sleep_when_idle():
    """Spinning workers would take time from other libraries' threads: in half a second they use next to none."""
    code = """
go(1000, 100)
before = time.process_time()
time.sleep(0.5)
print(time.process_time() - before < 0.1)
"""
    assert run(code, futex=True) == "True\n"


def test_interrupted_program_ends():
    """A whole process with large calls in a loop ends soon after Ctrl-C."""
    code = START.format(futex=True) + "print('ready', flush=True)\nwhile True:\n    go(100_000)\n"
    process = subprocess.Popen([sys.executable, "-P", "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    time.sleep(0.2)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=60)
    assert b"KeyboardInterrupt" in errors


PLACES = """
def tasks():
    return set(map(int, os.listdir("/proc/self/task")))
def use(threads):
    hologram.set_num_threads(threads)
    pool.configure()
allowed = os.sched_getaffinity(0)
before = tasks()
"""
SEVERAL = pytest.mark.skipif(
    not cpu_pool.can_place() or len(os.sched_getaffinity(0)) < 2, reason="takes several processors of Linux"
)


@BOTH
@SEVERAL
def test_workers_keep_off_the_processor_of_their_caller(futex: bool):
    """Wherever the caller is moved; unless there are fewer processors than threads, or someone else placed them."""
    code = (
        PLACES
        + """
use(2)
go(1000)
(worker,) = tasks() - before
def mask():
    return os.sched_getaffinity(worker)
for here in sorted(allowed):
    for _ in range(1000):  # the system may move the caller in between
        os.sched_setaffinity(0, {here})
        os.sched_setaffinity(0, allowed)
        go(1000)
        if mask() == allowed - {here}:
            break
    else:
        print("no", here, mask())
use(len(allowed) + 1)
go(1000)
print(mask() == allowed, all(os.sched_getaffinity(task) == allowed for task in tasks() - before))
use(2)
go(1000)
print(len(allowed - mask()))
os.sched_setaffinity(worker, {min(allowed)})
for here in sorted(allowed):
    os.sched_setaffinity(0, {here})
    go(1000, 10)
print(mask() == {min(allowed)})
"""
    )
    assert run(code, futex) == "True True\n1\nTrue\n"
