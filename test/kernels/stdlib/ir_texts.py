"""The computations of the library's kernels as IR written by hand: a function over arrays for each.

It is that of the levels of tensors and arrays, whose schedules are free where a kernel says what each lane does: the
results are the same, each within what the reference allows, and the IR is not.

ARRAYS has bodies over memrefs, which write where the kernel writes; TENSORS those over tensors, whose `%r` (`%r0` and
`%r1` of two) is what the kernel writes. The parameters have the kernel's names: `$x` stands for the type of `%x`,
`$eps_v` for the value that a scalar or a constant is called with. Element types are the first ones of the rows.
"""

from __future__ import annotations

from hologram.dialects.atlas.instructions.table import INSTRUCTIONS as DECLARED

INSTRUCTIONS = {
    i.kernel.rpartition("/")[2]: i.name for i in DECLARED.values() if i.kernel and len(i.operands) < 3
}  # fmt: skip
"""Kernels of one instruction on each element, and the instruction."""
COMPARISONS = "equal:eq not_equal:ne less:lt less_equal:le greater:gt greater_equal:ge"
REDUCTIONS = """
    reduce_sum:add reduce_product:mul reduce_min:min reduce_max:max
"""
SCANS = "scan_sum:add scan_product:mul scan_min:min scan_max:max"

_POINTS = "affine_map<(d0) -> (d0)>"
_TABLE = "affine_map<(d0, d1) -> (d0, d1)>"
_TURNED = "affine_map<(d0, d1) -> (d1, d0)>"


def _reduce(kind: str, maps: str, more: str = "") -> str:
    return f"""
    atlas.reduce [{kind} f32] ins(%x : $x) outs(%out : $out) maps [{maps}, affine_map<(d0, d1) -> (d0)>] {{
    ^bb0(%e: f32):
      atlas.yield %e : f32
    }}{more}"""


def _part(part: str, whole: str, start: str, step: str, into: bool = False) -> str:
    """Copies what lies along axis 1 of a whole from a start on, or writes it `into` that."""
    view = "memref<?x?x?xf32, strided<[?, ?, 1], offset: ?>>"
    ins, outs = (f"{part} : ${part[1:]}", f"%view : {view}")[:: 1 if into else -1]
    return f"""
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %c2 = arith.constant 2 : index
    %l = memref.dim {part}, %c0 : ${part[1:]}
    %m = memref.dim {part}, %c1 : ${part[1:]}
    %n = memref.dim {part}, %c2 : ${part[1:]}
    %first = arith.constant {start} : index
    %stride = arith.constant {step} : index
    %view = memref.subview {whole}[0, %first, 0] [%l, %m, %n] [1, %stride, 1] : ${whole[1:]} to {view}
    atlas.copy ins({ins}) outs({outs})"""


_LENGTH = """
    %n = hologram.dim %pred {axis = 0 : i64} : $pred to index
    %zero = hologram.constant dense<0.0> : tensor<f32>
    %none = hologram.broadcast %zero sizes(%n) {axes = []} : tensor<f32> to $pred
    %one = hologram.constant dense<1.0> : tensor<f32>
    %all = hologram.broadcast %one sizes(%n) {axes = []} : tensor<f32> to $pred"""
_MEAN = """
    %sum = hologram.reduce sum %terms {axes = [0 : i64]} : $pred to tensor<f32>
    %w = arith.index_cast %n : index to i64
    %f = arith.sitofp %w : i64 to f32
    %count = hologram.fill %f : f32 to tensor<f32>
    %mean = hologram.div %sum, %count : tensor<f32>
    %r = hologram.reshape %mean : tensor<f32> to $out"""
_SQUARE = """
    %d = hologram.sub %pred, %target : $pred
    %terms = hologram.mul %d, %d : $pred"""
_DISTRIBUTION = """
    %l = hologram.log %pred : $pred
    %p = hologram.mul %target, %l : $pred
    %some = hologram.compare ne %target, %none : $pred
    %terms = hologram.select %some, %p, %target : $pred
    %sum = hologram.reduce sum %terms {axes = [0 : i64]} : $pred to tensor<f32>
    %loss = hologram.neg %sum : tensor<f32>
    %r = hologram.reshape %loss : tensor<f32> to $out"""
_PROBABILITY = """
    %l = hologram.log %pred : $pred
    %p = hologram.mul %target, %l : $pred
    %some = hologram.compare ne %target, %none : $pred
    %yes = hologram.select %some, %p, %target : $pred
    %other = hologram.sub %all, %target : $pred
    %minus = hologram.neg %pred : $pred
    %k = hologram.log1p %minus : $pred
    %o = hologram.mul %other, %k : $pred
    %rest = hologram.compare ne %other, %none : $pred
    %no = hologram.select %rest, %o, %other : $pred
    %both = hologram.add %yes, %no : $pred
    %terms = hologram.neg %both : $pred"""
