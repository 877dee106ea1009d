"""The kernel of matrix products on tensor cores: its operations, and the PTX that it becomes."""

from __future__ import annotations

import re

import pytest
from xdsl.dialects.builtin import ModuleOp
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.lowering.arithmetic.expand_narrow_floats import ExpandNarrowFloatsPass
from hologram.lowering.rewriting.convert_scf_to_cf import ConvertScfToCfPass
from hologram.lowering.schedules.simt.tensor_core import TileShape, kernel_module, kernel_name
from hologram.lowering.targets.ptx.convert_gpu_to_nvvm import ConvertGpuToNVVMPass
from hologram.lowering.targets.ptx.ptx import to_ptx
from nvvm.kernels import device_module

SMALL = TileShape(64)


def module_of(shape: TileShape) -> ModuleOp:
    """A module with the kernel of a shape."""
    return ModuleOp([kernel_module(kernel_name(shape), shape)])


def ptx_of(shape: TileShape) -> str:
    """The PTX of the kernel of a shape."""
    module = module_of(shape)
    context = make_context()
    ExpandNarrowFloatsPass().apply(context, module)
    ConvertScfToCfPass().apply(context, module)
    ConvertGpuToNVVMPass().apply(context, module)
    module.verify()
    return to_ptx(device_module(module), "sm_90a")


def test_the_kernel_can_be_written_and_read():
    module = module_of(SMALL)
    module.verify()
    again = Parser(make_context(), str(module)).parse_module()
    again.verify()
    assert again.is_structurally_equivalent(module)


def test_the_loop_of_products():
    text = ptx_of(SMALL)
    loop = text[text.index("wgmma.fence") : text.index("wgmma.wait_group.sync.aligned \t1")]
    # 64 of k a stage, 16 an instruction, no copy of a sum between them.
    assert len(re.findall(r"wgmma\.mma_async\.sync\.aligned\.m64n64k16\.f32\.bf16\.bf16", loop)) == 4
    assert not re.search(r"\bmov\.(f32|b32)", loop)
    assert loop.count(", p, 1, 1, 0, 1;") == 4, "b is read down its columns"


def test_what_the_kernel_asks_for():
    text = ptx_of(SMALL)
    for part in (".reqntid 384", "setmaxnreg.dec.sync.aligned.u32 \t24", "setmaxnreg.inc.sync.aligned.u32 \t240"):
        assert part in text
    assert len(re.findall(r"\.param \.align 64 \.b8 \w+\[128\]", text)) == 3
    assert "mbarrier.try_wait.parity" in text
    assert "cp.async.bulk.tensor.2d.shared::cluster.global" in text
    assert "cp.async.bulk.tensor.2d.global.shared::cta" in text
    assert "fence.proxy.async.shared::cta" in text
    assert text.count("cvt.rn.bf16x2.f32") == 16
    assert ".local" not in text, "nothing spills, and maps stay where they are"


@pytest.mark.parametrize("columns", [64, 128, 256])
@pytest.mark.parametrize("out", ["bf16", "f32"])
def test_shared_memory_is_enough(columns: int, out: str):
    shape = TileShape(columns, out=out)
    assert shape.shared_bytes <= 232_448, "what a block of sm_90 may have"
    assert shape.stages >= 4
    assert shape.stage_bytes % 1024 == 0
    assert shape.barriers_at % 8 == 0


def test_names_tell_kernels_apart():
    shapes = [TileShape(c, e, o, a, b, s) for c in (64, 256) for e, o in (("f16", "f16"), ("tf32", "f32"))
              for a in (False, True) for b in (False, True) for s in (1.0, -2.5, 0.1)]  # fmt: skip
    names = {kernel_name(shape) for shape in shapes}
    assert len(names) == len(shapes)
    assert all(re.fullmatch(r"\w+", name) for name in names)
