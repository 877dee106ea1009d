"""Random numbers of explicit keys: the same bits for a key on every device, in any order.

A key is a vector of two u32. It is never changed: `split` makes others of it, and each is used once. The generator
`threefry` gives the bits that `jax.random` gives for a key of the same words, `philox` those of Philox-4x32-10.
"""

from __future__ import annotations

from typing import Any

from hologram.dialects.atlas.instructions.dtypes import DTYPES
from hologram.dialects.sizes import Size
from hologram.errors import did_you_mean
from hologram.frontend.tensors.ops import finite, math, memory, order, reduce
from hologram.frontend.tensors.ops.arrange import number, one_size
from hologram.frontend.tensors.ops.generators import GENERATORS, Pair, Words, places
from hologram.frontend.tensors.ops.memory import iota, reshaped, sliced
from hologram.frontend.tensors.trace.locations import fault
from hologram.frontend.tensors.trace.numbers import extent, size_of
from hologram.frontend.tensors.trace.support import (
    ONE,
    axis_of,
    broadcast,
    brought,
    converted,
    dtype_name,
    looked_at,
    must_equal,
    operand,
    operation,
    settled,
    sizes_of,
    tensor,
    trace,
    typed,
)
from hologram.frontend.tensors.trace.trace import Sizes, Traced
from hologram.support import promotion

PAIR = Size.of(2)
MANTISSA = {"f16": 10, "bf16": 7, "f32": 23, "f64": 52}
"""The bits of a float that a random number below 1 has."""
ROOT_OF_2 = 1.4142135623730951


# Keys


@operation
def key(seed: Any) -> Any:
    """A key of a seed, an integer: its high and its low 32 bits."""
    given = operand(seed)
    if isinstance(given, int):
        if not -(1 << 63) <= given < 1 << 64:
            fault("random-seed", "a seed has 64 bits", "take it modulo 2^64")
        high, low = (typed((given >> by) & 0xFFFFFFFF, "u32") for by in (32, 0))
        return _joined(high, low)
    (value,) = brought(given, kind="integer")
    if value.ndim:
        fault("random-seed-shape", f"a seed is one integer, and this has {value.ndim} axes")
    return _joined(*_halves(value))


def _halves(value: Traced) -> Pair:
    """The high and the low word of integers; those of 32 bits or less are not negative as seeds."""
    narrow = promotion.bits(value.dtype) <= 32
    wide = converted(converted(value, "u32"), "u64") if narrow else converted(value, "u64")
    return converted(math.shift_right(wide, 32), "u32"), converted(wide, "u32")


def _joined(first: Any, second: Any) -> Any:
    """Pairs of words along a new last axis."""
    first, second = (trace().tensor(v) for v in (first, second))
    own = (*settled(first), ONE)
    sizes = (*settled(first), PAIR)
    words = [broadcast(reshaped(v, own), sizes) for v in (first, second)]
    return math.where(math.equal(iota(sizes, first.ndim, "u32"), 0), *words)


def _words(key: Any) -> Pair:
    """The two words of a key."""
    value = tensor(key)
    if value.dtype != "u32" or value.ndim != 1 or not trace().facts.holds(value.along(0), "==", PAIR):
        sizes = ", ".join(str(trace().facts.value(s)) for s in value.sizes)
        fault("random-key", f"a key is a vector of two u32, not ({sizes}) of {value.dtype}",
              "hologram.ops.random.key(42) makes one")  # fmt: skip
    return tuple(reshaped(sliced(value, 0, n, 1, ONE), ()) for n in range(2))  # pyright: ignore[reportReturnType]


def _generator(name: str) -> Words:
    if name not in GENERATORS:
        fault("random-generator", f"there is no generator '{name}'",
              did_you_mean(name, GENERATORS) or f"they are {' and '.join(GENERATORS)}")  # fmt: skip
    return GENERATORS[name]


@operation
def split(key: Any, n: Any = 2, generator: str = "threefry") -> Any:
    """`n` new keys of a key, the rows of a matrix."""
    count, words = one_size(n), _words(key)
    return _joined(*_generator(generator)(words, places((count,))))