_LOGIT = """
    %m = hologram.relu %pred : $pred
    %p = hologram.mul %pred, %target : $pred
    %d = hologram.sub %m, %p : $pred
    %a = hologram.abs %pred : $pred
    %minus = hologram.neg %a : $pred
    %e = hologram.exp %minus : $pred
    %l = hologram.log1p %e : $pred
    %terms = hologram.add %d, %l : $pred"""

_OF_EACH = """
    %k = hologram.dim %sum {axis = 0 : i64} : $out to index
    %count = hologram.fill %f sizes(%k) : f32 to $out
    %r = hologram.div %sum, %count : $out"""
_QUANTIZED = """
    %i = hologram.round %q : tensor<?xf32>
    %zero_f = arith.sitofp %zero : i32 to f32
    %zeros = hologram.fill %zero_f sizes(%n) : f32 to tensor<?xf32>
    %moved = hologram.add %i, %zeros : tensor<?xf32>
    %r = hologram.cast %moved : tensor<?xf32> to $out"""


def _mean(axis: str, result: str) -> str:
    """A sum along an axis, and the number of its terms as a float."""
    return f"""
    %n = hologram.dim %x {{axis = {axis} : i64}} : $x to index
    %sum = hologram.reduce sum %x {{axes = [{axis} : i64]}} : $x to {result}
    %w = arith.index_cast %n : index to i64
    %f = arith.sitofp %w : i64 to f32"""


def _number(name: str, zero: str, scale: str) -> str:
    """The values for which quantized numbers stand."""
    return f"""
    %{name}_i = hologram.cast %{name} : ${name} to tensor<?xi32>
    %{name}_zeros = hologram.fill %{zero} sizes(%n) : i32 to tensor<?xi32>
    %{name}_d = hologram.sub %{name}_i, %{name}_zeros : tensor<?xi32>
    %{name}_w = hologram.cast %{name}_d : tensor<?xi32> to tensor<?xf32>
    %{name}_scales = hologram.fill %{scale} sizes(%n) : f32 to tensor<?xf32>
    %{name}_f = hologram.mul %{name}_w, %{name}_scales : tensor<?xf32>"""


_GEMM = "{alpha = $alpha_v : f64, beta = $beta_v : f64, trans_a = $TRANSPOSE_A_v : i64, trans_b = $TRANSPOSE_B_v : i64}"
_SCALES = "{type = #atlas.dtype<i8>, a_scale = $a_scale_v : f64, b_scale = $b_scale_v : f64"
_WINDOW = """{stride = [$stride_y_v : i64, $stride_x_v : i64], dilation = [$down_v : i64, $right_v : i64],
      padding = [$pad_y_v : i64, $pad_x_v : i64], groups = $groups_v : i64}"""

ONE_NUMBER = "reduce_sum reduce_product reduce_min reduce_max argmin argmax dot".split()
"""Kernels whose `out` is one number: an array without axes to the function."""
SOON = ("vector_add", "softmax")
"""Kernels that `make test` runs; `make programs` runs all."""

