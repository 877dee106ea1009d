"""Writes operations of the nvvm dialect as LLVM IR: as intrinsics, and as PTX in line where there is none.

Among them are the operations that matrix products on tensor cores need. The products have no intrinsic in LLVM and are
assembly.
"""

from __future__ import annotations

from typing import Any, cast

from xdsl.ir import Operation

from hologram.dialects.nvvm import REGISTERS
from hologram.lowering.targets.llvm.text.instructions import number
from hologram.lowering.targets.llvm.text.types import quoted
from hologram.lowering.targets.llvm.text.writer import INSTRUCTIONS, Writer

SYNCHRONOUS = ("convergent", "nounwind")
"""The attributes of a call that all lanes of a warp execute together."""


def _plain(name: str, intrinsic: str, result: str = "void", *more: str) -> None:
    """Have an operation written as the call of an intrinsic that takes its operands, and more behind them."""

    @INSTRUCTIONS.on(f"nvvm.{name}")
    def write(w: Writer, op: Operation, head: str) -> None:
        inside = ", ".join([*map(w.typed, op.operands), *more])
        w.lines.append(f"{head}call {result} @llvm.nvvm.{intrinsic}({inside})")


for _row in (
    ("barrier0", "barrier.cta.sync.aligned.all", "void", "i32 0"),
    ("exit", "exit"),
    ("mbarrier.init", "mbarrier.init.shared"),
    ("mbarrier.arrive", "mbarrier.arrive.scope.cta.space.cta", "i64", "i32 1"),
    ("mbarrier.arrive.expect_tx", "mbarrier.arrive.expect.tx.scope.cta.space.cta", "i64"),
    ("mbarrier.try_wait", "mbarrier.try.wait.parity.scope.cta.space.cta", "i1"),
    ("fence.mbarrier.init", "fence.mbarrier_init.release.cluster"),
    ("cp.async.bulk.commit.group", "cp.async.bulk.commit.group"),
    ("wgmma.fence.aligned", "wgmma.fence.sync.aligned"),
    ("wgmma.commit.group.sync.aligned", "wgmma.commit_group.sync.aligned"),
):
    _plain(*_row)


@INSTRUCTIONS.on("nvvm.barrier")
def _barrier(w: Writer, op: Operation, head: str) -> None:
    first, many, _ = cast("Any", op.properties["operandSegmentSizes"]).get_values()
    operands = w.listed(op.operands) if first else ", ".join(["i32 0", *(w.typed(v) for v in op.operands)])
    kind = "count" if many else "all"
    w.lines.append(f"{head}call void @llvm.nvvm.barrier.cta.sync.aligned.{kind}({operands})")


@INSTRUCTIONS.on("nvvm.shfl.sync")
def _shfl(w: Writer, op: Operation, head: str) -> None:
    kind: str = cast("Any", op.properties["kind"]).data
    type = w.types(op.results[0].type)
    word = {"i32": "i32", "float": "f32"}[type]
    w.lines.append(f"{head}call {type} @llvm.nvvm.shfl.sync.{kind}.{word}({w.listed(op.operands)})")


@INSTRUCTIONS.on("nvvm.fence.proxy")
def _fence_proxy(w: Writer, op: Operation, head: str) -> None:
    kind: str = cast("Any", op.properties["kind"]).data
    space = op.properties.get("space")
    word = kind if space is None else f"{kind}_{cast('Any', space).data}"
    w.lines.append(f"{head}call void @llvm.nvvm.fence.proxy.{word}()")


@INSTRUCTIONS.on("nvvm.setmaxregister")
def _set_max_register(w: Writer, op: Operation, head: str) -> None:
    way = "inc" if cast("Any", op.properties["action"]).data == "increase" else "dec"
    count = number(op.properties["regCount"])
    w.lines.append(f"{head}call void @llvm.nvvm.setmaxnreg.{way}.sync.aligned.u32(i32 {count})")


@INSTRUCTIONS.on("nvvm.cp.async.bulk.tensor.shared.cluster.global")
def _load_box(w: Writer, op: Operation, head: str) -> None:
    to, descriptor, *coordinates, barrier = op.operands
    inside = w.listed([to, barrier, descriptor, *coordinates])
    rank = len(coordinates)
    w.lines.append(
        f"{head}call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.{rank}d"
        f"({inside}, i16 0, i64 0, i1 false, i1 false, i32 0)"
    )


