"""Archives that were made without the device run on it, and nothing is compiled for them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hologram
from devices.columns import LOCAL, Column
from hologram.driver.archives.build import build
from hologram.driver.archives.verify import verify
from hologram.driver.source import Source
from hologram.errors import InputError, TrapError
from hologram.runtime.archive import Archive, save
from hologram.runtime.cache import cache_stats
from sample_archives import PROGRAMS

pytestmark = pytest.mark.device
KINDS = [column for column in LOCAL if column.kind not in ("cpu", "node")]


@pytest.fixture(scope="module")
def archive() -> Archive:
    """Compiled for the kinds of the devices here, as they are unless more is known of them."""
    sources = {name: Source("mlir", f"{name}.mlir", text.encode()) for name, text in PROGRAMS.items() if name != "add"}
    plain = Source("mlir", "add.mlir", PROGRAMS["add"].partition("func.func @add_f64")[0].encode())
    return build({"add": plain, **sources}, "cpu,opencl,vulkan,webgpu,wasm")


@pytest.fixture(scope="module")
def path(archive: Archive, tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("archive") / "x.holo"
    save(archive, place)
    assert verify(place).programs == 3
    return place


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_kernels_of_an_archive(column: Column, path: Path):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    before = cache_stats().compiled
    kernels = hologram.load(path, device=column.device, strict=True)
    x = np.random.default_rng(3).normal(size=(33, 65)).astype(np.float32)
    np.testing.assert_array_equal(kernels["add"](x[0], x[1]), x[0] + x[1])
    there = hologram.array(x, device=column.device)
    np.testing.assert_allclose(kernels["softmax"](there).numpy(), hologram.load(path)["softmax"](x), rtol=3e-6)
    values = np.array([7], np.int32)
    with pytest.raises(TrapError, match="division by zero"):
        kernels["divide"](values, 0)
    kernels["divide"](values, 2)
    assert values[0] == 3
    assert cache_stats().compiled == before


@pytest.mark.parametrize("column", KINDS, ids=lambda column: column.kind)
def test_a_target_that_is_missing(column: Column, archive: Archive, tmp_path: Path):
    if column.missing:
        pytest.skip(f"{column.kind}: {column.missing}")
    programs = [
        replace(program, codes=tuple(code for code in program.codes if code.target != column.kind))
        for program in archive.programs
    ]
    save(Archive(tuple(programs)), tmp_path / "x.holo")
    with pytest.raises(InputError, match=r"has no code of program 'add' that .* can run"):
        _ = hologram.load(tmp_path / "x.holo", device=column.device, strict=True)["add"]
    x = np.arange(5, dtype=np.float32)
    np.testing.assert_array_equal(hologram.load(tmp_path / "x.holo", device=column.device)["add"](x, x), 2 * x)
