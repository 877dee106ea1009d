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
    """The versions of the packages that are measured, by name."""
    return {"torch": torch.__version__}


def start(threads: int) -> None:
    """Set the number of threads within one operation."""
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
    """Return whether the machine has the C++ compiler that torch.compile needs."""
    return bool(shutil.which("g++") or shutil.which("clang++"))


compiled_before: dict[str, Any] = {}


def build(kind: str, inputs: list[Array], out: Array) -> list[Variant]:
    """Return the operations one by one, and fused by torch.compile, which needs a C++ compiler."""
    if kind in EXTENSIONS:
        return [EXTENSIONS[kind](inputs, out)]
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


def fft(inputs: list[Array], out: Array) -> Variant:
    """The Fourier transform; complex numbers are pairs of floats, as in our rows."""
    x, y = (torch.view_as_complex(torch.from_numpy(a)) for a in (inputs[0], out))
    return Variant("torch.fft.fft(x, out=y)", "fft(x, out=y)", {"fft": torch.fft.fft, "x": x, "y": y})


def sparse_gemm(inputs: list[Array], out: Array) -> Variant:
    """A product with a matrix of compressed rows, in the format that torch expects."""
    values, column, starts, right = map(torch.from_numpy, inputs)
    left = torch.sparse_csr_tensor(starts, column, values, (len(starts) - 1, len(right)), check_invariants=True)
    names = {"mm": torch.mm, "left": left, "right": right, "out": torch.from_numpy(out)}
    return Variant("torch.mm(left, right, out=out)", "mm(left, right, out=out)", names)


def conv2d(inputs: list[Array], out: Array) -> Variant:
    """A convolution whose image is padded by half of the kernel."""
    image, weights = map(torch.from_numpy, inputs)
    arguments = cases.convolution_of(inputs[0].shape, inputs[1].shape, out.shape)
    names = {"conv2d": torch.conv2d, "image": image, "weights": weights, **arguments}
    call = "conv2d(image, weights, None, stride, padding)"
    return Variant(f"torch.{call}", f"r = {call}", names, result=torch.Tensor.numpy)


def attention(inputs: list[Array], out: Array, *, causal: bool = False) -> Variant:
    """Attention; torch has one function for both forms."""
    q, k, v = map(torch.from_numpy, inputs)
    function = torch.nn.functional.scaled_dot_product_attention
    names = {"attention": function, "q": q, "k": k, "v": v, "causal": causal}
    statement = "r = attention(q, k, v, is_causal=causal)"
    return Variant("scaled_dot_product_attention", statement, names, result=torch.Tensor.numpy)


def causal_attention(inputs: list[Array], out: Array) -> Variant:
    return attention(inputs, out, causal=True)


EXTENSIONS = {
    "fft": fft,
    "sparse_gemm": sparse_gemm,
    "conv2d": conv2d,
    "attention": attention,
    "attention_causal": causal_attention,
    "flash_attention": attention,
}


def compile_chain(text: str, folder: str | None) -> None:
    """Compile a new function by torch.compile; its cache on disk is in `folder`, or is not used."""
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
