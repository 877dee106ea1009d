"""The archive of the whole library: built for three targets without their devices, known again, loaded."""

from __future__ import annotations

import re
from pathlib import Path
from time import perf_counter

import numpy as np
import pytest

import hologram
from hologram.driver.archives.verify import verify
from hologram.kernels import stdlib
from hologram.runtime import archive
from in_process import run_tool
from machine_speed import allowed

LIBRARY = stdlib.ROOT.parent


@pytest.mark.slow
def test_the_archive_of_the_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """`make programs`; what it takes on a quiet machine stands in docs/compiling-ahead.mdx."""
    monkeypatch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path / "cache"))
    words = [LIBRARY, "--target", "cpu,sm_90,webgpu", "-j", "2", "--stats"]
    first = run_tool("hologram-compile", [*words, "-o", "first.holo"], cwd=tmp_path)
    assert first.code == 0, first.errors
    start = perf_counter()
    second = run_tool("hologram-compile", [*words, "-o", "second.holo"], cwd=tmp_path)
    assert perf_counter() - start < allowed(2)
    counts = re.search(r"^(\d+) files, 0 compiled, (\d+) unchanged", second.errors)
    assert counts is not None
    assert int(counts[1]) == int(counts[2]) > 100
    assert (tmp_path / "first.holo").read_bytes() == (tmp_path / "second.holo").read_bytes()
    checked = verify(tmp_path / "first.holo")
    assert checked.codes == 3 * checked.programs
    assert archive.open(tmp_path / "first.holo").manifest.targets == ("cpu", "sm_90", "webgpu")
    kernels = hologram.load(tmp_path / "first.holo", strict=True)
    assert all(kernels[name].signature for name in kernels)
    a, c = np.arange(5, dtype=np.float32), np.zeros(5, np.float32)
    kernels["vector_add"](a, a, c)
    assert list(c) == [0, 2, 4, 6, 8]
