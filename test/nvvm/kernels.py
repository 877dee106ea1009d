"""Flat kernels in text, and what becomes of them."""

from __future__ import annotations

from xdsl.dialects.builtin import ModuleOp

from hologram.dialects import gpu, make_context
from hologram.dialects.mlir_parser import parse_module
from hologram.lowering.rewriting.convert_scf_to_cf import ConvertScfToCfPass
from hologram.lowering.targets.ptx.convert_gpu_to_nvvm import ConvertGpuToNVVMPass
from hologram.lowering.targets.ptx.ptx import to_ptx
from in_process import opt

Arguments = dict[str, str]
"""The names of a kernel's arguments, and their types."""

INDICES = """
  %t = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
  %i = "gpu.global_id"() <{dimension = #gpu<dim x>}> : () -> index
"""


def kernel(
    body: str, arguments: Arguments, *, shared: Arguments | None = None, block: int | None = 64, rest: str = ""
) -> str:
    """A module with the flat kernel `k`. Its body knows the lane `%t` of the block and `%i` of the grid."""
    shared = shared or {}
    types = ", ".join(arguments.values())
    names = ", ".join(f"%{name}: {type}" for name, type in {**arguments, **shared}.items())
    size = f", known_block_size = array<i32: {block}, 1, 1>" if block else ""
    own = f", workgroup_attributions = {len(shared)} : i64" if shared else ""
    return f"""
"gpu.module"() <{{sym_name = "m"}}> ({{
  "gpu.func"() <{{function_type = ({types}) -> (){size}}}> ({{
  ^bb0({names}):
    {INDICES}
    {body}
    "gpu.return"() : () -> ()
  }}) {{gpu.kernel, sym_name = "k"{own}}} : () -> ()
  {rest}
}}) : () -> ()
"""


def lower(text: str) -> ModuleOp:
    """The module with its device code in llvm and nvvm."""
    context = make_context()
    module = parse_module(text, "kernel", context)
    ConvertScfToCfPass().apply(context, module)
    ConvertGpuToNVVMPass().apply(context, module)
    module.verify()
    return module


def device_module(module: ModuleOp) -> gpu.ModuleOp:
    """The one gpu.module."""
    (found,) = [op for op in module.walk() if isinstance(op, gpu.ModuleOp)]
    return found


def ptx(text: str, architecture: str = "sm_90") -> str:
    """The PTX of a kernel."""
    return to_ptx(device_module(lower(text)), architecture)


def streams(type: str) -> str:
    """A map, a softmax and a sum of elements of a type, each a function."""
    return f"""
func.func @map(%x: tensor<?x{type}>, %y: tensor<?x{type}>) -> tensor<?x{type}> {{
  %r = hologram.add %x, %y : tensor<?x{type}>
  func.return %r : tensor<?x{type}>
}}
func.func @rows(%x: tensor<?x4096x{type}>) -> tensor<?x4096x{type}> {{
  %r = hologram.softmax %x {{axis = 1 : i64}} : tensor<?x4096x{type}>
  func.return %r : tensor<?x4096x{type}>
}}
func.func @total(%x: tensor<?x{type}>) -> tensor<{type}> {{
  %r = hologram.reduce sum %x {{axes = [0 : i64]}} : tensor<?x{type}> to tensor<{type}>
  func.return %r : tensor<{type}>
}}
"""


def streams_ptx(type: str, architecture: str) -> str:
    """The PTX of `streams`."""
    done = opt(
        streams(type), "-p", f"hologram-to-cuda{{to=device arch={architecture}}}", "-t", f"ptx{{arch={architecture}}}"
    )
    assert done.code == 0, done.errors
    return done.text
