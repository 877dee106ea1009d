"""What functions of numpy, jax.numpy and torch are called here, where that differs."""

from __future__ import annotations

from collections.abc import Collection, Mapping

NAMES = {
    "PRNGKey": "key", "absolute": "abs", "add.accumulate": "cumsum", "add.reduce": "sum", "amax": "max", "amin": "min",
    "argpartition": "argsort", "argwhere": "nonzero", "around": "round", "array": "constant", "asarray": "constant",
    "avg_pool": "avg_pool2d", "bitcast_convert_type": "bitcast", "bitwise_invert": "invert",
    "bitwise_left_shift": "shift_left", "bitwise_not": "invert", "bitwise_right_shift": "shift_right",
    "bucketize": "searchsorted", "cat": "concat", "chunk": "split", "clip": "clamp", "column_stack": "stack",
    "concatenate": "concat", "cumulative_prod": "cumprod", "cumulative_sum": "cumsum", "divide": "div",
    "dstack": "stack", "empty": "zeros", "empty_like": "fill", "eq": "equal", "fabs": "abs", "fix": "trunc",
    "flatnonzero": "nonzero", "float_power": "pow", "fmax": "maximum", "fmin": "minimum", "fmod": "rem",
    "full_like": "fill", "ge": "greater_equal", "gt": "greater", "histogram_bin_edges": "histogram", "hstack": "concat",
    "identity": "eye", "index_add": "scatter_add", "index_select": "gather", "integers": "randint", "inverse": "inv",
    "le": "less_equal", "logdet": "slogdet", "logical_and": "bit_and", "logical_not": "invert", "logical_or": "bit_or",
    "logical_xor": "bit_xor", "lt": "less", "matrix_transpose": "transpose", "max_pool": "max_pool2d",
    "maximum.reduce": "max", "minimum.reduce": "min", "mm": "matmul", "movedim": "moveaxis", "msort": "sort",
    "multiply.accumulate": "cumprod", "multiply.reduce": "prod", "mv": "matvec", "ne": "not_equal", "ones_like": "fill",
    "partition": "sort", "percentile": "quantile", "permute_dims": "permute", "put": "scatter", "rand": "uniform",
    "randn": "normal", "random_sample": "uniform", "randperm": "permutation", "shl": "shift_left", "shr": "shift_right",
    "shuffle": "permutation", "standard_exponential": "exponential", "standard_normal": "normal", "take": "gather",
    "triangular_solve": "solve_triangular", "unsqueeze": "expand_dims", "vecdot": "vdot", "view": "reshape",
    "vstack": "concat", "zeros_like": "fill",
}  # fmt: skip
"""The names of `hologram.ops` by those of others."""
OF_TENSORS = ("shape", "ndim", "size", "ravel", "astype")
"""What a tensor says of itself."""


def counterpart(name: str, known: Collection[str], ufuncs: Mapping[str, str]) -> str | None:
    """What is written for a function of another library; None where there is nothing near.

    `known` are the functions of `hologram.ops`, `ufuncs` their names by those of numpy's functions of elements.
    """
    if name in OF_TENSORS:
        return f"x.{name}"
    word = ufuncs.get(name) or NAMES.get(name) or (name if name in known else None)
    return f"hologram.ops.{word}" if word else None
