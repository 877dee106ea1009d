"""Fast Fourier transforms."""

from math import pi

import hologram
from hologram.language import Array, Constant, Element, barrier, block_id, cos, get_global_id, i64, lane_id, shared, sin

from ..blocks import quotient

T = Element("T", "f32", "f64")
SHARED = 1024


def angle(turns, size, INVERSE):
    """-2 pi turns / size, which is between -pi and pi; positive in inverse transforms."""
    near = turns if 2 * turns <= size else turns - size
    part = T(near) / T(size)
    return part * T(2 * pi) if INVERSE != 0 else part * T(-2 * pi)


def smallest_factor(n):
    """The smallest factor of a number above 1: it, if it is prime."""
    factor = 2
    while n % factor != 0:
        factor = factor + 1 if factor * factor < n else n
    return factor


def pass_of_two(work, now, n, span, INVERSE):
    """A pass for the factor 2, from work[now] to the other half. A lane makes pairs, half a turn apart: the second has
    the other sign in what is added."""
    half = n >> 1
    turn = -1
    c = T(1)
    s = T(0)
    for k in range(lane_id(), half, 256):
        block = quotient(k, span)
        # Up to 256 turns come again in each of a lane's pairs.
        if k - block * span != turn:
            turn = k - block * span
            c = cos(angle(turn, 2 * span, INVERSE))
            s = sin(angle(turn, 2 * span, INVERSE))
        real = work[now, k + half, 0] * c - work[now, k + half, 1] * s
        imaginary = work[now, k + half, 0] * s + work[now, k + half, 1] * c
        place = k + block * span
        work[1 - now, place, 0] = work[now, k, 0] + real
        work[1 - now, place, 1] = work[now, k, 1] + imaginary
        work[1 - now, place + span, 0] = work[now, k, 0] - real
        work[1 - now, place + span, 1] = work[now, k, 1] - imaginary


def pass_of_many(work, now, n, span, factor, INVERSE):
    """A pass for any factor, from work[now] to the other half: each element of the result is summed for itself."""
    for k in range(lane_id(), n, 256):
        store_element(work, now, work, 1 - now, k, n, span, factor, 1, INVERSE)


def store_element(x, row, out, target, k, n, span, factor, scale, INVERSE):
    """Store element k of what a pass makes of x[row], times a scale, in out[target]."""
    wide = span * factor
    block = quotient(k, wide)
    turn = k - block * wide
    place = block * span + turn - quotient(turn, span) * span
    real = x[row, place, 0]
    imaginary = x[row, place, 1]
    turns = 0
    for _ in range(1, factor):
        turns = turns + turn if turns + turn < wide else turns + turn - wide
        place += quotient(n, factor)
        c = cos(angle(turns, wide, INVERSE))
        s = sin(angle(turns, wide, INVERSE))
        real += x[row, place, 0] * c - x[row, place, 1] * s
        imaginary += x[row, place, 0] * s + x[row, place, 1] * c
    out[target, k, 0] = real * scale
    out[target, k, 1] = imaginary * scale


@hologram.kernel(
    lanes="x.shape[0] * 256",
    where=("x.shape[0] == out.shape[0]", "x.shape[1] == out.shape[1]", "x.shape[2] == out.shape[2]", "x.shape[2] == 2"),
)
def fft(x: Array[T, 3], out: Array[T, 3], INVERSE: Constant = 0):
    """out[b, k] = sum_j(x[b, j] * exp(-2 pi i j k / n)); with INVERSE = 1 the exponent is positive and the sum over n

    A block takes a transform. Up to 1024 elements lie in shared memory, and it takes a pass for each prime factor of n;
    more are summed one by one, which takes n * n steps: use `fft_pass` for them.

    Shapes: x and out are (batch, n, 2): the last axis has the real and the imaginary part.
    Types: f32, f64.
    Source: backends.md, `ComplexExtension::FFT`; isa.md section 3, `fft`.
    """
    batch = block_id()
    lane = lane_id()
    n = x.shape[1]
    scale = T(1)
    if INVERSE != 0:
        scale = T(1) / T(n)
    work = shared(T, 2, SHARED, 2)
    if n <= SHARED:
        for k in range(lane, n, 256):
            work[0, k, 0] = x[batch, k, 0]
            work[0, k, 1] = x[batch, k, 1]
        barrier()
        now = 0
        span = 1
        while span < n:
            factor = smallest_factor(n // span)
            if factor == 2:
                pass_of_two(work, now, n, span, INVERSE)
            else:
                pass_of_many(work, now, n, span, factor, INVERSE)
            barrier()
            now = 1 - now
            span = span * factor
        for k in range(lane, n, 256):
            out[batch, k, 0] = work[now, k, 0] * scale
            out[batch, k, 1] = work[now, k, 1] * scale
    else:
        for k in range(lane, n, 256):
            real = T(0)
            imaginary = T(0)
            turns = 0
            for j in range(n):
                c = cos(angle(turns, n, INVERSE))
                s = sin(angle(turns, n, INVERSE))
                real += x[batch, j, 0] * c - x[batch, j, 1] * s
                imaginary += x[batch, j, 0] * s + x[batch, j, 1] * c
                turns = turns + k if turns + k < n else turns + k - n
            out[batch, k, 0] = real * scale
            out[batch, k, 1] = imaginary * scale


@hologram.kernel(
    lanes="x.shape[0] * x.shape[1]",
    where=("x.shape[0] == out.shape[0]", "x.shape[1] == out.shape[1]", "x.shape[2] == out.shape[2]", "x.shape[2] == 2"),
)
def fft_pass(x: Array[T, 3], out: Array[T, 3], span: i64, factor: i64, scale: T, INVERSE: Constant = 0):
    """out[b, k] = scale * sum_q(x[b, m + q * n / factor] * exp(-2 pi i q t / w)), w = span * factor, t = k mod w,
    m = k // w * span + t mod span

    One pass of a transform of any length: for the factors of n in turn, `span` being the product of those before. The
    last pass of an inverse transform has scale 1 / n, all others 1. With INVERSE = 1 the exponent is positive.

    Shapes: x and out are (batch, n, 2); n is a multiple of w.
    Types: f32, f64.
    Source: backends.md, `ComplexExtension::FFT`; isa.md section 3, `fft`.
    """
    n = x.shape[1]
    lane = get_global_id()
    if lane < x.shape[0] * n:
        batch = quotient(lane, n)
        store_element(x, batch, out, batch, lane - batch * n, n, span, factor, scale, INVERSE)
