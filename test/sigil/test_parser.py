"""Texts that are circuits and texts that are not: each rule of the grammar, places of errors, and depth."""

from __future__ import annotations

import pytest

import hologram
from hologram import sigil
from hologram.errors import InputError

DEPTH = 10_000


def refused(text: str) -> hologram.CircuitError:
    with pytest.raises(hologram.CircuitError) as caught:
        sigil.read(text)
    return caught.value


@pytest.mark.parametrize(
    "text",
    [
        "mark@c[0..95]", "merge@c[3..3]", "quote@c[1..2]", "evaluate@c[1..2]", "merge@c[1..2]",
        "copy@c00->c01", "swap@c00^R-1~@0<->c95@47", "merge.relu@c00[c01^T+2,c02~]", "split.div@c00[c01,c02]",
    ],
)  # fmt: skip
def test_targets(text: str):
    assert sigil.read(text).text == text


@pytest.mark.parametrize(
    ("text", "canonical"),
    [
        ("mark@c5", "mark@c05"),
        ("mark@c0005", "mark@c05"),
        ("mark@c00^-2", "mark@c00^T-2"),
        ("mark @ c00 ^ R + 01 ~ @ 007", "mark@c00^R+1~@7"),
        ("merge . add @ c00 [ c01 , c02 ]", "merge.add@c00[c01,c02]"),
        ("mark@c[ 00 .. 95 ]", "mark@c[0..95]"),
        ("((mark@c00) . (mark@c01 . mark@c02))", "mark@c00 . mark@c01 . mark@c02"),
        ("(mark@c00 || mark@c01)", "mark@c00 || mark@c01"),
        ("(mark@c00 || mark@c01) || mark@c02", "(mark@c00 || mark@c01) || mark@c02"),
        ("mark@c00 . (mark@c01 || mark@c02)", "mark@c00 . (mark@c01 || mark@c02)"),
        ("R+1@ (T+0@ mark@c00)", "R+1@ R+0@ mark@c00"),
        ("(R+1@ mark@c00) . mark@c01", "(R+1@ mark@c00) . mark@c01"),
        ("(R+1@ mark@c00) || mark@c01", "(R+1@ mark@c00) || mark@c01"),
        ("mark@c01 || (R+1@ mark@c00)", "mark@c01 || R+1@ mark@c00"),
        ("(mark@c01 || R+1@ mark@c00) || mark@c02", "(mark@c01 || R+1@ mark@c00) || mark@c02"),
        ("~@ (mark@c00 || mark@c01)", "~@ mark@c00 || mark@c01"),
        ("\tmark@c00 // one\n. mark@c01//two", "mark@c00 . mark@c01"),
    ],
)  # fmt: skip
def test_canonical_text(text: str, canonical: str):
    assert sigil.read(text).text == canonical
    assert sigil.read(canonical).text == canonical


