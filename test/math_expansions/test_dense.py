"""Each function of references.py: bounds over the whole range of f32 and f64, special values, equal bits in all forms.

`make ulp` runs all 2**32 inputs of f32; here it is a thousandth of them.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
import pytest
from xdsl.dialects.builtin import UnitAttr

from hologram.dialects import marks
from hologram.lowering.arithmetic.expansions.rows import ACTIVATIONS, EXPANSIONS
from math_expansions.accuracy import Exact, errors_f64, exact_values
from math_expansions.inputs import BITS, inputs_f32, inputs_f64, pairs
from math_expansions.jit import DTYPES, compiled, loop, program
from math_expansions.references import FUNCTIONS
from stages import parse, run_passes

Array = np.ndarray[Any, Any]
UNARY = [name for name, f in FUNCTIONS.items() if f.operands == 1]
BINARY = [name for name, f in FUNCTIONS.items() if f.operands == 2]
FORMS = [True, False]


def seed_of(name: str) -> int:
    return zlib.crc32(name.encode())


def same_bits(a: Array, b: Array) -> bool:
    """Return whether arrays agree to the bit; NaN agrees with NaN, whatever its sign and payload."""
    bits = BITS[{2: "f16", 4: "f32", 8: "f64"}[a.itemsize]]
    return bool(np.all((a.view(bits) == b.view(bits)) | (np.isnan(a) & np.isnan(b))))


def run(name: str, format: str, fused: bool, lanes: int = 16) -> Any:
    function = FUNCTIONS[name]
    return compiled(function.op, format, operands=function.operands, fused=fused, lanes=lanes)


def worst(found: Array, *inputs: Array) -> tuple[float, str]:
    """The greatest error and the input that has it."""
    at = int(np.argmax(found))
    return float(found[at]), ", ".join(float(x[at]).hex() for x in inputs)


def check(name: str, format: str, fused: bool, found: Array, *inputs: Array) -> None:
    error, where = worst(found, *inputs)
    assert error <= FUNCTIONS[name].bound(format), f"{error:.3f} places at {where}, fma={fused}"


@pytest.mark.slow
@pytest.mark.parametrize("name", UNARY)
def test_f32_bound(name: str):
    x = inputs_f32(1009, seed_of(name))
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        exact = Exact(FUNCTIONS[name].wide(wide), FUNCTIONS[name].slack(wide))
    for fused in FORMS:
        check(name, "f32", fused, exact.errors(run(name, "f32", fused)(x)), x)


@pytest.mark.parametrize("name", UNARY)
def test_f64_bound(name: str):
    function = FUNCTIONS[name]
    x = inputs_f64(function, 2000, seed_of(name))
    exact = exact_values(function.exact, x)
    for fused in FORMS:
        check(name, "f64", fused, errors_f64(run(name, "f64", fused)(x), exact), x)


@pytest.mark.parametrize("name", BINARY)
def test_f32_bound_of_two_operands(name: str):
    x, y = pairs("f32", FUNCTIONS[name], 300_000, seed_of(name))
    with np.errstate(all="ignore"):
        exact = Exact(FUNCTIONS[name].wide(x.astype(np.float64), y.astype(np.float64)))
    for fused in FORMS:
        check(name, "f32", fused, exact.errors(run(name, "f32", fused)(x, y)), x, y)


@pytest.mark.parametrize("name", BINARY)
def test_f64_bound_of_two_operands(name: str):
    function = FUNCTIONS[name]
    x, y = pairs("f64", function, 2000, seed_of(name))
    exact = exact_values(function.exact, x, y)
    for fused in FORMS:
        check(name, "f64", fused, errors_f64(run(name, "f64", fused)(x, y), exact), x, y)


def some(name: str, format: str) -> tuple[Array, ...]:
    """A few thousand inputs of a function, special values among them."""
    function, seed = FUNCTIONS[name], seed_of(name)
    if function.operands == 2:
        return pairs(format, function, 1000, seed)
    wide = inputs_f64(function, 500, seed)
    random = np.random.default_rng(seed).integers(0, 2 ** (8 * DTYPES[format]().itemsize), 1000, dtype=np.uint64)
    with np.errstate(all="ignore"):
        return (np.concatenate([random.astype(BITS[format]).view(DTYPES[format]), wide.astype(DTYPES[format])]),)


@pytest.mark.slow
@pytest.mark.parametrize("format", ["f32", "f64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_scalars_and_vectors_give_the_same_bits(name: str, format: str):
    inputs = some(name, format)
    for fused in FORMS:
        assert same_bits(run(name, format, fused)(*inputs), run(name, format, fused, lanes=1)(*inputs))


@pytest.mark.parametrize("format", ["f16", "bf16"])
@pytest.mark.parametrize("name", UNARY)
def test_small_formats_are_those_of_f32_rounded_once(name: str, format: str):
    x = np.arange(2**16, dtype=np.uint16).view(DTYPES[format])
    with np.errstate(all="ignore"):
        expected = run(name, "f32", True)(x.astype(np.float32)).astype(DTYPES[format])
    assert same_bits(run(name, format, True)(x), expected)


def test_every_expansion_is_checked():
    """A row of the table without a row here would have no bound that anything holds it to."""
    assert {kind.name for kind in EXPANSIONS} <= {function.op for function in FUNCTIONS.values()}


@pytest.mark.parametrize("name", [n for n, f in FUNCTIONS.items() if f.op not in ACTIVATIONS])
def test_the_form_without_fma_has_none(name: str):
    function = FUNCTIONS[name]
    module = parse(loop(function.op, "f32", function.operands, 4))
    run_passes(module, "expand-math{fma=false}")
    names = {op.name for op in module.walk()}
    assert function.op not in names
    assert "math.fma" not in names


@pytest.mark.parametrize("fused", FORMS)
def test_gelu_of_f32_is_closer_near_0_and_in_proportion_everywhere(fused: bool):
    some_bits = inputs_f32(100_003, 1)
    x = np.concatenate([np.linspace(-15, 15, 300_001, dtype=np.float32), some_bits[np.isfinite(some_bits)]])
    exact = FUNCTIONS["gelu"].wide(x.astype(np.float64))
    got = run("gelu", "f32", fused)(x)
    errors = Exact(exact).errors(got)
    assert errors[x >= -2].max() <= 2
    assert errors[x >= -5.43].max() <= 3.5
    allowed = np.maximum(2.0**-25 * np.abs(x.astype(np.float64)), 2.0**-149)
    assert np.all((np.abs(got.astype(np.float64) - exact) <= allowed) | (x > -5.43))


@pytest.mark.parametrize("fused", FORMS)
@pytest.mark.parametrize("name", ["exp", "gelu"])
def test_forms_without_tables_keep_the_bounds(name: str, fused: bool):
    function = FUNCTIONS[name]
    module = program(function.op, "f32", 1, 4, fused, tables=False)
    run_passes(module, "expand-math{tables=false}")
    assert "memref.get_global" not in {op.name for op in module.walk()}
    x = np.concatenate([np.linspace(-15, 15, 3_000_001, dtype=np.float32), inputs_f32(10_007, seed_of(name))])
    with np.errstate(all="ignore"):
        wide = x.astype(np.float64)
        exact = Exact(function.wide(wide), function.slack(wide))
    got = compiled(function.op, "f32", fused=fused, tables=False)(x)
    check(name, "f32", fused, exact.errors(got), x)
    edges = np.array([0.0, -0.0, np.inf, -np.inf, np.nan], np.float32)
    assert same_bits(compiled(function.op, "f32", fused=fused, tables=False)(edges), run(name, "f32", fused)(edges))


@pytest.mark.parametrize("fused", FORMS)
@pytest.mark.parametrize("format", ["f32", "f64"])
def test_exp_of_no_number_above_0_has_the_bits_of_exp(format: str, fused: bool):
    """Normal, subnormal and zero results, NaN, and numbers half way between two multiples of ln 2."""
    module = program("math.exp", format, 1, 1, fused)
    marked = program("math.exp", format, 1, 1, fused)
    next(o for o in marked.walk() if o.name == "math.exp").attributes[marks.NOT_ABOVE_ZERO] = UnitAttr()
    for given in (module, marked):
        run_passes(given, f"expand-math{{fma={str(fused).lower()} tables=false}}")
    assert len(list(marked.walk())) < len(list(module.walk())) - 4

    dtype, least = DTYPES[format], {"f32": -110, "f64": -760}[format]
    halves: Array = ((np.arange(2 * least, 0) + 0.5) * np.log(2)).astype(dtype)
    near = [halves, *(np.nextafter(halves, dtype(end)) for end in (0, 2 * least))]
    some = inputs_f32(10_007, 7) if format == "f32" else inputs_f64(FUNCTIONS["exp"], 300_000, 7)
    parts: list[Array] = [np.linspace(least, 0, 1_000_001, dtype=dtype), *near, some[~(some > 0)]]
    x = np.concatenate(parts)
    below = compiled("math.exp", format, fused=fused, tables=False, below=True)(x)
    assert same_bits(below, compiled("math.exp", format, fused=fused, tables=False)(x))
    for some in (np.isnan(below), below == 1, (below > 0) & (below < np.finfo(dtype).tiny)):
        assert some.any()


def test_what_is_known_to_be_no_number_above_0():
    """The negative of a square is, that of a product is not, nor is a square; with tables all are as they were."""

    def steps(product: str, negative: str, mark: str = "", options: str = "{tables=false}") -> int:
        module = parse(f"""