ARRAYS: dict[str, str] = {
    "copy": "atlas.copy ins(%x : $x) outs(%y : $y)",
    "contiguous": "atlas.copy ins(%x : $x) outs(%out : $out)",
    "fill": "atlas.fill ins(%value : f32) outs(%y : $y)",
    "transpose": "atlas.transpose ins(%x : $x) outs(%y : $y) {permutation = [1 : i64, 0 : i64]}",
    "permute": """
    atlas.transpose ins(%x : $x) outs(%out : $out)
      {permutation = [$FIRST_v : i64, $SECOND_v : i64, $THIRD_v : i64, $FOURTH_v : i64]}""",
    "gather": "atlas.gather ins(%x, %indices : $x, $indices) outs(%y : $y) {axis = 0 : i64}",
    "softmax": "atlas.softmax ins(%x : $x) outs(%y : $y) {axis = 1 : i64}",
    "reduce_sum_rows": _reduce("add", _TABLE),
    "reduce_product_rows": _reduce("mul", _TABLE),
    "reduce_min_rows": _reduce("min", _TABLE),
    "reduce_max_rows": _reduce("max", _TABLE),
    "reduce_sum_columns": _reduce("add", _TURNED),
    "reduce_min_columns": _reduce("min", _TURNED),
    "reduce_max_columns": _reduce("max", _TURNED),
    "argmin_rows": "atlas.argmin ins(%x : $x) outs(%out : $out) {axis = 1 : i64, type = #atlas.dtype<f32>}",
    "argmax_rows": "atlas.argmax ins(%x : $x) outs(%out : $out) {axis = 1 : i64, type = #atlas.dtype<f32>}",
    "dot": """
    atlas.tensor_contract ins(%a, %b : $a, $b) outs(%out : $out) {contract_a = [0 : i64], contract_b = [0 : i64]}""",
    "argmin": "atlas.argmin ins(%x : $x) outs(%out : $out) {axis = 0 : i64, type = #atlas.dtype<f32>}",
    "argmax": "atlas.argmax ins(%x : $x) outs(%out : $out) {axis = 0 : i64, type = #atlas.dtype<f32>}",
    "gemm": f"atlas.gemm ins(%a, %b, %c : $a, $b, $c) outs(%c : $c) {_GEMM}",
    "batched_gemm": f"atlas.batched_gemm ins(%a, %b, %c : $a, $b, $c) outs(%c : $c) {_GEMM}",
    "matvec": """
    atlas.tensor_contract ins(%a, %x : $a, $x) outs(%y : $y) {contract_a = [1 : i64], contract_b = [0 : i64]}""",
    "tensor_contract": """
    atlas.tensor_contract ins(%a, %b : $a, $b) outs(%c : $c) {contract_a = [2 : i64], contract_b = [0 : i64]}""",
    "mixed_precision_gemm": "atlas.mixed_precision_gemm ins(%a, %b : $a, $b) outs(%c : $c)",
    "quantized_gemm_i32": "atlas.quantized_gemm ins(%a, %b : $a, $b) outs(%c : $c) {type = #atlas.dtype<i8>}",
    "quantized_gemm_f32": f"atlas.quantized_gemm ins(%a, %b : $a, $b) outs(%c : $c) {_SCALES}}}",
    "quantized_gemm": f"""
    atlas.quantized_gemm ins(%a, %b : $a, $b) outs(%c : $c) {_SCALES}, c_scale = $c_scale_v : f64}}""",
    "sparse_gemm": """
    atlas.sparse_gemm ins(%values, %indices, %pointers, %b : $values, $indices, $pointers, $b) outs(%c : $c)""",
    "matmul_backward_lhs": "atlas.gemm ins(%grad, %rhs : $grad, $rhs) outs(%out : $out) {trans_b = 1 : i64}",
    "matmul_backward_rhs": "atlas.gemm ins(%lhs, %grad : $lhs, $grad) outs(%out : $out) {trans_a = 1 : i64}",
    "layer_norm": """
    atlas.layer_norm ins(%x, %gamma, %beta : $x, $gamma, $beta) outs(%out : $out) {eps = $eps_v : f64}""",
    "batch_norm": """
    atlas.batch_norm ins(%x, %gamma, %beta, %mean, %variance : $x, $gamma, $beta, $mean, $variance)
      outs(%out : $out) {eps = $eps_v : f64}""",
    "layer_scale": "atlas.layer_scale ins(%x, %scale : $x, $scale) outs(%out : $out)",
    "conv2d": f"atlas.conv2d ins(%images, %w : $images, $w) outs(%out : $out)\n      {_WINDOW}",
    "conv2d_bias": f"atlas.conv2d ins(%images, %w, %bias : $images, $w, $bias) outs(%out : $out)\n      {_WINDOW}",
    "attention": """
    atlas.attention ins(%q, %k, %v : $q, $k, $v) outs(%out : $out)
      {scale = $scale_v : f64, causal = $CAUSAL_v : i64}""",
    "flash_attention": """
    atlas.flash_attention ins(%q, %k, %v : $q, $k, $v) outs(%out : $out)
      {scale = $scale_v : f64, causal = $CAUSAL_v : i64, block_size = $KEYS_v : i64}""",
    "rope": "atlas.rope ins(%x, %freqs : $x, $freqs) outs(%out : $out) {halves = $HALVES_v : i64}",
    "kv_cache_update": """
    %place = memref.alloca() : memref<i64>
    memref.store %position, %place[] : memref<i64>
    atlas.kv_cache_update ins(%cache, %rows, %place : $cache, $rows, memref<i64>) outs(%cache : $cache)""",
    "fft": """
    %from = "memref.cast"(%x) : ($x) -> memref<?x?x2xf32>
    %to = "memref.cast"(%out) : ($out) -> memref<?x?x2xf32>
    atlas.fft ins(%from : memref<?x?x2xf32>) outs(%to : memref<?x?x2xf32>) {inverse = $INVERSE_v : i64}""",
    "scatter": "atlas.scatter ins(%y, %indices, %x : $y, $indices, $x) outs(%y : $y) {axis = 0 : i64}",
    "broadcast": """
    atlas.map ins(%x : $x) outs(%out : $out)
      maps [affine_map<(d0, d1, d2) -> (d0, d2)>, affine_map<(d0, d1, d2) -> (d0, d1, d2)>] {
    ^bb0(%e: f32):
      atlas.yield %e : f32
    }""",
    "narrow": _part("%out", "%x", "$start_v", "1"),
    "slice": _part("%out", "%x", "$start_v", "$step_v"),
    "select": """
    %c0 = arith.constant 0 : index
    %c2 = arith.constant 2 : index
    %rows = memref.dim %x, %c0 : $x
    %n = memref.dim %x, %c2 : $x
    %at = arith.constant $index_v : index
    %view = memref.subview %x[0, %at, 0] [%rows, 1, %n] [1, 1, 1]
      : $x to memref<?x?xf32, strided<[?, 1], offset: ?>>
    atlas.copy ins(%view : memref<?x?xf32, strided<[?, 1], offset: ?>>) outs(%out : $out)""",
    "pad": "atlas.fill ins(%value : f32) outs(%out : $out)" + _part("%x", "%out", "$before_v", "1", into=True),
}

