"""The helper process: many requests, refusals, death, slowness, forks."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from hologram.errors import InternalError
from hologram.lowering.targets.objects.compile_helper import CompileHelper, HelperRefused

IR = "define ptx_kernel void @k(ptr %p) {\n  store i32 1, ptr %p\n  ret void\n}\n"
HEADER = {"triple": "nvptx64-nvidia-cuda", "cpu": "sm_80", "features": "+ptx71", "level": 3}


@pytest.fixture(name="helper")
def a_helper() -> Iterator[CompileHelper]:
    helper = CompileHelper()
    yield helper
    helper.close()


def test_one_process_serves_many_requests_of_many_threads(helper: CompileHelper):
    found: list[bytes] = []
    helper.request("assembly", HEADER, IR.encode())
    pid = helper.pid
    threads = [Thread(target=lambda: found.append(helper.request("assembly", HEADER, IR.encode()))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert len(set(found)) == 1
    assert b".entry k" in found[0]
    assert helper.pid == pid


def test_what_llvm_refuses_is_an_error_and_the_helper_lives(helper: CompileHelper):
    with pytest.raises(HelperRefused, match="LLVM refuses the IR"):
        helper.request("assembly", HEADER, b"define void @k( {")
    pid = helper.pid
    assert b".entry k" in helper.request("assembly", HEADER, IR.encode())
    assert helper.pid == pid


def test_a_death_is_an_error_with_a_file_and_the_next_request_works(helper: CompileHelper):
    with pytest.raises(InternalError, match="LLVM ERROR: no such thing") as caught:
        helper.request("die", HEADER, b"LLVM ERROR: no such thing")
    assert caught.value.code == "compile-helper-died"
    assert caught.value.hint is not None
    (kept,) = re.findall(r"\S+\.ll", caught.value.hint)
    assert Path(kept).read_bytes() == b"LLVM ERROR: no such thing"
    Path(kept).unlink()
    assert b".entry k" in helper.request("assembly", HEADER, IR.encode())


def test_a_real_death_of_llvm(helper: CompileHelper):
    """Code that NVPTX has no instruction for ends the process, or is refused: never this one's end."""
    fence = "void @llvm.x86.sse2.mfence()"
    text = f"declare {fence}\ndefine void @k() {{\n  call {fence}\n  ret void\n}}\n"
    with pytest.raises((InternalError, HelperRefused)):
        helper.request("assembly", HEADER, text.encode())
    assert b".entry k" in helper.request("assembly", HEADER, IR.encode())


def test_a_killed_helper_is_replaced(helper: CompileHelper):
    helper.request("assembly", HEADER, IR.encode())
    assert helper.pid is not None
    os.kill(helper.pid, 9)
    with contextlib.suppress(InternalError):  # It may be dying yet.
        helper.request("assembly", HEADER, IR.encode())
    assert b".entry k" in helper.request("assembly", HEADER, IR.encode())


def test_a_slow_helper_is_ended():
    helper = CompileHelper(seconds=0.02)
    with pytest.raises(InternalError, match=r"no answer within 0.02 seconds"):
        helper.request("sleep", HEADER, b"60")
    assert helper.pid is None


def test_a_child_starts_a_helper_of_its_own(helper: CompileHelper):
    helper.request("assembly", HEADER, IR.encode())
    child = os.fork()
    if child == 0:
        try:
            good = b".entry k" in helper.request("assembly", HEADER, IR.encode())
        except BaseException:
            good = False
        os._exit(0 if good else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert b".entry k" in helper.request("assembly", HEADER, IR.encode())
