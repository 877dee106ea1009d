"""Every stage of every example can be resumed: by hologram-opt and hologram-run, always with the same result."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hologram
from hologram.driver import graph
from hologram.lowering.pipelines.pipelines import stages_for
from in_process import run_tool

ROOT = Path(__file__).resolve().parents[2]
STAGES = stages_for("cpu")
TEXTS = ["input", *[stage.name for stage in STAGES if not stage.emits]]
"""The dumped stages that are MLIR, in order."""

TRUSTED = TEXTS[1 + [stage.name for stage in STAGES].index("buffers") :]
"""The stages that our passes wrote at the kernel level, which resume without guards."""

Array = np.ndarray[Any, np.dtype[Any]]
Inputs = tuple[Any, ...]


def normal(*shape: int) -> Array:
    return np.random.default_rng(sum(shape)).standard_normal(shape, dtype=np.float32)


# Sizes that no vector width, tile or block divides.
INPUTS: dict[str, Callable[[], Inputs]] = {
    "block_sum": lambda: (normal(1000),),
    "fused_chain": lambda: (normal(1037), normal(1037) + 1, normal(1037) - 1),
    "layer_norm": lambda: (normal(11, 77), normal(77), normal(77) + 1),
    "matmul": lambda: (normal(37, 53), normal(53, 45), normal(45)),
    "saxpy": lambda: (np.float32(2.5), normal(1037), normal(1037) + 1),
    "softmax": lambda: (normal(11, 77),),
    "sum_of_squares": lambda: (normal(1037),),
}


SLOW = {"matmul", "layer_norm", "softmax"}
"""Examples whose lowering takes long: of their stages before LLVM the first and the middle one are run. The others give
the same texts of the next stages, as `test_opt_resumes` shows."""
# One worker takes all stages of an example, so that they are dumped once.
NAMES = [pytest.param(name, marks=pytest.mark.xdist_group(name)) for name in INPUTS]

RUN = [
    pytest.param(name, stage, marks=pytest.mark.xdist_group(name))
    for name in INPUTS
    for stage in [*TEXTS, *[stage.name for stage in STAGES if stage.emits]]
    if name not in SLOW or stage not in TEXTS[1:-1] or stage == "scheduled"
]


@pytest.fixture(scope="module", autouse=True)
def private_cache(tmp_path_factory: pytest.TempPathFactory):
    """Stages that print equal texts are compiled once, and nothing comes from an earlier run."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOLOGRAM_CACHE_DIR", str(tmp_path_factory.mktemp("cache")))
        patch.setenv("HOLOGRAM_ISOLATE", "never")
        graph.clear_memory()
        yield
        graph.clear_memory()


@pytest.fixture(scope="module")
def dumped(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The folder with the dumped stages of an example."""

    @cache
    def dump(name: str) -> Path:
        folder = tmp_path_factory.mktemp(name)
        args = [ROOT / f"examples/{name}.mlir", "-p", "hologram-to-cpu", "--dump-stages-to", folder, "-o", folder / "x"]
        outcome = run_tool("hologram-opt", args)
        assert outcome.code == 0, outcome.errors
        return folder

    return dump


def stage_file(folder: Path, stage: str) -> Path:
    (path,) = folder.glob(f"[0-9][0-9]-{stage}.*")
    return path


def text_of(path: Path) -> str:
    """The text of a stage without the comment that names its passes, and without places in the file that was read."""
    text = re.sub(r"\A// after stage .*\n", "", path.read_text())
    return re.sub(r"at \S+:\d+:\d+", "at PLACE", text)


def run(program: Path, inputs: Inputs, *, unsafe_memory: bool = False) -> Array:
    return np.asarray(hologram.compile(program, unsafe_memory=unsafe_memory)(*inputs))


def assert_same(found: Array, expected: Array) -> None:
    assert (found.shape, found.dtype) == (expected.shape, expected.dtype)
    assert found.tobytes() == expected.tobytes()


@cache
def expected(name: str) -> Array:
    """The results of the source."""
    return run(ROOT / f"examples/{name}.mlir", INPUTS[name]())


def test_every_example_is_here():
    assert {path.stem for path in (ROOT / "examples").glob("*.mlir")} == INPUTS.keys()


@pytest.mark.parametrize("name", NAMES)
def test_every_stage_is_dumped(name: str, dumped: Callable[[str], Path]):
    files = [path.name for path in sorted(dumped(name).glob("[0-9]*"))]
    rows = [("input", ".mlir"), *[(stage.name, stage.suffix) for stage in STAGES]]
    assert files == [f"{n:02d}-{stage}{suffix}" for n, (stage, suffix) in enumerate(rows)]


@pytest.mark.parametrize("stage", TEXTS)
@pytest.mark.parametrize("name", NAMES)
def test_opt_resumes(name: str, stage: str, dumped: Callable[[str], Path]):
    """One stage onward from its file gives the file of the next: so does, from any of them, all the rest. Where a pass
    follows the order of uses, which text doesn't have, the result of running it is the same."""
    folder = dumped(name)
    following = STAGES[TEXTS.index(stage)]
    target = folder / f"resumed{following.suffix}"
    step = ["-p", f"hologram-to-cpu{{from={following.name} to={following.name}}}"]
    outcome = run_tool(
        "hologram-opt", [stage_file(folder, stage), *(["-t", "llvm-ir"] if following.emits else step), "-o", target]
    )
    assert outcome.code == 0, outcome.errors
    if text_of(target) != text_of(stage_file(folder, following.name)):
        trusted = following.name in TRUSTED
        assert_same(run(target, INPUTS[name](), unsafe_memory=trusted), expected(name))


@pytest.mark.parametrize("stage", TEXTS)
def test_all_the_rest_resumes(stage: str, dumped: Callable[[str], Path], tmp_path: Path):
    """The whole rest of the pipeline at once, then the LLVM IR is run."""
    rest = ["-p", f"hologram-to-cpu{{from={STAGES[TEXTS.index(stage)].name}}}"] if stage != TEXTS[-1] else []
    target = tmp_path / "resumed.ll"
    outcome = run_tool("hologram-opt", [stage_file(dumped("saxpy"), stage), *rest, "-t", "llvm-ir", "-o", target])
    assert outcome.code == 0, outcome.errors
    assert_same(run(target, INPUTS["saxpy"]()), expected("saxpy"))


@pytest.mark.parametrize(("name", "stage"), RUN)
def test_run_resumes(name: str, stage: str, dumped: Callable[[str], Path], tmp_path: Path):
    """`hologram-run` on each file, whatever its form; for LLVM IR, assembly and objects nothing is lowered any more."""
    files: list[str | Path] = []
    for n, value in enumerate(INPUTS[name]()):
        np.save(tmp_path / f"{n}.npy", value)
        files += ["--input", tmp_path / f"{n}.npy"] if np.ndim(value) else ["--arg", str(value)]
    out = tmp_path / "out.npy"
    trust = ["--unsafe-memory"] if stage in TRUSTED else []
    outcome = run_tool("hologram-run", [*trust, stage_file(dumped(name), stage), *files, "--output", out])
    assert outcome.code == 0, outcome.errors
    assert_same(np.load(out), expected(name))