TENSORS: dict[str, str] = {
    **{
        f"vector_{name}": f"%r = hologram.compare {predicate} %a, %b : $a"
        for name, predicate in (word.split(":") for word in COMPARISONS.split())
    },
    "vector_fma": "%r = hologram.fma %a, %b, %c : $a",
    "vector_fms": "%r = hologram.fms %a, %b, %c : $a",
    "vector_mad": "%r = hologram.mad %a, %b, %c : $a",
    "vector_select": "%r = hologram.select %p, %a, %b : $a",
    "vector_lerp": """
    %n = hologram.dim %a {axis = 0 : i64} : $a to index
    %w = hologram.fill %t sizes(%n) : f32 to $a
    %r = hologram.lerp %a, %b, %w : $a""",
    "vector_clamp": """
    %n = hologram.dim %x {axis = 0 : i64} : $x to index
    %l = hologram.fill %low sizes(%n) : f32 to $x
    %h = hologram.fill %high sizes(%n) : f32 to $x
    %r = hologram.clamp %x, %l, %h : $x""",
    "reshape": "%r = hologram.reshape %x : $x to $x",
    "concat": "%r = hologram.concat %a, %b {axis = 1 : i64} : ($a, $b) -> $out",
    "add_backward": """
    %r0 = hologram.reshape %grad : $grad to $grad_a
    %r1 = hologram.reshape %grad : $grad to $grad_b""",
    "mul_backward": """
    %r0 = hologram.mul %grad, %b : $a
    %r1 = hologram.mul %grad, %a : $a""",
    "relu_backward": """
    %n = hologram.dim %x {axis = 0 : i64} : $x to index
    %zero = hologram.constant dense<0.0> : tensor<f32>
    %none = hologram.broadcast %zero sizes(%n) {axes = []} : tensor<f32> to $x
    %p = hologram.compare gt %x, %none : $x
    %r = hologram.select %p, %grad, %none : $x""",
    "sigmoid_backward": """
    %n = hologram.dim %y {axis = 0 : i64} : $y to index
    %one = hologram.constant dense<1.0> : tensor<f32>
    %all = hologram.broadcast %one sizes(%n) {axes = []} : tensor<f32> to $y
    %d = hologram.sub %all, %y : $y
    %p = hologram.mul %y, %d : $y
    %r = hologram.mul %grad, %p : $y""",
    "softmax_backward": """
    %m = hologram.dim %y {axis = 0 : i64} : $y to index
    %n = hologram.dim %y {axis = 1 : i64} : $y to index
    %p = hologram.mul %grad, %y : $y
    %s = hologram.reduce sum %p {axes = [1 : i64]} : $y to tensor<?xf32>
    %b = hologram.broadcast %s sizes(%m, %n) {axes = [0 : i64]} : tensor<?xf32> to $y
    %d = hologram.sub %grad, %b : $y
    %r = hologram.mul %y, %d : $y""",
    "vector_shl": "%r = hologram.shl %a, %amounts : $a",
    "vector_shr": "%r = hologram.shr %a, %amounts : $a",
    "vector_cast": "%r = hologram.cast $to %x : $x to $y",
    "reduce_mean": _mean("0", "tensor<f32>")
    + """
    %count = hologram.fill %f : f32 to tensor<f32>
    %mean = hologram.div %sum, %count : tensor<f32>
    %r = hologram.reshape %mean : tensor<f32> to $out""",
    "reduce_mean_rows": _mean("1", "$out") + _OF_EACH,
    "reduce_mean_columns": _mean("0", "$out") + _OF_EACH,
    "batch_norm_statistics": """
    %l = hologram.dim %x {axis = 0 : i64} : $x to index
    %m = hologram.dim %x {axis = 1 : i64} : $x to index
    %n = hologram.dim %x {axis = 2 : i64} : $x to index
    %number = arith.muli %l, %n : index
    %w = arith.index_cast %number : index to i64
    %f = arith.sitofp %w : i64 to f32
    %count = hologram.fill %f sizes(%m) : f32 to $mean
    %sum = hologram.reduce sum %x {axes = [0 : i64, 2 : i64]} : $x to $mean
    %r0 = hologram.div %sum, %count : $mean
    %b = hologram.broadcast %r0 sizes(%l, %m, %n) {axes = [1 : i64]} : $mean to $x
    %d = hologram.sub %x, %b : $x
    %square = hologram.mul %d, %d : $x
    %squares = hologram.reduce sum %square {axes = [0 : i64, 2 : i64]} : $x to $mean
    %r1 = hologram.div %squares, %count : $mean""",
    "dequantize": """
    %n = hologram.dim %x {axis = 0 : i64} : $x to index"""
    + _number("x", "zero_point", "scale")
    + """
    %r = hologram.reshape %x_f : tensor<?xf32> to $out""",
    "quantize": """
    %n = hologram.dim %x {axis = 0 : i64} : $x to index
    %scales = hologram.fill %scale sizes(%n) : f32 to $x
    %q = hologram.div %x, %scales : $x"""
    + _QUANTIZED.replace("%zero ", "%zero_point "),
    "qrelu": """
    %n = hologram.dim %x {axis = 0 : i64} : $x to index
    %z = arith.trunci %zero_point : i32 to i8
    %zeros = hologram.fill %z sizes(%n) : i8 to $x
    %r = hologram.max %x, %zeros : $x""",
    "qadd": """
    %n = hologram.dim %a {axis = 0 : i64} : $a to index"""
    + _number("a", "a_zero", "a_scale")
    + _number("b", "b_zero", "b_scale")
    + """
    %s = hologram.add %a_f, %b_f : tensor<?xf32>
    %scales = hologram.fill %scale sizes(%n) : f32 to tensor<?xf32>
    %q = hologram.div %s, %scales : tensor<?xf32>"""
    + _QUANTIZED,
    "mse": _LENGTH + _SQUARE + _MEAN,
    "cross_entropy": _LENGTH + _DISTRIBUTION,
    "binary_cross_entropy": _LENGTH + _PROBABILITY + _MEAN,
    "binary_cross_entropy_logits": _LENGTH + _LOGIT + _MEAN,
}


