"""The operations that the specification names, with the kernels that compute them."""

from __future__ import annotations

from dataclasses import dataclass

from hologram.dialects.atlas.instructions.table import INSTRUCTIONS


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation that the specification names."""

    place: str
    """Where it is named."""
    name: str
    kernels: tuple[str, ...]
    """What computes it: the first one alone, the others in other forms."""
    reason: str = ""
    """Why it has no kernel."""


def _rows(place: str, text: str) -> list[Operation]:
    """The operations of a place: `name=kernel+kernel`, or a name that its kernel has too."""
    operations: list[Operation] = []
    for word in text.split():
        name, _, kernels = word.partition("=")
        operations.append(Operation(place, name, tuple((kernels or name).split("+"))))
    return operations


def _devices(place: str, names: str) -> list[Operation]:
    """Operations that join several devices."""
    reason = "joins several devices: it is the runtime's, and no lane's"
    return [Operation(place, name, (), reason) for name in names.split()]


def _scalars(place: str) -> list[Operation]:
    """The scalar instructions, whose kernels their declarations name, but for those that are more than one instruction
    on each element or take operands of several kinds."""
    others = _rows(place, """
        mad=vector_mad clamp=vector_clamp lerp=vector_lerp shl=vector_shl shr=vector_shr mov=copy sel=vector_select
        cvt=vector_cast
        setcc=vector_equal+vector_not_equal+vector_less+vector_less_equal+vector_greater+vector_greater_equal
    """)  # fmt: skip
    named = {i.name: Operation(place, i.name, (i.kernel.rpartition("/")[2],)) for i in INSTRUCTIONS.values()}
    return [*(named | {o.name: o for o in others}).values()]


_LOSS = "{0}={0}+{0}_chunks+mean_of_chunks"

OPERATIONS = (
    *_rows("core.md, ops::math", """
        vector_add vector_sub vector_mul vector_div min=vector_min max=vector_max abs=vector_abs neg=vector_neg relu
    """),
    *_rows("core.md, ops::activation", "sigmoid tanh gelu softmax"),
    *_rows("core.md, ops::reduce", """
        sum=reduce_sum+reduce_sum_rows+reduce_sum_columns mean=reduce_mean+reduce_mean_rows+reduce_mean_columns
        min=reduce_min+reduce_min_rows+reduce_min_columns max=reduce_max+reduce_max_rows+reduce_max_columns
    """),
    *_rows("core.md, ops::loss", f"""
        {_LOSS.format("mse")} {_LOSS.format("cross_entropy")}+cross_entropy_logits
        {_LOSS.format("binary_cross_entropy")}+binary_cross_entropy_logits+binary_cross_entropy_logits_chunks
    """),
    *_rows("core.md, ops::linalg", "gemm matvec"),
    *_rows("core.md, ops::memory", "copy fill"),
    *_rows("core.md, Tensor", "select narrow transpose permute reshape matmul=gemm bmm=batched_gemm contiguous"),
    *_rows("core.md, LazyOp", "Add=vector_add Mul=vector_mul MatMul=gemm Reduce=reduce_sum Reshape=reshape"),
    *_rows("core.md, LazyOp", "Transpose=transpose"),
    *_rows("core.md, shape_rules", "broadcast_shapes=broadcast"),
    *_rows("core.md, grad_ops", """
        add_backward mul_backward matmul_backward=matmul_backward_lhs+matmul_backward_rhs relu_backward sigmoid_backward
        softmax_backward
    """),
    *_rows("core.md, QuantizedTensor", "quantize dequantize"),
    *_rows("core.md, quantized_ops", "qmatmul qconv2d qadd qrelu"),
    *_devices("core.md, DistributedExecutor", "all_reduce all_gather broadcast"),
    *_rows("backends.md, MapOperation", """
        Abs=vector_abs Neg=vector_neg Sqrt=vector_sqrt Exp=vector_exp Log=vector_log Sin=vector_sin Cos=vector_cos
        Tan=vector_tan Relu=relu Sigmoid=sigmoid Tanh=tanh
    """),
    *_rows("backends.md, BinaryMapOperation", """
        Add=vector_add Sub=vector_sub Mul=vector_mul Div=vector_div Pow=vector_pow Min=vector_min Max=vector_max
        Atan2=vector_atan2
    """),
    *_rows("backends.md, ReduceOperation", "Sum=reduce_sum Product=reduce_product Min=reduce_min Max=reduce_max"),
    *_rows("backends.md, SimpleExtension", """
        FMS=vector_fms RCP=vector_reciprocal RSQRT=vector_rsqrt CLAMP=vector_clamp LERP=vector_lerp SIGN=vector_sign
        FLOOR=vector_floor CEIL=vector_ceil ROUND=vector_round TRUNC=vector_trunc
    """),
    *_rows("backends.md, ComplexExtension", """
        GEMM=gemm BatchedGEMM=batched_gemm Conv2D=conv2d+conv2d_bias LayerNorm=layer_norm
        BatchNorm=batch_norm+batch_norm_statistics Softmax=softmax Attention=attention FFT=fft+fft_pass
    """),
    *_rows("backends.md, AdvancedExtension", """
        SparseGEMM=sparse_gemm TensorContract=tensor_contract
        QuantizedGEMM=quantized_gemm+quantized_gemm_f32+quantized_gemm_i32 MixedPrecisionGEMM=mixed_precision_gemm
        FlashAttention=flash_attention GroupNorm=group_norm GELU=gelu SWISH=swish LayerScale=layer_scale RoPE=rope
        KVCacheUpdate=kv_cache_update
    """),
    *_devices("backends.md, AdvancedExtension", "AllReduce AllGather"),
    *_devices("backends.md, DistributedExecutor", "all_reduce all_gather broadcast"),
    *_scalars("isa.md, scalar instructions"),
    *_rows("isa.md, array level", """
        fill copy transpose gather softmax gemm argmin=argmin+argmin_rows argmax=argmax+argmax_rows
        scan=scan_sum+scan_product+scan_min+scan_max scatter=scatter_winners+scatter layer_norm
        batch_norm=batch_norm+batch_norm_statistics group_norm layer_scale batched_gemm mixed_precision_gemm
        quantized_gemm=quantized_gemm+quantized_gemm_f32+quantized_gemm_i32 tensor_contract=tensor_contract+dot
        conv2d=conv2d+conv2d_bias attention flash_attention fft=fft+fft_pass sparse_gemm rope kv_cache_update
        parallel_reduce=reduce_sum+reduce_product+reduce_min+reduce_max
    """),
    *(
        Operation("beyond isa.md, array level", name, (), f"is several launches, which `hologram.ops.{function}` makes")
        for name, function in (("sort", "sort"), ("argsort", "argsort"), ("scatter_reduce", "scatter_add"))
    ),
    Operation("beyond isa.md, array level", "searchsorted", (), "is a search, which `hologram.ops.searchsorted` makes"),
    Operation("isa.md, array level", "parallel_map", (), "is a form: its instructions are those above, each a kernel"),
    Operation("isa.md, array level", "parallel_map_binary", (), "is a form: its instructions are those above"),
    *_devices("isa.md, array level", "all_reduce all_gather"),
)  # fmt: skip
"""All of them, in the order of the specification."""
