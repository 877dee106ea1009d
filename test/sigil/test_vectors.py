"""Every vector of sigil.json: expressions, error offsets, calls, the byte map and the transforms."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import hologram
from hologram import classes, sigil
from hologram.dialects.sigil.syntax import Transform

VECTORS: dict[str, Any] = json.loads((Path(__file__).parent / "data" / "sigil.json").read_text(encoding="utf-8"))
"""/shared's vectors, copied."""
READINGS = ("classes", "bytes", "addresses", "words", "calls")


def named(vector: dict[str, Any]) -> str:
    return vector["input"]


@pytest.mark.parametrize("vector", VECTORS["expressions"] + VECTORS["circuit_calls"], ids=named)
def test_readings(vector: dict[str, Any]):
    circuit = sigil.read(vector["input"])
    said = {name: vector[name] for name in READINGS if name in vector}
    assert {name: getattr(circuit, name) for name in said} == said
    if "canonical" in vector:
        canonical = circuit.canonical()
        assert canonical.calls == vector["canonical"]
        assert [len(circuit.calls), len(canonical.calls)] == vector["ops"]


@pytest.mark.parametrize("vector", VECTORS["expressions"] + VECTORS["circuit_calls"], ids=named)
def test_the_canonical_text_reads_the_same(vector: dict[str, Any]):
    circuit = sigil.read(vector["input"])
    again = sigil.read(circuit.text)
    assert again.text == circuit.text
    assert [getattr(again, name) for name in READINGS] == [getattr(circuit, name) for name in READINGS]
    assert sigil.to_text(sigil.parse(vector["input"])) == f"{circuit.text}\n"


@pytest.mark.parametrize("vector", VECTORS["errors"], ids=named)
@pytest.mark.parametrize("use", [sigil.read, sigil.parse])
def test_error_offsets(vector: dict[str, Any], use: Any):
    with pytest.raises(hologram.CircuitError) as caught:
        use(vector["input"])
    assert caught.value.offset == vector["offset"]


@pytest.mark.parametrize("text", VECTORS["circuit_errors"])
def test_circuit_errors(text: str):
    with pytest.raises(hologram.CircuitError):
        sigil.parse(text)


def test_byte_map():
    assert [classes.sigil_class(byte) for byte in range(256)] == VECTORS["byte_to_class"]


@pytest.mark.parametrize("name", VECTORS["transforms"])
def test_transforms(name: str):
    axis, _, amount = name.partition("^")
    transform = Transform(mirror=True) if axis == "M" else Transform()._replace(**{axis.lower(): int(amount)})
    assert [transform.element(c) for c in range(96)] == VECTORS["transforms"][name]


@pytest.mark.parametrize("axis", VECTORS["transform_orders"])
def test_orders(axis: str):
    step = Transform(mirror=True) if axis == "M" else Transform()._replace(**{axis.lower(): 1})
    power, order = step.element, 1
    while any(power(c) != c for c in range(96)):
        power, order = step.element.after(power), order + 1
    assert order == VECTORS["transform_orders"][axis]