@pytest.mark.parametrize(
    ("text", "offset"),
    [
        ("", 0), (" \n// nothing\n", 12), ("()", 1), ("mark@c00 .", 10), ("mark@c00 ||", 11), ("(mark@c00", 9),
        ("mark@c00->c01", 8), ("copy@c00<->c01", 8), ("swap@c00->c01", 8), ("copy@c00[c01,c02]", 8),
        ("copy@c[0..1]", 5), ("swap@c[0..1]", 5), ("split@c[0..1]", 6), ("merge@c00[c01]", 13),
        ("merge@c00[c01,c02", 17), ("mark@c[0.1]", 8), ("mark@c[0..1", 11), ("mark@c [0..1]", 5),
        ("mark@c[0..1]@3", 12), ("mark@c[0..1]~", 12), ("mark@c[5..96]", 10), ("mark@c[5..3]", 10),
        ("R@ mark@c00", 1), ("R+@ mark@c00", 2), ("R+1 mark@c00", 4), ("R+1 ~ ~@ mark@c00", 6),
        ("D+1 R+1@ mark@c00", 4),
        ("@ mark@c00", 0), ("mark.add@c00", 5), ("merge.sub@c00", 6), ("merge.foo@c00", 6), ("add@c00", 0),
        ("copy . add@c00", 7),
        ("merge . copy@c00", 8), ("mark@c00^R1", 9), ("mark@c00^M+1", 9), ("mark@c00@48", 9), ("mark@c00@@", 9),
        ("mark@c00 | mark@c01", 9), ("mark@c00 / mark", 9), ("marks@c00", 0), ("mark@C00", 5), ("m\u00e4rk@c00", 0),
        ("mark@c00 \r\n", 9), ("mark@c99 $", 9), ("mark@c99 )", 5), ("mark@c00 .. mark@c01", 9), ("c00", 0),
        ("(mark@c00 || mark@c01", 21), ("mark@c00)) $", 11), ("R+1@", 4), ("mark@c00 R+1@ mark@c01", 9),
        ("mark@c00(mark@c01)", 8), ("mark@c12345678901234567890123", 5), ("R+" + "9" * 1001 + "@ mark@c00", 2),
    ],
)  # fmt: skip
def test_offsets(text: str, offset: int):
    assert refused(text).offset == offset


def test_place_of_an_error():
    error = refused("mark@c00 .\n\tmark@c01 .\n  mark@c96 // no such class")
    assert (error.offset, error.line, error.column) == (30, 3, 8)
    assert str(error).splitlines() == [
        "<circuit>:3:8: error: class is 96, out of the range of 0 to 95 [circuit-number]",
        "    mark@c96 // no such class",
        "         ^^^",
    ]


def test_names_in_errors():
    with pytest.raises(hologram.CircuitError, match=r"mine\.circuit:1:1: .*(?s:.*)did you mean 'mark'"):
        sigil.parse("mrak@c00", name="mine.circuit")


def test_deep_parentheses(monkeypatch: pytest.MonkeyPatch):
    """The limit alone refuses them."""
    text = "(" * DEPTH + "mark@c00" + ")" * DEPTH
    assert sigil.read(text).text == "mark@c00"
    with pytest.raises(InputError, match=":1:1001: error: more than 1000 levels are nested here"):
        sigil.parse(text)
    monkeypatch.setenv("HOLOGRAM_MAX_NESTING", str(DEPTH))
    assert sigil.to_text(sigil.parse(text)) == "mark@c00\n"
    assert refused(text[:-1]).offset == len(text) - 1


def test_deep_prefixes():
    circuit = sigil.read("(R+1 ~@ " * DEPTH + "mark@c08" + ")" * DEPTH)
    assert circuit.classes == [8]
    assert len(circuit.words) == 2 * DEPTH + DEPTH + 1
    assert circuit.words[2 * DEPTH - DEPTH // 2 - 1] == f"→ρ[{DEPTH}]"
    module = sigil.parse(circuit.text)
    assert sigil.to_text(module) == f"{circuit.text}\n"


def test_deep_branches():
    circuit = sigil.read("(mark@c00 || (R+1@ copy@c01 . " * 2000 + "mark@c02" + "))" * 2000)
    assert circuit.classes[:6] == [0, 25, 24, 49, 48, 73]
    assert len(circuit.words) == 7 * 2000 + 1
    assert sigil.read(circuit.text).text == circuit.text
    shallower = "(mark@c00 || " * 500 + "mark@c02" + ")" * 500
    assert sigil.to_text(sigil.parse(shallower)) == f"{sigil.read(shallower).text}\n"


def test_types():
    (circuit,) = sigil.parse("mark@c00", type="u8").ops
    assert "u8 {" in str(circuit)
    with pytest.raises(hologram.InputError, match="circuit-type"):
        sigil.parse("mark@c00", type="bool")


def test_repr():
    assert repr(sigil.read("mark@c0")) == "<hologram.sigil.Circuit mark@c00>"
    assert len(repr(sigil.read(" . ".join(["mark@c0"] * 99)))) < 100