@operation
def fold_in(key: Any, data: Any, generator: str = "threefry") -> Any:
    """A new key of a key and an integer, its low 32 bits: of a step, say, or of a device."""
    words = _words(key)
    number = operand(data)
    if isinstance(number, int):
        low: Any = broadcast(typed(number & 0xFFFFFFFF, "u32"), ())
    else:
        (value,) = brought(number, kind="integer")
        low = trace().tensor(converted(value, "u32"))
    return _joined(*_generator(generator)(words, (low ^ low, low)))


# Integers


@operation
def bits(key: Any, shape: Any = (), dtype: Any = "u32", generator: str = "threefry") -> Any:
    """Random bits as unsigned integers: u8, u16, u32 or u64."""
    wanted = dtype_name(dtype)
    if not promotion.is_unsigned(wanted):
        fault("random-bits-type", f"bits are unsigned integers, not {wanted}", "they are u8, u16, u32 or u64")
    return _bits(key, sizes_of(shape), promotion.bits(wanted), generator)


def _bits(key: Any, sizes: Sizes, width: int, generator: str) -> Any:
    """So many bits for each element of a shape."""
    words, make = _words(key), _generator(generator)
    facts = trace().facts
    for size in sizes:
        if not facts.holds(size, ">=", Size.of(0)):
            fault("random-shape", f"the size {facts.value(size)} of a shape is below 0")
    first, second = make(words, places(sizes))
    if width == 64:
        return math.shift_left(converted(first, "u64"), 32) | converted(second, "u64")
    return converted(first ^ second, f"u{width}")


@operation
def randint(key: Any, shape: Any, low: Any, high: Any, dtype: Any = "i32", generator: str = "threefry") -> Any:
    """Integers from low up to high, which is left out; low alone where high is not above it.

    They are the remainders of numbers of twice as many bits, so each is as likely as another to within
    (high - low) / 4^bits.
    """
    name = dtype_name(dtype)
    if promotion.is_float(name) or name == "bool":
        fault(
            "random-integer-type", f"'randint' gives integers, not {name}", "hologram.ops.random.uniform gives floats"
        )
    return _integers(key, sizes_of(shape), *_interval(low, high, name), name, generator)


