"""Operations on tensors: in functions under `hologram.jit`, and, called with arrays, at once.

    hologram.ops.softmax(x)         # numpy in, numpy out

By name, and by the groups of the specification: `ops.math.min` is of two tensors, `ops.reduce.min` over axes.
docs/tensor-functions.mdx lists them.

`make docs` makes this file from the declarations.
"""

from collections.abc import Callable, Sequence
from typing import Any

from hologram.frontend.tensors.ops import activation as activation
from hologram.frontend.tensors.ops import arrange as arrange
from hologram.frontend.tensors.ops import contract as contract
from hologram.frontend.tensors.ops import control as control
from hologram.frontend.tensors.ops import counting as counting
from hologram.frontend.tensors.ops import finite as finite
from hologram.frontend.tensors.ops import linalg as linalg
from hologram.frontend.tensors.ops import loss as loss
from hologram.frontend.tensors.ops import math as math
from hologram.frontend.tensors.ops import matrices as matrices
from hologram.frontend.tensors.ops import memory as memory
from hologram.frontend.tensors.ops import network as network
from hologram.frontend.tensors.ops import order as order
from hologram.frontend.tensors.ops import padding as padding
from hologram.frontend.tensors.ops import pool as pool
from hologram.frontend.tensors.ops import random as random
from hologram.frontend.tensors.ops import reduce as reduce
from hologram.frontend.tensors.ops import segments as segments

__all__: list[str]

def abs(x: Any) -> Any:
    """|x|; the least integer wraps, unsigned is the identity."""

def acos(x: Any) -> Any:
    """The arc cosine in [0, pi]; NaN outside of [-1, 1]."""

def acosh(x: Any) -> Any:
    """The inverse of cosh, from 0 on; NaN below 1, +inf at +inf."""

def add(a: Any, b: Any) -> Any:
    """a + b; integers wrap, floats round once."""