func.func @f(%x: f32, %y: f32) -> f32 {{
  %s = arith.mulf %x, {product} : f32
  %n = arith.negf %s : f32
  %e = "math.exp"({negative}) {{{mark}}} : (f32) -> f32
  func.return %e : f32
}}""")  # fmt: skip
        run_passes(module, f"expand-math{options}")
        module.verify()
        return len(list(module.walk()))

    marked, plain = steps("%y", "%n", marks.NOT_ABOVE_ZERO), steps("%y", "%n")
    assert steps("%x", "%n") == marked < plain == steps("%x", "%s")
    assert steps("%x", "%n", options="") == steps("%y", "%n", options="")


@pytest.mark.parametrize("format", ["f32", "f64"])
def test_atan2_of_signed_zeros_and_infinities(format: str):
    """C99 annex F.9.1.4."""
    inf, pi = np.inf, np.pi
    cases = [
        (0.0, -0.0, pi), (-0.0, -0.0, -pi), (0.0, 0.0, 0.0), (-0.0, 0.0, -0.0), (0.0, -1.0, pi), (-0.0, 1.0, -0.0),
        (-1.0, 0.0, -pi / 2), (1.0, -0.0, pi / 2), (1.0, -inf, pi), (-1.0, inf, -0.0), (inf, 2.0, pi / 2),
        (inf, -inf, 3 * pi / 4), (-inf, inf, -pi / 4), (inf, inf, pi / 4),
    ]  # fmt: skip
    y, x, expected = np.array(cases, DTYPES[format]).T
    got = run("atan2", format, True)(np.ascontiguousarray(y), np.ascontiguousarray(x))
    np.testing.assert_array_almost_equal_nulp(got, expected, 1)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))
