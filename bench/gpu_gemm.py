"""Products on tensor cores beside cuBLAS: bursts of a few launches after a pause, before the card throttles."""

from __future__ import annotations

import statistics
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import hologram

SIZES = (4096, 8192)
SECONDS = 0.004
"""About what a burst takes."""
PAUSE = 0.1
"""Between bursts, so that the clock is not yet throttled."""
ASKED = 0.95
"""The required ratio of our rate to cuBLAS's."""


@dataclass(frozen=True)
class Product:
    """One type of factors: its program's type, the out's, and what of torch and numpy goes with them."""

    name: str
    element: str
    out: str
    torch: str
    attributes: str
    most: float
    """The relative error that is allowed of the whole product."""

    @property
    def text(self) -> str:
        """The program: b is given as n x k, as the library takes it best."""
        kinds = [f"memref<?x?x{t}>" for t in (self.element, self.element, self.out)]
        op = "gemm" if self.element == self.out else "mixed_precision_gemm"
        return f"""
func.func @product(%a: {kinds[0]}, %b: {kinds[1]}, %c: {kinds[2]}) {{
  atlas.{op} ins(%a, %b : {kinds[0]}, {kinds[1]}) outs(%c : {kinds[2]}) {{trans_b = 1 : i64{self.attributes}}}
  func.return
}}
"""


PRODUCTS = (
    Product("bf16", "bf16", "bf16", "bfloat16", "", 4e-3),
    Product("f16", "f16", "f16", "float16", "", 1e-3),
    Product("tf32", "f32", "f32", "float32", ", schedule = {tf32 = 1 : i64}", 2e-3),
    Product("fp8", "f8E4M3FN", "bf16", "float8_e4m3fn", "", 8e-3),
)


@dataclass
class Outcome:
    """One product at one size."""

    row: str
    device: str
    seconds: float
    peers: dict[str, float]
    teraflops: float
    ratio: float
    """cuBLAS's time over ours: the median of the pairs."""
    asked: list[str]
    missed: bool
    error: str = ""
    share: float | None = None


def measure(options: Namespace, torch: Any) -> dict[str, Any]:
    """The entry of this part."""
    torch.backends.cuda.matmul.allow_tf32 = True
    outcomes: list[Outcome] = []
    for product in PRODUCTS:
        for size in (256,) if options.tiny else SIZES:
            name = f"gemm-{product.name}-{size}"
            if options.only and not any(name.startswith(start) for start in options.only):
                continue
            sys.stderr.write(f"  {name}\n")
            try:
                outcome = row(torch, product, size, 5 if options.tiny else 9 if options.quick else 21)
            except Exception as error:  # The other rows are measured all the same.
                text = f"{type(error).__name__}: {error}"
                outcome = Outcome(name, "cuda", 0.0, {}, 0.0, 0.0, [], False, text)
            outcomes.append(outcome)
            sys.stderr.write(f"    {outcome.teraflops:.0f} TFLOP/s; {'; '.join(outcome.asked)}{outcome.error}\n")
    torch.backends.cuda.matmul.allow_tf32 = False
    failures = [f"{o.row}: {o.error}" for o in outcomes if o.error]
    return {"rows": [asdict(o) for o in outcomes], "failures": failures}


def row(torch: Any, product: Product, size: int, pairs: int) -> Outcome:
    """One product: its result against torch's, then pairs of bursts."""
    generator = torch.Generator(device="cuda").manual_seed(1)
    wide = [torch.randn(size, size, generator=generator, device="cuda") for _ in range(2)]
    a, b = (x.to(getattr(torch, product.torch)) for x in wide)
    theirs = library(torch, product, a, b)
    kernel: Any = hologram.compile(product.text, device="cuda")
    left, right = (hologram.array(to_numpy(torch, x), device="cuda") for x in (a, b))
    out = hologram.zeros((size, size), product.out, device="cuda")
    ours = lambda: kernel(left, right, out)  # noqa: E731
    ours()
    found = torch.from_numpy(out.numpy().astype("float32")).to("cuda")
    exact = a.float() @ b.float().t() if product.name != "tf32" else a.double() @ b.double().t()
    error = float((found.double() - exact.double()).norm() / exact.double().norm())
    if not error <= product.most:
        raise ValueError(f"the product is off by {error:.2g}, which is more than {product.most}")
    times: list[tuple[float, float]] = []
    count = max(2, round(SECONDS / library_burst(torch, theirs, 2)))
    for _ in range(pairs):
        times.append((burst(out.home, ours, count), library_burst(torch, theirs, count)))
    seconds, library_seconds = (statistics.median(t[n] for t in times) for n in (0, 1))
    ratio = statistics.median(theirs / ours for ours, theirs in times)
    asked = [f"{ASKED} of cuBLAS: {ratio:.3f}"]
    rate = 2 * size**3 / seconds / 1e12
    name = f"gemm-{product.name}-{size}"
    return Outcome(name, "cuda", seconds, {"torch": library_seconds}, rate, ratio, asked, ratio < ASKED)


def burst(device: Any, call: Callable[[], Any], count: int) -> float:
    """The device's seconds of a launch, of a few after a pause."""
    device.synchronize()
    time.sleep(PAUSE)
    start = device.record()
    for _ in range(count):
        call()
    end = device.record()
    end.wait()
    return end.elapsed(start) / count


def library_burst(torch: Any, call: Callable[[], Any], count: int) -> float:
    """The same of torch's calls, by its events."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    time.sleep(PAUSE)
    start.record()
    for _ in range(count):
        call()
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1e-3 / count


def library(torch: Any, product: Product, a: Any, b: Any) -> Callable[[], Any]:
    """The product by torch, which calls cuBLAS."""
    if product.name != "fp8":
        out = torch.empty(a.shape[0], b.shape[0], dtype=a.dtype, device="cuda")
        turned = b.t()
        return lambda: torch.mm(a, turned, out=out)
    one = torch.ones((), device="cuda")
    turned = b.t()
    options = {"scale_a": one, "scale_b": one, "out_dtype": torch.bfloat16, "use_fast_accum": True}
    return lambda: torch._scaled_mm(a, turned, **options)


def to_numpy(torch: Any, x: Any) -> Any:
    """A tensor's elements as an array, of types that torch does not give to numpy too."""
    import ml_dtypes

    others = {
        torch.bfloat16: (torch.int16, ml_dtypes.bfloat16),
        torch.float8_e4m3fn: (torch.int8, ml_dtypes.float8_e4m3fn),
    }
    if x.dtype not in others:
        return x.cpu().numpy()
    bits, kind = others[x.dtype]
    return x.view(bits).cpu().numpy().view(kind)