def all(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return whether all elements over axes are not 0."""

def allclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Return whether all elements are close, as `isclose` says."""

def any(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """Return whether an element over axes is not 0."""

def arange(count: Any, dtype: Any = "i64") -> Any:
    """0, 1, ... up to a count, which is left out."""

def argmax(x: Any, axis: Any = None) -> Any:
    """The index (i64) of the greatest element along an axis, or of all in row-major order; the first of equal ones,
    and the first NaN if there is one."""

def argmin(x: Any, axis: Any = None) -> Any:
    """The index (i64) of the least element along an axis, or of all in row-major order; the first of equal ones, and
    the first NaN if there is one."""

def argsort(x: Any, axis: Any = -1, descending: bool = False) -> Any:
    """The indices (i64) along an axis of the elements that `sort` gives, in its order."""

def asin(x: Any) -> Any:
    """The arc sine in [-pi/2, pi/2]; keeps -0, NaN outside of [-1, 1]."""

def asinh(x: Any) -> Any:
    """The inverse of sinh; keeps -0, +-inf at infinities."""

def atan(x: Any) -> Any:
    """The arc tangent in (-pi/2, pi/2); keeps -0."""

def atan2(y: Any, x: Any) -> Any:
    """The angle of (x, y) in [-pi, pi] by C99 annex F."""

def atanh(x: Any) -> Any:
    """The inverse of tanh; keeps -0, +-inf at +-1, NaN outside of [-1, 1]."""

def attention(q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False, scale: float | None = None) -> Any:
    """softmax(scale q k^T + mask) v over the last two axes; `scale` is 1 / sqrt(d) by default."""

def avg_pool1d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window over the last axis, as `avg_pool2d`; `padding` may be two: before, after."""

def avg_pool2d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The mean of each window over the last two axes (height, width); padding counts as zeros. Arguments are those
    of `max_pool2d`; integers give floats."""

def batch_norm(x: Any, gamma: Any, beta: Any, mean: Any = None, var: Any = None, eps: float = 1e-5) -> Any:
    """((x - mu) / sqrt(v + eps)) gamma + beta for each channel, axis 1 of x; mu and v are given, or those of x."""

def batched_gemm(a: Any, b: Any) -> Any:
    """The products of two batches of matrices."""

def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, generator: str = "threefry") -> Any:
    """Truth values that hold with probability p; the shape is that of p unless it is given."""

def binary_cross_entropy(pred: Any, target: Any) -> Any:
    """The mean of -(target ln(pred) + (1 - target) ln(1 - pred)), of probabilities."""

def binary_cross_entropy_logits(pred: Any, target: Any) -> Any:
    """The mean of max(pred, 0) - pred target + ln(1 + e^-|pred|): `binary_cross_entropy` of sigmoid(pred)."""

def bincount(x: Any, length: Any = None, weights: Any = None) -> Any:
    """How often (i64) each index stands in x: 0, 1, and so on below a length; or the sums of their weights.

    An index that is not below the length traps. Tensor functions must name the length.
    """

def bit_and(a: Any, b: Any) -> Any:
    """Bitwise and."""

def bit_or(a: Any, b: Any) -> Any:
    """Bitwise or."""

def bit_xor(a: Any, b: Any) -> Any:
    """Bitwise exclusive or."""

def bitcast(x: Any, dtype: Any) -> Any:
    """The bits of x as numbers of another type, which is as wide."""

def bits(key: Any, shape: Any = (), dtype: Any = "u32", generator: str = "threefry") -> Any:
    """Random bits as unsigned integers: u8, u16, u32 or u64."""

def bmm(a: Any, b: Any) -> Any:
    """The products of two batches of matrices."""

def broadcast_to(x: Any, shape: Any) -> Any:
    """x repeated to a shape that it broadcasts to."""

def cast(x: Any, dtype: Any) -> Any:
    """x in another type, by the rules of `atlas.cvt`: floats become integers towards zero, and saturate."""

def cbrt(x: Any) -> Any:
    """The cube root; keeps -0, +-inf at infinities."""

def ceil(x: Any) -> Any:
    """Rounds toward +inf; gives -0 in (-1, -0]."""

def choice(
    key: Any, x: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: Any = 0, generator: str = "threefry"
) -> Any:
    """Random slices of x along an axis, each as likely, or by the probabilities `p`; of a number integers below it.

    Without `replace` no slice is taken twice.
    """

def cholesky(a: Any, upper: bool = False) -> Any:
    """The lower triangular l with l l^T = a, of a symmetric positive definite a whose lower triangle alone is read.

    With `upper` it is u with u^T u = a, of the upper triangle. Where a is not positive definite the triangle is
    NaN.
    """

def clamp(x: Any, low: Any, high: Any) -> Any:
    """min(max(x, low), high); NaN stays NaN."""

def concat(values: Sequence[Any], axis: Any = 0) -> Any:
    """Tensors joined along an axis."""

def cond(condition: Any, true: Callable[..., Any], false: Callable[..., Any], *operands: Any) -> Any:
    """`true(*operands)` where the condition holds, a truth value without axes, else `false(*operands)`: only that
    side runs. Both give the same types and shapes."""

def constant(values: Any, dtype: Any = None) -> Any:
    """A tensor of numbers in lists, or of one number, which has no axes then."""

def conv2d(
    x: Any, weights: Any, bias: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1, groups: int = 1
) -> Any:
    """Images (batch, channels, height, width) convolved by weights (filters, channels / groups, height, width).

    `stride`, `dilation` and `padding` are one number or two; padding may be four: top, left, bottom, right.
    """

def copy(x: Any) -> Any:
    """x, in memory of its own."""

def copysign(a: Any, b: Any) -> Any:
    """|a| with the sign of b, that of -0 too; a NaN counts as above 0."""

def cos(x: Any) -> Any:
    """The cosine of radians; NaN at infinities."""

def cosh(x: Any) -> Any:
    """The hyperbolic cosine; +inf at infinities."""

def count_nonzero(x: Any) -> Any:
    """The number (i64) of elements that are not 0."""

def cross(a: Any, b: Any, axis: Any = -1) -> Any:
    """The cross products of vectors of three numbers along an axis; the other axes broadcast."""

def cross_entropy(pred: Any, target: Any) -> Any:
    """-sum(target ln(pred)) of two distributions; where target is 0 nothing is added, whatever pred is."""

def cross_entropy_logits(logits: Any, labels: Any) -> Any:
    """ln(sum(e^(x - m))) - (x[label] - m) for each row x of logits, m its greatest element; a label that is no
    column traps."""

def cumprod(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Running products along an axis; by default of all elements in row-major order. Integers give i64 or u64,
    unless `dtype` is named."""

def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """Running sums along an axis; by default of all elements in row-major order. Integers give i64 or u64, unless
    `dtype` is named."""

def deg2rad(x: Any) -> Any:
    """Degrees as radians: x * (pi / 180)."""

def det(a: Any) -> Any:
    """The determinant of a matrix, or of each of a batch; 1 of a matrix without elements."""

def diag(x: Any, k: Any = 0) -> Any:
    """Of a vector the matrix with it on diagonal k and zeros elsewhere; of a matrix its diagonal k."""

def diagonal(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """A diagonal of two axes, along a new last axis in their place."""

def diff(x: Any, n: int = 1, axis: Any = -1) -> Any:
    """Each element less the one before it along an axis, `n` times; of truth values whether they differ."""

def div(a: Any, b: Any) -> Any:
    """a / b. Integers give f64, f32 where the device has no f64; `floor_div` gives integers."""

def dot(a: Any, b: Any) -> Any:
    """The sum of the products of two vectors."""

def eigh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of a symmetric matrix, ascending, and its eigenvectors, as columns of length 1.

    The lower triangle alone is read, or with UPLO "U" the upper one. Of a matrix that holds a NaN or an infinity
    there all results are NaN.
    """

def eigvalsh(a: Any, UPLO: str = "L") -> Any:
    """The eigenvalues of a symmetric matrix, ascending, as `eigh` gives them."""

def einsum(spec: str, *operands: Any) -> Any:
    """The sum of products that a text says by a letter for each axis: "ij,jk->ik" is the product of two matrices.

    A letter that is not in the result is summed over; one that stands twice in an operand means its diagonal;
    "..." stands for the axes that have no letter. Without an arrow the result has the letters that stand once, in
    order.
    """

def equal(a: Any, b: Any) -> Any:
    """a == b."""

def erf(x: Any) -> Any:
    """The error function; keeps -0, +-1 at infinities."""

def exp(x: Any) -> Any:
    """e^x; +0 at -inf, overflows to +inf."""

def exp2(x: Any) -> Any:
    """2^x; +0 at -inf, overflows to +inf."""

def expand_dims(x: Any, axis: Any) -> Any:
    """x with a new axis of size 1, which is the axis of that number in the result."""

def expm1(x: Any) -> Any:
    """e^x - 1 without cancellation; keeps -0, -1 at -inf."""

def exponential(key: Any, shape: Any = (), dtype: Any = "f32", generator: str = "threefry") -> Any:
    """Numbers of the exponential distribution of mean 1."""

def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = "f32") -> Any:
    """Ones on a diagonal of a matrix of n rows and m columns (n by default), zeros elsewhere.

    Diagonal 0 begins at the first element, `k` of them further to the right (to the left, where it is negative).
    """

def fft(x: Any, axis: Any = -2) -> Any:
    """The Fourier transform along the axis before the last, which holds real and imaginary part."""

def fill(x: Any, value: Any) -> Any:
    """A tensor of x's shape and type with one value everywhere."""

def flash_attention(
    q: Any, k: Any, v: Any, mask: Any = None, causal: bool = False, scale: float | None = None, block_size: int = 512
) -> Any:
    """`attention` in memory that does not grow with the scores: so many keys at a time."""

def flip(x: Any, axis: Any = None) -> Any:
    """x with its elements in the other order along axes, along all by default."""

def floor(x: Any) -> Any:
    """Rounds toward -inf; keeps -0."""

def floor_div(a: Any, b: Any) -> Any:
    """a / b rounded down, Python's //; an integer divided by 0 traps, a float gives a / b."""

def fma(a: Any, b: Any, c: Any) -> Any:
    """a * b + c in one rounding; integers wrap."""

def fold_in(key: Any, data: Any, generator: str = "threefry") -> Any:
    """A new key of a key and an integer, its low 32 bits: of a step, say, or of a device."""

def fori_loop(lower: Any, upper: Any, body: Callable[..., Any], init: Any) -> Any:
    """What `body(i, value)` makes of `init` for i from `lower` up to `upper`, which is left out: one program,
    whatever the number of steps. The bounds are integers, sizes or tensors without axes."""

def full(shape: Any, value: Any, dtype: Any = None) -> Any:
    """A tensor of a shape with one value everywhere."""

def gather(x: Any, indices: Any, axis: Any = 0) -> Any:
    """The slices of x at indices along an axis, as numpy.take. An index out of range traps, and so does one below 0."""

def gelu(x: Any) -> Any:
    """x * (1 + erf(x / sqrt 2)) / 2; -0 at -inf."""

def gelu_tanh(x: Any) -> Any:
    """x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 x^3))) / 2; -0 at -inf."""

def gemm(
    a: Any, b: Any, c: Any = None, alpha: float = 1.0, beta: float = 1.0, trans_a: bool = False, trans_b: bool = False
) -> Any:
    """alpha a b + beta c of matrices, or of batches of them; `trans_a` and `trans_b` transpose the last two axes."""

def greater(a: Any, b: Any) -> Any:
    """a > b."""

def greater_equal(a: Any, b: Any) -> Any:
    """a >= b."""

def group_norm(x: Any, gamma: Any, beta: Any, groups: int, eps: float = 1e-5) -> Any:
    """((x - mu) / sqrt(v + eps)) gamma + beta, mu and v over groups of channels, axis 1 of x, and the axes behind."""

def histogram(x: Any, bins: Any = 10, range: Any = None) -> Any:
    """How many elements of x lie in each of a number of equal bins, or between edges that ascend, and the edges.

    A bin has its lower edge, the last one its upper edge too. Without a range (least, greatest) it is that of x,
    which must have no NaN then. Where the greatest is below the least no element lies in a bin. Integers are
    counted as f64, f32 where the device has no f64.
    """

def hypot(a: Any, b: Any) -> Any:
    """sqrt(a^2 + b^2), which overflows only where the result does; +inf where either is infinite."""

def ifft(x: Any, axis: Any = -2) -> Any:
    """The inverse Fourier transform: the sum divided by the length."""

def inner(a: Any, b: Any) -> Any:
    """The sums over the last axes of both; the product, where one has no axes."""

def inv(a: Any) -> Any:
    """The inverse of a matrix, or of each of a batch; infinities or NaN where it is singular."""

def invert(x: Any) -> Any:
    """Bitwise complement."""

def isclose(a: Any, b: Any, rtol: float = 1e-5, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    """Return whether |a - b| <= atol + rtol |b|; an infinity is close to itself alone, NaN to none, or with
    `equal_nan` to NaN."""

def isfinite(x: Any) -> Any:
    """Return whether x is a number, and no infinity."""

def isinf(x: Any) -> Any:
    """Return whether x is an infinity."""

def isnan(x: Any) -> Any:
    """Return whether x is NaN."""

def key(seed: Any) -> Any:
    """A key of a seed, an integer: its high and its low 32 bits."""

def kron(a: Any, b: Any) -> Any:
    """The Kronecker product: each element of a in turn, times all of b."""

def kv_cache_update(cache: Any, new: Any, position: Any) -> Any:
    """The cache (..., t, d) with its rows from a position on replaced by new ones (..., s, d)."""

def layer_norm(x: Any, gamma: Any, beta: Any, eps: float = 1e-5) -> Any:
    """((x - mu) / sqrt(v + eps)) gamma + beta over the last axes of x, those that gamma and beta have."""

def layer_scale(x: Any, scale: Any) -> Any:
    """x times a factor for each place of its last axis."""

def lerp(a: Any, b: Any, t: Any) -> Any:
    """fma(t, b, fma(-t, a, a))."""

def less(a: Any, b: Any) -> Any:
    """a < b."""

def less_equal(a: Any, b: Any) -> Any:
    """a <= b."""

def linspace(start: Any, stop: Any, num: Any = 50, endpoint: bool = True, dtype: Any = None) -> Any:
    """`num` numbers from start to stop, equally far apart, along a new first axis; without `endpoint` stop is left
    out.

    They are floats, f32 of literals, unless a type is given; numbers of an integer type are rounded down.
    """

def log(x: Any) -> Any:
    """The natural logarithm; -inf at 0, NaN below."""

def log10(x: Any) -> Any:
    """The logarithm to base 10; -inf at 0, NaN below."""

def log1p(x: Any) -> Any:
    """log(1 + x) without cancellation; keeps -0, -inf at -1."""

def log2(x: Any) -> Any:
    """The logarithm to base 2; -inf at 0, NaN below."""

def log_softmax(x: Any, axis: Any = -1) -> Any:
    """ln(softmax(x)) = x - m - ln(sum(e^(x - m))) along an axis, m the greatest element."""

def logaddexp(a: Any, b: Any) -> Any:
    """log(e^a + e^b), where neither power overflows."""

def logaddexp2(a: Any, b: Any) -> Any:
    """log2(2^a + 2^b), where neither power overflows."""

def matmul(a: Any, b: Any) -> Any:
    """The product over the last axis of a and the one before b's last, as numpy's @: batches broadcast, vectors are
    rows on the left and columns on the right. A tolerance, not bits."""

def matvec(a: Any, x: Any) -> Any:
    """a x of a matrix and a vector."""

def max(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The greatest element over axes; NaN if there is one. Of nothing it is the least number of the type."""

def max_pool1d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The greatest element of each window over the last axis, as `max_pool2d`; `padding` may be two: before, after."""

def max_pool2d(x: Any, window: Any, stride: Any = None, padding: Any = 0) -> Any:
    """The greatest element of each window over the last two axes (height, width); NaN if there is one.

    `window`, `stride` (by default the window) and `padding` are one number or two; padding may be four: top,
    left, bottom, right. It is half of a window at most, and of it nothing is greatest.
    """

def maximum(a: Any, b: Any) -> Any:
    """The greater; of floats NaN wins (IEEE maximum), -0 < +0."""

def mean(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """sum(x) / n over axes; NaN of nothing. f16 and bf16 are summed and divided in f32 and rounded once; integers
    give f64, f32 where the device has no f64."""

def median(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The element in the middle of those over axes in order, or the mean of the two there; NaN if there is one.

    Integers give f64, f32 where the device has no f64; of nothing it is NaN.
    """

def meshgrid(*xs: Any, indexing: str = "xy") -> Any:
    """The coordinates of a grid: each vector repeated along the axes of the others, in a list.

    The first two axes are exchanged, as numpy does, unless `indexing` is "ij".
    """

def min(x: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The least element over axes; NaN if there is one. Of nothing it is the greatest number of the type."""

def minimum(a: Any, b: Any) -> Any:
    """The lesser; of floats NaN wins (IEEE minimum), -0 < +0."""

def mixed_precision_gemm(a: Any, b: Any, dtype: Any = "f32") -> Any:
    """a b of f16 or bf16 matrices, accumulated in f32; the result is f32 or the type that is named."""

def mod(a: Any, b: Any) -> Any:
    """a less b * floor_div(a, b), Python's %; an integer divided by 0 traps."""

def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """x with axes moved to other places; the others stay in order."""

def mse(pred: Any, target: Any) -> Any:
    """The mean of (pred - target)^2."""

def mul(a: Any, b: Any) -> Any:
    """a * b; integers wrap, floats round once."""

def nan_to_num(x: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with numbers in place of NaN and the infinities: 0, and the greatest and the least number of the type,
    unless others are given. Integers stay as they are."""

def narrow(x: Any, axis: Any, start: Any, length: Any) -> Any:
    """`length` slices along an axis from a start on."""

def neg(x: Any) -> Any:
    """-x; the least integer wraps, -0 and +0 swap."""

def nextafter(a: Any, b: Any) -> Any:
    """The float next to a on the way to b; b where they are equal, NaN where one of them is."""

def nonzero(x: Any, size: Any = None, fill_value: Any = 0) -> Any:
    """The indices (i64) of the elements that are not 0, in row-major order: a tensor for each axis.

    With `size` those of the first so many, and `fill_value` after the last. Tensor functions must name the size.
    """

def normal(
    key: Any, shape: Any = (), mean: Any = 0.0, deviation: Any = 1.0, dtype: Any = "f32", generator: str = "threefry"
) -> Any:
    """Numbers of a normal distribution, by the inverse of its cumulative distribution."""

def not_equal(a: Any, b: Any) -> Any:
    """a != b, which NaN is of everything."""

def one_hot(x: Any, n: Any, dtype: Any = "f32") -> Any:
    """For each index a vector of `n` numbers, along a new last axis: 1 at the index, else 0, also where it is none
    of 0 to n - 1."""

def ones(shape: Any, dtype: Any = "f32") -> Any:
    """Ones."""

def outer(a: Any, b: Any) -> Any:
    """The product of each element of a vector with each of another."""

def pad(x: Any, widths: Any, value: Any = 0, mode: str = "constant") -> Any:
    """x with elements around it. `widths` are (before, after) for each axis, one such pair for all, or one number.

    The elements are by `mode` one value (`constant`), the nearest of x (`edge`), those of x in a mirror that
    stands on the outermost ones (`reflect`) or outside of them (`symmetric`), or those of the other end (`wrap`).
    """

def permutation(key: Any, x: Any, axis: Any = 0, generator: str = "threefry") -> Any:
    """The slices of x along an axis in a random order; of a number the integers below it."""

def permute(x: Any, axes: Any = None) -> Any:
    """The axes in another order: axis i of the result is axis `axes[i]` of x; by default the opposite order."""

def pow(a: Any, b: Any) -> Any:
    """a^b. A whole literal exponent multiplies; another one needs floats."""

def prod(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    """The product over axes. Of nothing it is 1. Integers give i64 or u64, unless `dtype` is named."""

def qr(a: Any, mode: str = "reduced") -> Any:
    """q with orthogonal columns of length 1, and r, an upper triangle, with q r = a.

    Of m rows and n columns q has min(m, n) columns and r as many rows; with the mode "complete" both have m. With
    the mode "r" it is r alone, of min(m, n) rows. As in LAPACK, the diagonal of r may be negative. Of a matrix
    that holds a NaN or an infinity all results are NaN.
    """

def quantile(x: Any, q: Any, axis: Any = None, keepdims: bool = False) -> Any:
    """The value below which a share q (0 to 1) of the elements over axes lies, between neighbours on a line.

    Of several q, along one axis, the results stand along the first axis. Integers give f64, f32 where the device
    has no f64. It is NaN if there is one, and of nothing. A q outside of 0 to 1 traps.
    """

def quantized_gemm(a: Any, b: Any, a_scale: float = 1.0, b_scale: float = 1.0, dtype: Any = None) -> Any:
    """a b of matrices of i8 or u8: the sums, in i32; with scales (or dtype f32) the sums times `a_scale * b_scale`."""

def rad2deg(x: Any) -> Any:
    """Radians as degrees: x * (180 / pi)."""

def randint(key: Any, shape: Any, low: Any, high: Any, dtype: Any = "i32", generator: str = "threefry") -> Any:
    """Integers from low up to high, which is left out; low alone where high is not above it.

    They are the remainders of numbers of twice as many bits, so each is as likely as another to within (high -
    low) / 4^bits.
    """

def reciprocal(x: Any) -> Any:
    """1 / x, rounded once."""

def relu(x: Any) -> Any:
    """+0 where x < 0, else x: NaN and -0 stay."""

def rem(a: Any, b: Any) -> Any:
    """The remainder with the sign of the dividend; least % -1 is 0, integer zero traps, floats are fmod (C99),
    exact."""

def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """x with each of its elements `repeats` times one after the other along an axis; without an axis in row-major
    order, along one axis."""

def reshape(x: Any, shape: Any) -> Any:
    """The elements of x in row-major order in another shape; one size may be -1, which follows from the others."""

def rms_norm(x: Any, gamma: Any, eps: float = 1e-5) -> Any:
    """x / sqrt(mean(x^2) + eps) gamma over the last axis."""

def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """x with its elements moved on by `shift` places along an axis; what leaves at the end comes in at the
    beginning.

    Several axes take as many shifts, or one for all; without an axis the elements move in row-major order.
    """

def rope(x: Any, freqs: Any, halves: bool = False) -> Any:
    """Rotary positions: pairs of the vectors of x (batch, s, heads, d) turned by the angles freqs (s, d / 2)."""

def round(x: Any) -> Any:
    """Rounds to nearest, half to even."""

def rsqrt(x: Any) -> Any:
    """1 / sqrt(x); NaN below -0, +inf at +0, -inf at -0."""

def scan(f: Callable[..., Any] | Any, *args: Any, **options: Any) -> Any:
    """`scan(f, init, xs=None, length=None, reverse=False)`: a loop over the first axis of the tensors in `xs`.

    `f(carry, slice)` gives the next carry and an output. The results are the last carry and the outputs, stacked
    along a new first axis. `length` is the number of steps where there are no tensors; with `reverse` the last
    slice comes first. With a tensor in place of the function it is `hologram.ops.reduce.scan`.
    """

def scatter(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with its slices at indices along an axis replaced. Of equal indices the last counts; one out of range traps."""

def scatter_add(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with updates added to its slices at indices along an axis."""

def scatter_max(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with its slices at indices along an axis, or the updates where they are greater; NaN wins."""

def scatter_min(x: Any, indices: Any, updates: Any, axis: Any = 0) -> Any:
    """x with its slices at indices along an axis, or the updates where they are less; NaN wins."""

def searchsorted(sorted: Any, values: Any, side: str = "left") -> Any:
    """For each value, the index (i64) before which it would keep the elements of `sorted` in order.

    It is how many of them are less (side `left`), or not greater (`right`). `sorted` has one axis, along which it
    ascends.
    """

def segment_max(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The greatest elements of the slices of each id, NaN if there is one; of none the least number of the type."""

def segment_min(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The least elements of the slices of each id, NaN if there is one; of none the greatest number of the type."""

def segment_prod(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The product of the slices of each id; 1 of none."""

def segment_sum(x: Any, ids: Any, num_segments: Any = None) -> Any:
    """The sum of the slices of x along its first axis that have the id 0, of those that have 1, and so on; 0 of
    none.

    Tensor functions must name the number of segments; outside of them it is found.
    """

def select(x: Any, axis: Any, index: Any) -> Any:
    """The slice of an index along an axis, without the axis."""

def shift_left(a: Any, b: Any) -> Any:
    """a << b; 0 where b is the width of the type or more, or negative."""

def shift_right(a: Any, b: Any) -> Any:
    """a >> b, with copies of the sign where a is signed; where b is the width of the type or more, or negative, the
    sign alone: 0 or -1."""

def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)); 0 at -inf, 1 at +inf."""

def sign(x: Any) -> Any:
    """-1, 0 or 1; keeps -0 and NaN; unsigned 0 or 1."""

def signbit(x: Any) -> Any:
    """Whether x is below 0 or -0; a NaN counts as above."""

def silu(x: Any) -> Any:
    """x * sigmoid(x); -0 at -inf."""

def sin(x: Any) -> Any:
    """The sine of radians; keeps -0, NaN at infinities."""

def sinh(x: Any) -> Any:
    """The hyperbolic sine; keeps -0, +-inf at infinities."""

def slogdet(a: Any) -> Any:
    """The sign of the determinant, or 0, and the logarithm of its magnitude, which is -inf where it is 0."""

def softmax(x: Any, axis: Any = -1) -> Any:
    """e^(x - m) / sum(e^(x - m)) along an axis, m the greatest element."""

def solve(a: Any, b: Any) -> Any:
    """The x with a x = b, by elimination with partial pivoting.

    b is a vector if it has one axis, else a matrix or a batch of them, each column a vector; batches broadcast.
    Where a is singular x has infinities or NaN.
    """

def solve_triangular(a: Any, b: Any, trans: Any = 0, lower: bool = False, unit_diagonal: bool = False) -> Any:
    """The x with a x = b, where a is upper triangular, or `lower`; the other triangle is not read.

    With `trans` 1 or "T" it is a^T x = b. With `unit_diagonal` the diagonal is not read either, and is all ones.
    b is a vector, or a matrix or a batch of them, as in `solve`; where an element of the diagonal is 0 x has
    infinities or NaN.
    """

def sort(x: Any, axis: Any = -1, descending: bool = False) -> Any:
    """x with its elements in order along an axis; None is all of them in row-major order.

    Equal elements keep their order. NaN comes last, in descending order first.
    """

def sparse_gemm(values: Any, indices: Any, starts: Any, b: Any) -> Any:
    """The product of a sparse matrix of compressed rows (CSR: values, column indices, row starts) with a dense one."""

def split(x: Any, parts: int, axis: Any = 0) -> Any:
    """x cut into so many equal parts along an axis, in a list."""

def sqrt(x: Any) -> Any:
    """The square root, rounded once; NaN below -0, -0 at -0."""

def square(x: Any) -> Any:
    """x * x; integers wrap."""

def squeeze(x: Any, axis: Any = None) -> Any:
    """x without axes of size 1: those named, or all of them."""

def stack(values: Sequence[Any], axis: Any = 0) -> Any:
    """Tensors of one shape joined along a new axis."""

def std(x: Any, axis: Any = None, keepdims: bool = False, ddof: float = 0) -> Any:
    """The standard deviation over axes: the root of `var`."""

def sub(a: Any, b: Any) -> Any:
    """a - b; integers wrap, floats round once."""

def sum(x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = None) -> Any:
    """The sum over axes, over all by default. Of nothing it is 0. Integers give i64 or u64, unless `dtype` is named."""

def svd(a: Any, full_matrices: bool = True, compute_uv: bool = True) -> Any:
    """u, s and vh with u diag(s) vh = a: columns and rows that are orthogonal and of length 1, and the singular
    values, descending.

    u and vh are square, or without `full_matrices` have min(m, n) columns and rows. Without `compute_uv` it is s
    alone. Of a matrix that holds a NaN or an infinity all results are NaN.
    """

def svdvals(a: Any) -> Any:
    """The singular values of a matrix, descending, as `svd` gives them."""

def swapaxes(x: Any, a: Any, b: Any) -> Any:
    """x with two axes exchanged."""

def swish(x: Any) -> Any:
    """x * sigmoid(x); -0 at -inf."""

def switch(index: Any, branches: Sequence[Callable[..., Any]], *operands: Any) -> Any:
    """`branches[index](*operands)`: only that branch runs. An index below 0 is the first, one too large the last."""

def tan(x: Any) -> Any:
    """The tangent of radians; keeps -0, NaN at infinities."""

def tanh(x: Any) -> Any:
    """The hyperbolic tangent; keeps -0, +-1 at infinities."""

def tensor_contract(a: Any, b: Any, axes_a: Sequence[int], axes_b: Sequence[int]) -> Any:
    """The sum over pairs of axes of two tensors; the other axes of a come first, then those of b."""

def tensordot(a: Any, b: Any, axes: Any = 2) -> Any:
    """The sum over pairs of axes: the last `axes` of a and as many first ones of b, or those that two lists name.
    The other axes of a come first, then those of b."""

def tile(x: Any, reps: Any) -> Any:
    """x beside itself `reps` times along its last axes: a number for each, or one for the last; more of them make
    new axes in front."""

def topk(x: Any, k: Any, axis: Any = -1, largest: bool = True) -> Any:
    """The k greatest elements along an axis, or the least, in order, and their indices (i64).

    Of equal ones the first count. NaN is greater than everything.
    """

def trace(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """The sum of a diagonal of two axes."""

def transpose(x: Any, axes: Any = None) -> Any:
    """The axes in another order: axis i of the result is axis `axes[i]` of x; by default the opposite order."""

def tril(x: Any, k: Any = 0) -> Any:
    """The matrix, or each of a batch, with zeros above diagonal k."""

def triu(x: Any, k: Any = 0) -> Any:
    """The matrix, or each of a batch, with zeros below diagonal k."""

def trunc(x: Any) -> Any:
    """Rounds toward zero; keeps the sign of zero."""

def truncated_normal(
    key: Any, low: Any = -2.0, high: Any = 2.0, shape: Any = (), dtype: Any = "f32", generator: str = "threefry"
) -> Any:
    """Numbers of the normal distribution of mean 0 and deviation 1, as far as they lie between low and high."""

def uniform(
    key: Any, shape: Any = (), low: Any = 0.0, high: Any = 1.0, dtype: Any = "f32", generator: str = "threefry"
) -> Any:
    """Floats from low up to high.

    From 0 to 1 they are multiples of 2^-23 of f32 (2^-52 of f64, 2^-10 of f16, 2^-7 of bf16), the same on every
    device; other ones are these times high - low plus low, rounded twice, which may give high.
    """

def unique(x: Any, size: Any = None, fill_value: Any = None) -> Any:
    """The distinct elements of x in order. NaN are equal, and so are both zeros.

    With `size` the first so many, and `fill_value` after the last, by default the least element. Tensor functions
    must name the size.
    """

def var(x: Any, axis: Any = None, keepdims: bool = False, ddof: float = 0) -> Any:
    """The variance over axes: the sum of (x - mean(x))^2 divided by n - ddof, in the types of `mean`."""

def vdot(a: Any, b: Any) -> Any:
    """The sum of the products of the elements of two tensors of one size, in row-major order."""

def vector_add(a: Any, b: Any) -> Any:
    """a + b; integers wrap, floats round once."""

def vector_div(a: Any, b: Any) -> Any:
    """a / b. Integers give f64, f32 where the device has no f64; `floor_div` gives integers."""

def vector_mul(a: Any, b: Any) -> Any:
    """a * b; integers wrap, floats round once."""

def vector_sub(a: Any, b: Any) -> Any:
    """a - b; integers wrap, floats round once."""

def where(condition: Any, a: Any, b: Any) -> Any:
    """a where the condition holds, else b."""

def while_loop(condition: Callable[..., Any], body: Callable[..., Any], init: Any) -> Any:
    """What `body(value)` makes of `init` as long as `condition(value)` holds, a truth value without axes."""

def zeros(shape: Any, dtype: Any = "f32") -> Any:
    """Zeros."""
