"""Equal programs from different sources share their code, and nothing else does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from xdsl.dialects.builtin import ModuleOp

import hologram
from hologram.dialects import make_context
from hologram.driver import graph
from hologram.driver.canonical import module_digest
from hologram.driver.source import Source, read_source
from hologram.driver.targets import CPU
from hologram.lowering.pipelines.pipelines import run_pipeline
from hologram.runtime import cache as caches
from hologram.runtime.cache import CacheStats

PLAIN = """
func.func @main(%a: tensor<?xf32>, %b: tensor<?xf32>) -> tensor<?xf32> {
  %0 = hologram.add %a, %b : tensor<?xf32>
  %1 = hologram.mul %0, %b : tensor<?xf32>
  func.return %1 : tensor<?xf32>
}
"""
COMMENTED = """// What it does.


func.func @main(%a : tensor<?xf32>,
                %b : tensor<?xf32>) -> tensor<?xf32> {
  %between = hologram.add %a, %b : tensor<?xf32> // a comment
  %1 = "hologram.mul"(%between, %b) : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>

  func.return %1 : tensor<?xf32>
}
"""
TRAPPING = """
func.func @main(%a: tensor<?xi32>, %b: tensor<?xi32>) -> tensor<?xi32> {
  %0 = hologram.div %a, %b : tensor<?xi32>
  func.return %0 : tensor<?xi32>
}
"""
A = np.arange(4, dtype=np.float32)


@pytest.fixture(autouse=True)
def stats(monkeypatch: pytest.MonkeyPatch) -> CacheStats:
    fresh = CacheStats()
    monkeypatch.setattr(caches, "STATS", fresh)
    monkeypatch.setattr(graph, "STATS", fresh)
    return fresh


def divided_by_zero(source: ModuleOp) -> str:
    with pytest.raises(hologram.TrapError) as caught:
        hologram.compile(source)(np.ones(2, np.int32), np.zeros(2, np.int32))
    assert caught.value.where is not None
    return f"{caught.value.where.file}:{caught.value.where.line}"


def test_modules_with_other_places_are_other_programs():
    for name, text in (("one.mlir", TRAPPING), ("two.mlir", "\n\n" + TRAPPING)):
        module = Source("mlir", name, text.encode()).read(make_context())
        assert divided_by_zero(module) == f"{name}:{3 + 2 * (name == 'two.mlir')}"


def test_a_module_that_is_changed_later_is_compiled_as_it_was():
    module = read_source(PLAIN).read(make_context())
    kernel = hologram.compile(module)
    module.body.block.ops.first.detach()  # pyright: ignore[reportOptionalMemberAccess]
    np.testing.assert_array_equal(kernel(A[::2], A[::2]), 2 * A[::2] * A[::2])


def digest(text: str, places: bool = False) -> str:
    ctx = make_context()
    module = read_source(text).read(ctx)
    run_pipeline(module, ctx, CPU.stages[:1])
    return module_digest(module, places=places)


def check(kernel: hologram.Kernel) -> None:
    np.testing.assert_array_equal(kernel(A, A + 1), (A + A + 1) * (A + 1))


# The caches


@pytest.mark.parametrize("forget", [False, True])
def test_equal_programs_share_code(stats: CacheStats, forget: bool):
    check(hologram.compile(PLAIN))
    if forget:
        graph.clear_memory()
    check(hologram.compile(COMMENTED))
    assert (stats.compiled, stats.equal_hits) == (1, 1)
    check(hologram.compile(COMMENTED))
    assert stats.memory_hits == 1
    graph.clear_memory()
    check(hologram.compile(COMMENTED))
    check(hologram.compile(PLAIN))
    assert (stats.compiled, stats.equal_hits, stats.disk_hits) == (1, 1, 1 + forget)


def test_one_object_on_disk(cache_dir: Path):
    hologram.compile(PLAIN)
    hologram.compile(COMMENTED)
    sizes = sorted(p.stat().st_size for p in cache_dir.rglob("*") if p.is_file())
    assert len(sizes) == 3
    assert sizes[0] == sizes[1] < 300 < sizes[2]


def test_a_lost_object_is_made_again(stats: CacheStats, cache_dir: Path):
    # The runtime's own object code, which is larger, is there before.
    hologram.compile(PLAIN, cache=False)
    stats.compiled = 0
    own = set(cache_dir.rglob("*"))
    hologram.compile(PLAIN)
    graph.clear_memory()
    made = {path for path in set(cache_dir.rglob("*")) - own if path.is_file()}
    max(made, key=lambda path: path.stat().st_size).unlink()
    check(hologram.compile(PLAIN))
    graph.clear_memory()
    check(hologram.compile(PLAIN))
    assert (stats.compiled, stats.disk_hits) == (2, 1)


def test_options_keep_programs_apart(stats: CacheStats):
    hologram.compile(PLAIN)
    check(hologram.compile(COMMENTED, opt_level=1))
    assert (stats.compiled, stats.equal_hits) == (2, 0)
    wide = np.arange(8, dtype=np.float32)
    np.testing.assert_array_equal(hologram.compile(PLAIN)(wide[::2], A), (wide[::2] + A) * A)
    assert stats.compiled == 3
    np.testing.assert_array_equal(hologram.compile(COMMENTED)(wide[::2], A), (wide[::2] + A) * A)
    assert (stats.compiled, stats.equal_hits) == (3, 2)


def test_names_of_arguments_are_the_programs_own(stats: CacheStats):
    hologram.compile(PLAIN)
    other = hologram.compile(PLAIN.replace("%a", "%left"))
    assert other.signature.startswith("main(left: f32[?], b: f32[?])")
    named = hologram.compile(PLAIN.replace("%1", "%total"))
    assert named.signature.endswith("(total: f32[?])")
    assert stats.compiled == 3


def fails_at(kernel: hologram.Kernel) -> int:
    with pytest.raises(hologram.TrapError) as caught:
        kernel(np.ones(3, np.int32), np.zeros(3, np.int32))
    assert caught.value.where is not None
    return caught.value.where.line


def test_traps_tell_their_own_places(stats: CacheStats):
    assert fails_at(hologram.compile(TRAPPING)) == 3
    assert fails_at(hologram.compile(f"\n\n{TRAPPING}")) == 5
    assert (stats.compiled, stats.equal_hits) == (2, 0)
    assert fails_at(hologram.compile(f"{TRAPPING}// the end\n")) == 3
    assert (stats.compiled, stats.equal_hits) == (2, 1)
    graph.clear_memory()
    assert fails_at(hologram.compile(f"\n\n{TRAPPING}// again\n")) == 5
    assert (stats.compiled, stats.equal_hits) == (2, 2)


def test_traps_tell_their_own_file(stats: CacheStats, tmp_path: Path):
    for name in ("one.mlir", "two.mlir"):
        (tmp_path / name).write_text(TRAPPING)
        with pytest.raises(hologram.TrapError) as caught:
            hologram.compile(tmp_path / name)(np.ones(3, np.int32), np.zeros(3, np.int32))
        assert caught.value.where is not None
        assert Path(caught.value.where.file).name == name
    assert stats.compiled == 2


# The digest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("hologram.mul", "hologram.sub"),
        ("%a, %b : tensor", "%b, %a : tensor"),
        ("f32", "f64"),
        ("tensor<?xf32>", "tensor<4xf32>"),
        ("@main", "@other"),
        ("%0, %b", "%0, %0"),
        ("%0, %b", "%0, %a"),
        ("return %1", "return %0"),
        ("func.func @", "func.func private @"),
        (" {\n  %0", " attributes {x = 1 : i32} {\n  %0"),
    ],
)
def test_what_differs_differs(old: str, new: str):
    assert old in PLAIN
    assert digest(PLAIN.replace(old, new)) != digest(PLAIN)


def test_constants_differ():
    text = """func.func @main() -> tensor<2xf32> {{
  %0 = hologram.constant dense<[1.0, {0}]> : tensor<2xf32>
  func.return %0 : tensor<2xf32>
}}
"""
    assert digest(text.format("2.0")) == digest(text.format("2.000"))
    assert len({digest(text.format(n)) for n in ("0.0", "-0.0", "1.0", "0x7FC00000", "0x7FC00001")}) == 5


def test_control_flow_is_part_of_it():
    text = """func.func @main(%a: memref<f32>, %x: f32, %c: i1) {{
  cf.cond_br %c, ^{0}, ^{1}
^one:
  memref.store %x, %a[] : memref<f32>
  cf.br ^two
^two:
  func.return
}}
"""
    assert len({digest(text.format(*order)) for order in (("one", "two"), ("two", "one"), ("two", "two"))}) == 3
    renamed = text.replace("^one", "^first").format("first", "two")
    assert digest(renamed) == digest(text.format("one", "two"))


def test_places():
    assert digest(PLAIN) == digest(f"\n{PLAIN}")
    assert digest(PLAIN, places=True) != digest(f"\n{PLAIN}", places=True)
    assert digest(PLAIN, places=True) == digest(f"{PLAIN}\n", places=True)
