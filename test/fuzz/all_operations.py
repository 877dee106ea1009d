"""All operations of random tensor programs, and those of `hologram.ops` that no program has, with the reason."""

from __future__ import annotations

from . import numpy_functions, numpy_structures
from .numpy_operations import OPERATIONS

MODULES = (numpy_functions, numpy_structures)
"""What these declare is in the table."""

ELSEWHERE = {
    "bernoulli bits choice exponential fold_in key normal permutation randint truncated_normal uniform":
        "random numbers are held against the generators' published numbers: test/tensors/test_random.py",
    "attention flash_attention batch_norm group_norm layer_scale rope kv_cache_update":
        "layers with shapes of their own: test/kernels/stdlib and test/tensors/test_ops.py",
    "binary_cross_entropy binary_cross_entropy_logits cross_entropy cross_entropy_logits":
        "losses need probabilities and labels: test/tensors/test_ops.py",
    "mixed_precision_gemm quantized_gemm sparse_gemm batched_gemm":
        "products with types and forms of their own: test/tensors/test_ops.py",
    "cholesky solve_triangular solve inv det slogdet qr eigh eigvalsh svd svdvals":
        "what they give is held by what it multiplies to: test/tensors/test_linalg.py",
    "nextafter": "its results are no numbers to go on with: test/tensors/test_finite.py",
    "vector_div": "another name of div, for vectors",
}  # fmt: skip
"""By operations, why they are not here."""

__all__ = ["ELSEWHERE", "OPERATIONS"]