def _integers(key: Any, sizes: Sizes, start: Any, span: Any, dtype: str, generator: str) -> Any:
    """Integers from a first one on, `span` of them; all of the type without it."""
    width = promotion.bits(dtype)
    keys = split(key, 2, generator)
    many, few = (_bits(reshaped(sliced(keys, 0, n, 1, ONE), (PAIR,)), sizes, width, generator) for n in range(2))
    if span is None:
        offset = few
    else:
        multiplier = math.rem(typed(1 << (width // 2), span.dtype), span)
        multiplier = math.rem(multiplier * multiplier, span)
        offset = math.rem(math.rem(many, span) * multiplier + math.rem(few, span), span)
    return start + converted(offset, dtype)


def _interval(low: Any, high: Any, dtype: str) -> tuple[Any, Any]:
    """The first number and how many there are, as unsigned integers; None of all of a type."""
    unsigned = f"u{promotion.bits(dtype)}"
    ends = size_of(low), size_of(high)
    if ends[0] is not None and ends[1] is not None:
        return _known_interval(ends[0], ends[1], dtype)
    first, last = (_of_type(v, dtype) for v in (low, high))
    return first, math.where(math.less(first, last), converted(math.sub(last, first), unsigned), 1)


def _known_interval(first: Size, last: Size, dtype: str) -> tuple[Any, Any]:
    """The same of integers that the call says."""
    facts, bits = trace().facts, promotion.bits(dtype)
    if not facts.holds(first, "<", last):
        fault("random-interval", f"there is no integer from {facts.value(first)} up to {facts.value(last)}",
              "low is below high")  # fmt: skip
    least, greatest = int(DTYPES[dtype].least), int(DTYPES[dtype].greatest)
    if not (_is_bounded(first, ">=", least) and _is_bounded(last, "<=", greatest + 1)):
        fault("random-range", f"not all integers from {facts.value(first)} up to {facts.value(last)} are of {dtype}",
              f"those of {dtype} are from {least} to {greatest}")  # fmt: skip
    count = facts.settled(last - first)
    is_all = facts.holds(count, "==", Size.of(1 << bits)) if bits < 64 else count.constant == 1 << bits
    start = typed(extent(trace(), first), dtype)
    return start, None if is_all else typed(extent(trace(), count), f"u{bits}")


def _is_bounded(size: Size, relation: str, bound: int) -> bool:
    """Return whether a size keeps a bound; one that a call gives has 64 bits, so wide bounds need no guard."""
    wide = not -(1 << 63) < bound < 1 << 63
    return (wide and size.constant is None) or trace().facts.holds(size, relation, Size.of(bound))


# Floats


def _below(low: Any, high: Any) -> None:
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and not low < high:
        fault("random-interval-float", f"there is no number from {low} up to {high}", "low is below high")


def _is_chance(p: Any) -> None:
    if isinstance(p, (int, float)) and not 0 <= p <= 1:
        fault("random-probability", f"a probability is from 0 to 1, not {p}")


@looked_at(_below, "low", "high")
@operation
def uniform(
    key: Any, shape: Any = (), low: Any = 0.0, high: Any = 1.0, dtype: Any = "f32", generator: str = "threefry"
) -> Any:
    """Floats from low up to high.

    From 0 to 1 they are multiples of 2^-23 of f32 (2^-52 of f64, 2^-10 of f16, 2^-7 of bf16), the same on every device;
    other ones are these times high - low plus low, rounded twice, which may give high.
    """
    name, sizes = _float_type(dtype), sizes_of(shape)
    return _between(_unit(key, sizes, name, generator), low, high)


def _float_type(dtype: Any) -> str:
    name = dtype_name(dtype)
    if not promotion.is_float(name):
        fault(
            "random-float-type",
            f"these random numbers are floats, not {name}",
            "hologram.ops.random.randint gives integers",
        )
    return name


def _unit(key: Any, sizes: Sizes, dtype: str, generator: str) -> Any:
    """Floats from 0 up to 1: random bits after the point of 1, less 1, which is exact."""
    mantissa, wide = MANTISSA[dtype], promotion.bits(dtype)
    width = wide if mantissa >= 8 else 8
    drawn = converted(_bits(key, sizes, width, generator), f"u{wide}")
    one = ((1 << (wide - mantissa - 2)) - 1) << mantissa
    return finite.bitcast(math.shift_right(drawn, width - mantissa) | one, dtype) - 1.0


def _between(unit: Any, low: Any, high: Any) -> Any:
    """Floats from 0 to 1 moved to an interval."""
    if isinstance(low, (int, float)) and isinstance(high, (int, float)) and (low, high) == (0, 1):
        return unit
    first, last = (_of_type(v, unit.dtype) for v in (low, high))
    return math.maximum(first, unit * math.sub(last, first) + first)


def _of_type(value: Any, dtype: str) -> Traced:
    """An operand converted to a type; a literal must be a number of it."""
    given = operand(value)
    return converted(given, dtype) if isinstance(given, Traced) else typed(given, dtype)


@looked_at(_is_chance, "p")
@operation
def bernoulli(key: Any, p: Any = 0.5, shape: Any = None, generator: str = "threefry") -> Any:
    """Truth values that hold with probability p; the shape is that of p unless it is given."""
    (chance,) = brought(p, kind="float")
    sizes = settled(chance) if shape is None else sizes_of(shape)
    return math.less(_unit(key, sizes, chance.dtype, generator), chance)


@operation
def exponential(key: Any, shape: Any = (), dtype: Any = "f32", generator: str = "threefry") -> Any:
    """Numbers of the exponential distribution of mean 1."""
    name = _float_type(dtype)
    unit = _unit(key, sizes_of(shape), _inner(name), generator)
    return converted(math.neg(math.log1p(math.neg(unit))), name)


# The inverse of the error function

Part = tuple[float, float, tuple[float, ...]]
"""The end of a part in w, its middle (in w for the first, in the root of w for the others), and the coefficients."""

PARTS: dict[str, tuple[Part, ...]] = {
    "f32": (
        (5.0, 2.5, (
            1.5014094114303589, 0.24664072692394257, -0.004177707713097334, -0.001253707567229867,
            0.00021860205742996186, -4.39677160102292e-06, -3.52883103005297e-06, 3.437259010752314e-07,
            2.8532815221637975e-08,
        )),
        (float("inf"), 3.2001953125, (
            3.033832550048828, 1.0046916007995605, 0.0059800464659929276, -0.004247606731951237,
            0.002890700241550803, -0.0021553514525294304, 0.0012091229436919093, -0.0001370254612993449,
            -0.0001409875403624028,
        )),
    ),
    "f64": (
        (6.25, 3.125, (
            1.653654562683103, 0.2401581824255895, -0.006033670871430705, -0.0007407025341653041,
            0.00018673420803639026, -1.388252336490278e-05, -1.3654692038818016e-06, 4.2347878041109844e-07,
            -2.9070366798957206e-08, -4.1126351602914094e-09, 1.0512107454070798e-09, -5.4153728051958e-11,
            -1.2974673657949388e-11, 2.633427500605891e-12, -8.160794915140892e-14, -4.0534895825541865e-14,
            6.648594149910506e-15, 2.0104150380328345e-17, -1.341572090332303e-16, 1.1197092274483623e-17,
            1.3222057825514993e-18, -1.6926456601552218e-19, -4.3232841024724195e-21,
        )),
        (16.0, 3.25, (
            3.0838856104922203, 1.0052589676941597, 0.0053709145536025545, -0.0037512085075980424,
            0.002491442095513088, -0.0016882755553149964, 0.0009532893906200699, -0.00035503752818391565,
            2.4031010763787628e-05, 6.828489722963411e-05, -4.731771718288606e-05, 1.2475152573569008e-05,
            2.921901315367072e-06, -4.013580455712975e-06, 1.5054520901046495e-06, 1.7951842151241088e-08,
            -2.7774186417865945e-07, 9.087532935736771e-08, 3.22652941320022e-09,
        )),
        (float("inf"), 5.0498046875, (
            4.9002237301446625, 1.010285083925665, -0.00016974070483042673, -0.00020036767026574315,
            7.125826073732758e-05, -1.8379450533621886e-05, 4.1951032223597416e-06, -9.074068569279844e-07,
            2.0167290299898896e-07, -5.495730721712136e-08, 2.1958652505289173e-08, -1.1250764829236196e-08,
            5.638154897060152e-09, -2.604992835438768e-09, 1.2066408447708793e-09, -4.020888611759132e-10,
            1.0234666350389777e-12, 3.216475614239058e-11,
        )),
    ),
}  # fmt: skip
"""`test/math_expansions/minimax.py` computes them."""


def inverse_erf(x: Traced) -> Any:
    """The number whose error function is x, between -1 and 1; of f32 within 3 ulp, of f64 within 4.

    erf(y) = x is y = x g(w) of w = -log(1 - x^2), where g is a polynomial around the middle of a part: of w where that
    is small, else of its root.
    """
    w = math.neg(math.log((1.0 - x) * (1.0 + x)))  # pyright: ignore[reportOperatorIssue]
    root = math.sqrt(w)
    found: Any = None
    for place, (end, middle, coefficients) in reversed([*enumerate(PARTS[x.dtype])]):
        value = polynomial((root if place else w) - middle, coefficients)
        found = value if found is None else math.where(math.less(w, end), value, found)
    return found * x


def polynomial(x: Any, coefficients: tuple[float, ...]) -> Any:
    """The value of a polynomial, the constant coefficient first."""
    value: Any = coefficients[-1]
    for coefficient in reversed(coefficients[:-1]):
        value = value * x + coefficient
    return value


# Normal numbers


@operation
def normal(
    key: Any, shape: Any = (), mean: Any = 0.0, deviation: Any = 1.0, dtype: Any = "f32", generator: str = "threefry"
) -> Any:
    """Numbers of a normal distribution, by the inverse of its cumulative distribution."""
    name, sizes = _float_type(dtype), sizes_of(shape)
    inner = _inner(name)
    unit = _unit(key, sizes, inner, generator)
    standard = _standard(_between(unit, -1.0 + 2.0 ** -(MANTISSA[inner] + 1), 1.0))
    if isinstance(mean, (int, float)) and isinstance(deviation, (int, float)) and (mean, deviation) == (0, 1):
        return converted(standard, name)
    middle, spread = (_of_type(v, inner) for v in (mean, deviation))
    return converted(standard * spread + middle, name)


def _inner(dtype: str) -> str:
    """The type that functions of small floats are computed in."""
    return dtype if dtype in ("f32", "f64") else "f32"


def _standard(x: Any) -> Any:
    """The normal numbers of numbers between -1 and 1."""
    return inverse_erf(x) * ROOT_OF_2


@looked_at(_below, "low", "high")
@operation
def truncated_normal(
    key: Any, low: Any = -2.0, high: Any = 2.0, shape: Any = (), dtype: Any = "f32", generator: str = "threefry"
) -> Any:
    """Numbers of the normal distribution of mean 0 and deviation 1, as far as they lie between low and high."""
    name, sizes = _float_type(dtype), sizes_of(shape)
    inner = _inner(name)
    ends = [_of_type(v, inner) for v in (low, high)]
    first, last = (math.erf(math.div(v, ROOT_OF_2)) for v in ends)
    found = _standard(_between(_unit(key, sizes, inner, generator), first, last))
    inside = (finite.nextafter(v, end) for v, end in zip(ends, (float("inf"), float("-inf")), strict=True))
    return converted(math.clamp(found, *inside), name)


# Order


@operation
def permutation(key: Any, x: Any, axis: Any = 0, generator: str = "threefry") -> Any:
    """The slices of x along an axis in a random order; of a number the integers below it."""
    given = operand(x)
    if not isinstance(given, Traced):
        return _order(key, one_size(given), generator)
    if not given.ndim:
        fault("random-permutation", "a tensor without axes has no order", "a size is a number of Python")
    place = axis_of(axis, given.ndim)
    return memory.gather(given, _order(key, given.along(place), generator), place)


FEW, MANY = 1625, 2642245
"""Up to so many random numbers of 32 bits are rarely equal, sorted once or twice: the cube of their number is that of
the possible ones, or its square."""


def _order(key: Any, size: Size, generator: str) -> Any:
    """The places along an axis in a random order: sorted by random bits, again where some of these may be equal."""
    facts = trace().facts
    order_of: Any = iota((size,), 0)
    rounds = 1 if facts.holds(size, "<=", Size.of(FEW)) else 2 if facts.holds(size, "<=", Size.of(MANY)) else 3
    for _ in range(rounds):
        keys = split(key, 2, generator)
        key, drawn = (reshaped(sliced(keys, 0, n, 1, ONE), (PAIR,)) for n in range(2))
        order_of = memory.gather(order_of, order.argsort(_bits(drawn, (size,), 32, generator)))
    return order_of


@operation
def choice(
    key: Any, x: Any, shape: Any = (), replace: bool = True, p: Any = None, axis: Any = 0, generator: str = "threefry"
) -> Any:
    """Random slices of x along an axis, each as likely, or by the probabilities `p`; of a number integers below it.

    Without `replace` no slice is taken twice.
    """
    given, sizes, facts = operand(x), sizes_of(shape), trace().facts
    place = axis_of(axis, given.ndim) if isinstance(given, Traced) else 0
    count = given.along(place) if isinstance(given, Traced) else one_size(given)
    drawn = memory.total(sizes)
    if not facts.holds(count, ">", Size.of(0)) or not (replace or facts.holds(drawn, "<=", count)):
        fault("random-choice", f"{facts.value(drawn)} of {facts.value(count)} can't be taken")
    if not replace and p is not None:
        fault("random-choice-order", "what is taken once has no probabilities here", "leave out p or replace=False")
    if not replace:
        chosen = reshaped(order.part(_order(key, count, generator), 0, drawn), sizes)
    elif p is None:
        chosen = converted(_integers(key, sizes, *_interval(0, number(count), "i32"), "i32", generator), "i64")
    else:
        chosen = _by_chance(key, p, count, sizes, generator)
    return memory.gather(given, chosen, place) if isinstance(given, Traced) else chosen


def _by_chance(key: Any, p: Any, count: Size, sizes: Sizes, generator: str) -> Any:
    """Places, each with its probability."""
    (chances,) = brought(p, kind="float")
    must_equal(chances.along(0) if chances.ndim == 1 else Size.of(-1), count, "there is a probability for each slice")
    sums = reduce.cumsum(chances, 0)
    whole = reshaped(memory.row(sums, 0, -1), ())
    unit = _unit(key, sizes, sums.dtype, generator)
    return order.searchsorted(sums, whole * (1.0 - unit))
