"""Linear algebra: products of matrices and of tensors, systems of linear equations, decompositions of matrices.

The algorithms are loops over whole tensors: each step works on all matrices of a batch at once. Numbers are computed in
f32 at least and rounded once; integers give f64, f32 where the device has no f64.
"""

from __future__ import annotations

from typing import NoReturn

from hologram.errors import missing_name
from hologram.frontend.tensors.ops.linalg.reflections import qr as qr
from hologram.frontend.tensors.ops.linalg.rotations import eigh as eigh
from hologram.frontend.tensors.ops.linalg.rotations import eigvalsh as eigvalsh
from hologram.frontend.tensors.ops.linalg.rotations import svd as svd
from hologram.frontend.tensors.ops.linalg.rotations import svdvals as svdvals
from hologram.frontend.tensors.ops.linalg.systems import det as det
from hologram.frontend.tensors.ops.linalg.systems import inv as inv
from hologram.frontend.tensors.ops.linalg.systems import slogdet as slogdet
from hologram.frontend.tensors.ops.linalg.systems import solve as solve
from hologram.frontend.tensors.ops.linalg.triangles import cholesky as cholesky
from hologram.frontend.tensors.ops.linalg.triangles import solve_triangular as solve_triangular
from hologram.frontend.tensors.ops.products import batched_gemm as batched_gemm
from hologram.frontend.tensors.ops.products import bmm as bmm
from hologram.frontend.tensors.ops.products import dot as dot
from hologram.frontend.tensors.ops.products import gemm as gemm
from hologram.frontend.tensors.ops.products import matmul as matmul
from hologram.frontend.tensors.ops.products import matvec as matvec
from hologram.frontend.tensors.ops.products import mixed_precision_gemm as mixed_precision_gemm
from hologram.frontend.tensors.ops.products import outer as outer
from hologram.frontend.tensors.ops.products import quantized_gemm as quantized_gemm
from hologram.frontend.tensors.ops.products import sparse_gemm as sparse_gemm
from hologram.frontend.tensors.ops.products import tensor_contract as tensor_contract
from hologram.frontend.tensors.trace.support import is_operation

ELSEWHERE = ("cross", "diagonal", "tensordot", "trace")
"""Functions of numpy.linalg that other groups have."""


def __getattr__(name: str) -> NoReturn:
    hint = f"write hologram.ops.{name}" if name in ELSEWHERE else None
    raise missing_name("hologram.ops.linalg", name, [n for n, value in globals().items() if is_operation(value)], hint)
