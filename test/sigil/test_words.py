"""The word reading beyond the vectors, and the canonical form of words."""

from __future__ import annotations

import os
import random
from pathlib import Path

import pytest

from hologram import sigil
from hologram.dialects.sigil.words import RULES
from in_process import run_tool

WORDS = int(os.environ.get("HOLOGRAM_FUZZ", "1500"))
"""The number of random words; `make fuzz` takes 10,000."""
TEXTS = {"c": "copy@c05->c06", "X": "mark@c21", "Z": "mark@c42", "S": "mark@c07", "I": "mark@c00"}
LETTERS = {"copy 5->6": "c", "mark 21": "X", "mark 42": "Z", "mark 7": "S", "mark 0": "I"}


def text_of(word: str) -> str:
    return " . ".join(TEXTS[letter] for letter in word)


def canonical(word: str) -> str:
    return "".join(LETTERS[call] for call in sigil.read(text_of(word)).canonical().calls)


def by_chance(word: str, source: random.Random) -> str:
    """The word by the rules, each applied anywhere where it can be."""
    while True:
        places = [(at, left) for left in RULES for at in range(len(word)) if word.startswith(left, at)]
        if not places:
            return word or "I"
        at, left = source.choice(places)
        word = word[:at] + RULES[left] + word[at + len(left) :]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("quote@c[8..10]", ["quote[ℓ=2]", "quote[ℓ=1]", "quote[ℓ=0]"]),
        ("~@ merge@c[8..8]", ["→μ", "merge[d=2]", "←μ"]),
        ("evaluate@c[23..24]", ["phase[h₂=1]", "evaluate", "phase[h₂=0]", "evaluate"]),
        ("copy@c08->c16", ["copy[d=1]"]),
        ("merge.mul@c16[c00,c08]", ["merge[d=2]"]),
        ("split.div@c07[c00,c08]", ["split[ℓ=7]"]),
        ("swap@c00<->c01 . mark@c02", ["mark", "swap"]),
        ("R+1@ (R-1@ mark@c00)", ["→ρ[1]", "mark", "←ρ[1]"]),
        ("R+5 D-4 T+9@ mark@c00", ["→ρ[5]", "→δ[2]", "→τ[9]", "mark", "←ρ[5]", "←δ[2]", "←τ[9]"]),
        ("R+1@ (T+0@ mark@c00)", ["→ρ[1]", "→ρ[1]", "mark", "←ρ[1]", "←ρ[1]"]),
    ],
)  # fmt: skip
def test_words(text: str, words: list[str]):
    assert sigil.read(text).words == words


@pytest.mark.parametrize("left", RULES)
def test_each_rule(left: str):
    assert canonical(left) == (RULES[left] or "I")


@pytest.mark.parametrize(
    ("left", "right"), [("HXH", "Z"), ("HH", "I"), ("XX", "I"), ("ZZ", "I"), ("SS", "Z"), ("II", "I"), ("H" * 4, "I")]
)
def test_the_laws(left: str, right: str):
    assert canonical(left.replace("H", "cX")) == canonical(right)


def test_h4_goes_from_8_to_1():
    circuit = sigil.read(text_of("cX" * 4))
    assert (len(circuit.calls), circuit.canonical().calls) == (8, ["mark 0"])


def test_one_normal_form():
    """Random words, each by a strategy of its own; and any bracketing gives the same."""
    source = random.Random(5)
    for _ in range(WORDS):
        word = "".join(source.choice("cXZSI") for _ in range(source.randint(0, 16)))
        found = by_chance(word, source)
        assert canonical(word or "I") == found, word
        assert canonical(found) == found


def test_critical_pairs():
    """If two rules overlap, both ways lead to one word, so by Newman's lemma the system is confluent."""
    source = random.Random(1)
    for a in RULES:
        for b in RULES:
            for shared in range(1, min(len(a), len(b)) + 1):
                if a.endswith(b[:shared]):
                    word = a + b[shared:]
                    first, second = RULES[a] + b[shared:], a[: len(a) - shared] + RULES[b]
                    assert by_chance(first, source) == by_chance(second, source), word


@pytest.mark.parametrize(
    ("text", "canonical_text"),
    [
        ("mark@c21@3 . mark@c21@3", "mark@c00"),
        ("mark@c21@3 . mark@c21", "mark@c21@3 . mark@c21"),
        ("mark@c07@2 . mark@c07@2 . copy@c00->c05", "mark@c42@2 . copy@c00->c05"),
        ("copy@c05->c33 . mark@c21", "mark@c42 . copy@c05->c33"),
        ("R+1@ mark@c93 . mark@c93", "mark@c00"),
        ("R+1@ (mark@c93 . mark@c94)", "mark@c21 . mark@c22"),
        ("mark@c[21..21] . mark@c21", "mark@c[21..21] . mark@c21"),
        ("quote@c21 . quote@c21", "quote@c21 . quote@c21"),
        ("copy@c05 . (mark@c00 || mark@c21 . mark@c21) . mark@c21", "copy@c05 . (mark@c00 || mark@c00) . mark@c21"),
        ("~@ mark@c[8..16]", "mark@c08 . mark@c[16..23]"),
    ],
)  # fmt: skip
def test_what_matches(text: str, canonical_text: str):
    assert sigil.read(text).canonical().text == canonical_text


def test_the_pass(tmp_path: Path):
    file = tmp_path / "h4.circuit"
    file.write_text(text_of("cX" * 4), encoding="utf-8")
    done = run_tool("hologram-opt", [str(file), "-p", "canonicalize-sigil-words", "-t", "circuit"])
    assert done.text == "mark@c00\n"