@INSTRUCTIONS.on("nvvm.cp.async.bulk.tensor.global.shared.cta")
def _store_box(w: Writer, op: Operation, head: str) -> None:
    descriptor, source, *coordinates = op.operands
    inside = w.listed([source, descriptor, *coordinates])
    name = f"@llvm.nvvm.cp.async.bulk.tensor.s2g.tile.{len(coordinates)}d"
    w.lines.append(f"{head}call void {name}({inside}, i64 0, i1 false)")


@INSTRUCTIONS.on("nvvm.cp.async.bulk.wait_group")
def _wait_copies(w: Writer, op: Operation, head: str) -> None:
    read = ".read" if "read" in op.properties else ""
    w.lines.append(f"{head}call void @llvm.nvvm.cp.async.bulk.wait.group{read}(i32 {number(op.properties['group'])})")


@INSTRUCTIONS.on("nvvm.wgmma.wait.group.sync.aligned")
def _wait_products(w: Writer, op: Operation, head: str) -> None:
    w.lines.append(f"{head}call void @llvm.nvvm.wgmma.wait_group.sync.aligned(i64 {number(op.properties['group'])})")


@INSTRUCTIONS.on("nvvm.stmatrix")
def _stmatrix(w: Writer, op: Operation, head: str) -> None:
    name = f"@llvm.nvvm.stmatrix.sync.aligned.m8n8.x{len(op.operands) - 1}.b16.p3"
    w.lines.append(f"{head}call void {name}({w.listed(op.operands)})")


@INSTRUCTIONS.on("nvvm.wgmma.mma_async")
def _mma(w: Writer, op: Operation, head: str) -> None:
    sums, *descriptors = op.operands
    type = w.types(sums.type)
    shape: tuple[int, int, int] = cast("Any", op.properties["shape"]).sizes()
    count = shape[1] // 2
    values: list[str] = []
    for n in range(count):
        name = w.fresh("sum")
        w.lines.append(f"  %{name} = extractvalue {type} {w.names[sums]}, {n}")
        values.append(f"float %{name}")
    arguments = ", ".join([*values, *(w.typed(v) for v in descriptors)])
    ties = ",".join(map(str, range(count)))
    constraints = f"{'=f,' * count}{ties},l,l,~{{memory}}"
    code = f'"{quoted(_mma_text(op, shape, count).encode())}"'
    group = w.shared.group(SYNCHRONOUS)
    w.lines.append(f'{head}call {type} asm sideeffect {code}, "{constraints}"({arguments}){group}')


def _mma_text(op: Operation, shape: tuple[int, int, int], count: int) -> str:
    """The instruction: outputs are $0 and on, the sums so far as many after them, then the descriptors."""
    word = {key: cast("Any", op.properties[key]).data for key in ("typeA", "typeB", "typeD", "layoutA", "layoutB")}
    scales = {key: cast("Any", op.properties[key]).data for key in ("scaleA", "scaleB", "scaleD")}
    m, n, k = shape
    name = f"wgmma.mma_async.sync.aligned.m{m}n{n}k{k}.{word['typeD']}.{word['typeA']}.{word['typeB']}"
    outputs = ", ".join(f"${i}" for i in range(count))
    signs = ["1" if scales[key] == "one" else "-1" for key in ("scaleA", "scaleB")]
    if word["typeA"] in ("f16", "bf16"):
        signs += [str(int(word["layoutA"] == "col")), str(int(word["layoutB"] == "row"))]
    test = "eq" if scales["scaleD"] == "one" else "ne"
    predicate = f".reg .pred p; setp.{test}.b32 p, 0, 0;"
    rest = ", ".join([f"${2 * count}", f"${2 * count + 1}", "p", *signs])
    return f"{{{predicate} {name} {{{outputs}}}, {rest};}}"


_NO_INTRINSIC = {"dynamic.smem.size", "total.smem.size"}
"""Registers that LLVM 22 has no intrinsic for."""


@INSTRUCTIONS.on(*REGISTERS.values())
def _register(w: Writer, op: Operation, head: str) -> None:
    given: Any = op.properties.get("range")
    kind = w.types(op.results[0].type)
    if (name := op.name.removeprefix("nvvm.read.ptx.sreg.")) in _NO_INTRINSIC:
        text = f"mov.u32 $0, %{name.replace('.', '_')};"
        return w.lines.append(f'{head}call {kind} asm "{text}", "=r"()')
    bounds = "" if given is None else f"range({w.types(given.type)} {given.lower.data}, {given.upper.data}) "
    w.lines.append(f"{head}call {bounds}{kind} @llvm.{op.name}()")
