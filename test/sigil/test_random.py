"""Random circuits: text and IR go there and back, and every way to run one gives the same tiles."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from hologram import classes, sigil
from hologram.dialects import make_context
from hologram.dialects.sigil.syntax import Transform
from hologram.errors import CircuitError, PassError
from hologram.frontend.mlir import parse_module
from hologram.interpreter import interpret
from hologram.interpreter.core.state import AtlasState
from hologram.lowering.numbers.convert_sigil_to_atlas import ConvertSigilToAtlasPass
from hologram.transforms.canonical.canonicalize import CanonicalizePass
from hologram.transforms.numbers.canonicalize_sigil_tiles import CanonicalizeSigilTilesPass

READINGS = ("text", "classes", "bytes", "addresses", "words", "calls")
EXAMPLES = 30 if "HOLOGRAM_FUZZ" not in os.environ else 2000
SPACE = st.sampled_from(["", " ", "\n", "\t", " // all of c00 $\n"])


@st.composite
def amounts(draw: Any) -> str:
    return f"{draw(st.sampled_from('+-'))}{draw(st.integers(0, 9))}"


@st.composite
def sigils(draw: Any) -> str:
    moved = f"^{draw(st.sampled_from(['', 'R', 'D', 'T']))}{draw(amounts())}" if draw(st.booleans()) else ""
    page = f"@{draw(st.integers(0, 47))}" if draw(st.booleans()) else ""
    return f"c{draw(st.integers(0, 95)):02}{moved}{draw(st.sampled_from(['', '~']))}{page}"


@st.composite
def operations(draw: Any) -> str:
    a, b, c = draw(sigils()), draw(sigils()), draw(sigils())
    first = draw(st.integers(0, 95))
    targets = {
        "mark": [a, f"c[{first}..{draw(st.integers(first, 95))}]"], "copy": [a, f"{a}->{b}"], "swap": [f"{a}<->{b}"],
        "merge.max": [f"{a}[{b},{c}]"], "merge": [a, "c[0..1]"], "split.div": [f"{a}[{b},{c}]"], "evaluate": [a],
    }  # fmt: skip
    name = draw(st.sampled_from(list(targets)))
    return f"{name}{draw(SPACE)}@{draw(st.sampled_from(targets[name]))}"


@st.composite
def prefixes(draw: Any) -> str:
    parts = [f"{axis}{draw(amounts())}" for axis in "RDT" if draw(st.booleans())]
    mirror = "~" if not parts or draw(st.booleans()) else ""
    return f"{' '.join([*parts, mirror])}@"


CIRCUITS = st.recursive(
    operations(),
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(" . ".join),
        st.lists(inner, min_size=2, max_size=3).map("||".join),
        inner.map("({})".format),
        st.tuples(prefixes(), inner).map(" ".join),
    ),
    max_leaves=8,
)


@settings(max_examples=EXAMPLES)
@given(CIRCUITS)
def test_there_and_back(text: str):
    circuit = sigil.read(text)
    again = sigil.read(circuit.text)
    assert [getattr(again, name) for name in READINGS] == [getattr(circuit, name) for name in READINGS]
    module = sigil.parse(text)
    module.verify()
    assert sigil.to_text(module) == f"{circuit.text}\n"
    assert sigil.to_text(parse_module(str(module), "again.mlir", make_context())) == f"{circuit.text}\n"


@settings(max_examples=EXAMPLES)
@given(CIRCUITS)
def test_canonicalize_keeps_all_readings(text: str):
    module = sigil.parse(text)
    CanonicalizePass().apply(make_context(), module)
    module.verify()
    circuit, again = sigil.read(text), sigil.read(sigil.to_text(module))
    assert [getattr(again, name) for name in READINGS[1:]] == [getattr(circuit, name) for name in READINGS[1:]]


@settings(max_examples=EXAMPLES)
@given(CIRCUITS)
def test_words_come_to_rest(text: str):
    canonical = sigil.read(text).canonical()
    assert canonical.canonical().text == canonical.text
    assert sigil.read(canonical.text).text == canonical.text


@given(st.text(alphabet="c0159[].,->|@^~+RDTmarkcopyswe ()\n", max_size=30))
def test_any_text_is_read_or_refused(text: str):
    refused: CircuitError | None = None
    try:
        sigil.read(text)
    except CircuitError as error:
        refused = error
    if refused is not None:
        assert 0 <= refused.offset <= len(text)
        assert refused.line == text.count("\n", 0, refused.offset) + 1


TRANSFORMS = st.builds(Transform, st.integers(-9, 9), st.integers(-9, 9), st.integers(-9, 9), st.booleans())


@given(TRANSFORMS, TRANSFORMS, st.integers(0, 95))
def test_transforms_compose(outer: Transform, inner: Transform, number: int):
    def slowly(transform: Transform, c: int) -> int:
        moved = classes.twist(classes.triality(classes.rotate(c, transform.r), transform.d), transform.t)
        return classes.sigil_mirror(moved) if transform.mirror else moved

    assert inner.element(number) == slowly(inner, number)
    assert outer.element.after(inner.element)(number) == slowly(outer, slowly(inner, number))


START = np.random.default_rng(2).normal(0, 2, 1179648 // 4).astype(np.float32).view(np.uint8)
TILES = st.sampled_from(["c00", "c01", "c02", "c03", "c00@1", "c01@1", "c02@2", "c03^R+1"])
STEPS = st.one_of(
    st.tuples(TILES, TILES).map(lambda p: f"copy@{p[0]}->{p[1]}"),
    st.tuples(TILES, TILES).map(lambda p: f"swap@{p[0]}<->{p[1]}"),
    st.tuples(TILES, TILES, TILES).map(lambda p: f"merge@{p[0]}[{p[1]},{p[2]}]"),
    st.tuples(TILES, TILES, TILES).map(lambda p: f"merge.abs@{p[0]}[{p[1]},{p[2]}]"),
)
TILE_CIRCUITS = st.recursive(
    STEPS,
    lambda inner: st.one_of(
        st.lists(inner, min_size=2, max_size=5).map(" . ".join),
        st.tuples(inner, inner).map(lambda p: f"({p[0]} || R+1@ {p[1]})"),
    ),
    max_leaves=14,
)


@settings(max_examples=EXAMPLES)
@given(TILE_CIRCUITS)
def test_tiles_by_every_way(text: str):
    """The interpreter on the circuit, on what it is converted to, and on its canonical form."""
    direct, converted, canonical = (
        outcome(text, *passes) for passes in ((), (ConvertSigilToAtlasPass(),), (CanonicalizeSigilTilesPass(),))
    )
    assert np.array_equal(direct, converted)
    assert np.array_equal(direct, canonical)


def outcome(text: str, *passes: Any) -> Any:
    """Class memory after a run, or the code of the error of a circuit that has no tile reading."""
    module, state = sigil.parse(text), AtlasState(START.copy())
    try:
        for pass_ in passes:
            pass_.apply(make_context(), module)
            module.verify()
        interpret(module, None, [], state=state)
    except PassError as error:
        return np.array(error.code)
    return state.classes
