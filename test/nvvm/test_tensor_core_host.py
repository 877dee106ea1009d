"""The host's part of products on tensor cores: which kernel is launched, and of what the driver is asked for maps."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass, field
from typing import Any

import pytest
from xdsl.parser import Parser

from hologram.dialects import make_context
from hologram.lowering.pipelines.output_forms import ObjectTarget
from hologram.lowering.pipelines.pass_runner import Hooks, PassRunner
from hologram.lowering.pipelines.pass_spec import parse_pipeline
from hologram.lowering.pipelines.pipelines import resolve
from hologram.lowering.schedules.simt.tensor_core import WarpGroupGemm
from hologram.runtime.devices.cpu import device as cpu

PROGRAM = """
func.func @product(%a: memref<?x?xbf16>, %b: memref<?x?xbf16>, %c: memref<?x?xbf16>) {
  atlas.gemm ins(%a, %b : memref<?x?xbf16>, memref<?x?xbf16>) outs(%c : memref<?x?xbf16>) {trans_b = 1 : i1}
  func.return
}
"""
# The device's code is text that nobody reads.
PASSES = (
    "hologram-to-cuda{from=shapes to=flat arch=sm_90a},gpu-module-to-binary{format=mlir device=cuda},"
    "hologram-to-cuda{from=host to=llvm}"
)
TO_SM_90 = "hologram-to-cuda{from=shapes to=scheduled arch=sm_90}"
I32, I64, P = ctypes.c_int32, ctypes.c_int64, ctypes.c_void_p
ENCODE = ctypes.CFUNCTYPE(I32, P, I32, I32, P, P, P, P, P, I32, I32, I32, I32)
LAUNCH = ctypes.CFUNCTYPE(None, I64, I32, I64, I64, I64, I64, I64, I64, I64, P)


@dataclass
class Driver:
    """A driver that writes down what it is asked, and makes maps or does not."""

    status: int = 0
    maps: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    launches: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])

    def encode(self, *given: Any) -> int:
        """cuTensorMapEncodeTiled."""
        place, kind, rank, address, sizes, strides, box, steps, *flags = given
        self.maps.append(
            {
                "place": place, "kind": kind, "address": address, "flags": tuple(flags),
                "sizes": tuple((I64 * rank).from_address(sizes)), "stride": I64.from_address(strides).value,
                "box": tuple((I32 * rank).from_address(box)), "steps": tuple((I32 * rank).from_address(steps)),
            }
        )  # fmt: skip
        return self.status

    def launch(self, context: int, kernel: int, *given: Any) -> None:
        """hologram_device_launch."""
        *sizes, arguments = given
        pointers = (P * 6).from_address(arguments)
        self.launches.append({"kernel": kernel, "grid": sizes[0], "block": sizes[3], "arguments": list(pointers)})
        if sizes[3] == 384:
            self.launches[-1]["counts"] = tuple(I32.from_address(p).value for p in pointers[3:])


@pytest.fixture(name="driver", scope="module")
def a_driver() -> Driver:
    return Driver()


def _emit_nothing(_: WarpGroupGemm) -> None:
    return


@pytest.fixture(name="product", scope="module")
def a_product(driver: Driver) -> Any:
    module = Parser(make_context(), PROGRAM).parse_module()
    context = make_context()
    with pytest.MonkeyPatch.context() as patch:
        # Nobody runs the kernels.
        patch.setattr(WarpGroupGemm, "emit", _emit_nothing)
        PassRunner(context, Hooks(), False, False).run(module, resolve(parse_pipeline(PASSES, "here")))
    image = ObjectTarget(1).emit_binary(context, module)
    callbacks = {"cuTensorMapEncodeTiled": ENCODE(driver.encode), "hologram_device_launch": LAUNCH(driver.launch)}
    addresses = {name: ctypes.cast(f, P).value or 0 for name, f in callbacks.items()}
    loaded = cpu.load_with(image, "product", addresses, ["product"])
    function = ctypes.CFUNCTYPE(None, P, P, P, *[I64] * 6, P)(loaded.address("product"))
    record = (I64 * 8)()

    def run(m: int, n: int, k: int, status: int = 0) -> None:
        assert callbacks
        assert loaded
        driver.status = status
        driver.maps.clear()
        driver.launches.clear()
        function(1 << 20, 2 << 20, 3 << 20, m, k, n, k, m, n, ctypes.addressof(record))
        assert record[0] == 0

    return run


@pytest.mark.parametrize(
    ("sizes", "columns", "grid", "counts"),
    [
        ((4096, 4096, 4096), 256, 132, (32, 16, 64)),
        ((1920, 2048, 104), 256, 120, (15, 8, 2)),
        ((1024, 2000, 64), 128, 128, (8, 16, 1)),
        ((8, 8, 8), 64, 1, (1, 1, 1)),
    ],
)
def test_the_columns_of_a_tile_follow_the_number_of_tiles(
    product: Any, driver: Driver, sizes: tuple[int, int, int], columns: int, grid: int, counts: tuple[int, int, int]
):
    m, n, k = sizes
    product(m, n, k)
    (launch,) = driver.launches
    assert (launch["grid"], launch["block"], launch["counts"]) == (grid, 384, counts)
    a, b, out = driver.maps
    assert [x["place"] for x in driver.maps] == launch["arguments"][:3]
    assert all(x["place"] % 64 == 0 for x in driver.maps)
    assert (a["sizes"], a["stride"], a["box"]) == ((k, m), 2 * k, (64, 128))
    assert (b["sizes"], b["stride"], b["box"]) == ((k, n), 2 * k, (64, columns))
    assert (out["sizes"], out["stride"], out["box"]) == ((n, m), 2 * n, (64, 64))
    assert [x["address"] for x in driver.maps] == [1 << 20, 2 << 20, 3 << 20]
    assert {(x["kind"], x["flags"], x["steps"]) for x in driver.maps} == {(9, (0, 3, 3, 0), (1, 1))}


def test_what_has_no_maps_goes_through_tiles(product: Any, driver: Driver):
    product(4096, 4096, 4096, status=1)
    (launch,) = driver.launches
    assert len(driver.maps) == 3
    assert (launch["grid"], launch["block"]) == (32 * 32, 256)


def test_rows_of_no_whole_units_go_through_tiles(product: Any, driver: Driver):
    """Rows that are not whole units go through tiles, so that the driver is asked for nothing that it would refuse."""
    product(1920, 2047, 100)
    assert [x["block"] for x in driver.launches] == [256]
    assert all(x["stride"] % 16 == 0 and x["address"] % 16 == 0 for x in driver.maps)


def test_nothing_to_sum_up_is_asked_of_nobody(product: Any, driver: Driver):
    product(8, 8, 0)
    assert not driver.maps
    assert len(driver.launches) == 1


def test_what_an_architecture_has_alone_is_for_its_own_name_alone():
    module = Parser(make_context(), PROGRAM).parse_module()
    PassRunner(make_context(), Hooks(), False, False).run(module, resolve(parse_pipeline(TO_SM_90, "here")))
    assert "wgmma" not in str(module)


def test_sizes_past_32_bits_go_through_tiles(product: Any, driver: Driver):
    product(1, 1, 1 << 31)
    assert [x["block"] for x in driver.launches] == [256]


def test_sizes_that_are_known_to_have_no_maps_go_through_tiles():
    """An empty array of a static shape."""
    text = """
func.func @main(%a: memref<0x3xf16>, %b: memref<3x2xf16>, %c: memref<0x2xf16>) {
  atlas.gemm ins(%a, %b : memref<0x3xf16>, memref<3x2xf16>) outs(%c : memref<0x2xf16>)
  func.return
}"""
    module = Parser(make_context(), text).parse_module()
    pipeline = parse_pipeline("hologram-to-cuda{from=shapes to=scheduled arch=sm_90a}", "here")
    PassRunner(make_context(), Hooks(), False, False).run(module, resolve(pipeline))
    assert "wgmma" not in str(module)