def bodies() -> dict[str, str]:
    """The body of each kernel's function."""
    found = dict(ARRAYS)
    for kernel, instruction in INSTRUCTIONS.items():
        found[kernel] = f"atlas.$map {instruction} $type ins($sources) outs($written)"
    for kernel, kind in (word.split(":") for word in REDUCTIONS.split()):
        found[kernel] = f"""
    atlas.parallel_reduce ins(%x : $x) outs(%out : $out) {{kind = #atlas.kind<{kind}>, type = #atlas.dtype<$type>}}"""
    for kernel, kind in (word.split(":") for word in SCANS.split()):
        found[kernel] = f"""
    atlas.scan ins(%x : $x) outs(%y : $y) {{axis = 1 : i64, kind = #atlas.kind<{kind}>, type = #atlas.dtype<$type>,
      exclusive = $EXCLUSIVE_v : i64}}"""
    return found | TENSORS


REASONS: dict[str, str] = {
    "mse_chunks": "a part of mse",
    "cross_entropy_chunks": "a part of cross_entropy",
    "binary_cross_entropy_chunks": "a part of binary_cross_entropy",
    "binary_cross_entropy_logits_chunks": "a part of binary_cross_entropy_logits",
    "mean_of_chunks": "a part of the losses",
    "fft_pass": "a part of fft",
    "scatter_winners": "a part of scatter",
    "cross_entropy_logits": "no operation takes one element of each row",
    "group_norm": "its groups are rows, and those of atlas.group_norm are channels of images",
    "qmatmul": "atlas.quantized_gemm has no zero points",
    "qconv2d": "atlas.conv2d has no zero points",
}
"""Kernels without such IR, and why."""
