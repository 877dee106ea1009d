"""torch on the CPU: its operations into tensors that exist where they allow it, and torch.compile where that fuses."""

from __future__ import annotations

import os
import shutil
import time
from importlib import import_module
from typing import Any

import cases
from cases import Array
from worker import Unavailable, Variant

torch: Any = import_module("torch")
aten: Any = torch.ops.aten


def versions() -> dict[str, str]:
    """What is measured."""
    return {"torch": torch.__version__}


def start(threads: int) -> None:
    """Threads within one operation."""
    torch.set_num_threads(threads)
    torch.set_grad_enabled(False)


def chain(a: Any, b: Any, c: Any) -> Any:
    return torch.relu(a * b + c)


def gelu(x: Any) -> Any:
    return torch.nn.functional.gelu(x)


def softmax(x: Any) -> Any:
    return torch.softmax(x, 1)


def layer_norm(x: Any, gamma: Any, beta: Any) -> Any:
    return torch.nn.functional.layer_norm(x, x.shape[1:], gamma, beta, cases.EPSILON)


FUSED = {"chain": chain, "gelu": gelu, "softmax": softmax, "layer_norm": layer_norm}
EAGER = {
    "add": "torch.add(x0, x1, out=out)",
    "chain": "torch.addcmul(x2, x0, x1, out=out).relu_()",
    "sum": "torch.sum(x0, 0, out=out)",
    "exp": "torch.exp(x0, out=out)",
    "tanh": "torch.tanh(x0, out=out)",
    "gelu": "aten.gelu.out(x0, approximate='none', out=out)",
    "softmax": "torch.softmax(x0, 1, out=out)",
    "layer_norm": "r = torch.nn.functional.layer_norm(x0, shape, x1, x2, epsilon)",
    "transpose": "out.copy_(x0.T)",
    "gemm": "torch.mm(x0, x1, out=out)",
}


def can_compile() -> bool:
    """Whether there is the C++ compiler that torch.compile needs."""
    return bool(shutil.which("g++") or shutil.which("clang++"))


compiled_before: dict[str, Any] = {}


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """The operations as they are, and fused by torch.compile, which needs a C++ compiler."""
    arguments: dict[str, Any] = {f"x{i}": torch.from_numpy(x) for i, x in enumerate(inputs)}
    names = {"torch": torch, "aten": aten, "out": torch.from_numpy(out), "epsilon": cases.EPSILON, **arguments}
    names["shape"] = inputs[0].shape[1:]
    made = [Variant(EAGER[kind], EAGER[kind], names)]
    if kind in FUSED and can_compile():
        if kind not in compiled_before:
            compiled_before[kind] = torch.compile(FUSED[kind])
        names = {"f": compiled_before[kind], **arguments}
        made.append(Variant("torch.compile", f"r = f({', '.join(arguments)})", names))
    return made


def compile_chain(text: str, folder: str | None) -> None:
    """torch.compile of a new function; what it keeps on disk comes from `folder` or does not fit."""
    if not can_compile():
        raise Unavailable("torch.compile needs a C++ compiler")
    config: Any = import_module("torch._inductor.config")
    torch.compiler.reset()
    if folder is not None:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        compile_and_run(0.0)
        return
    # Another constant each time: compiled C++ is found again by its text.
    with config.patch(fx_graph_cache=False):
        compile_and_run(time.time_ns() % 10**9 * 1e-30)


def compile_and_run(least: float) -> None:
    def function(a: Any, b: Any, c: Any) -> Any:
        return torch.clamp_min(a * b + c, least)

    x = torch.ones(1024)
    assert torch.compile(function)(x, x, x)[0] == 2
