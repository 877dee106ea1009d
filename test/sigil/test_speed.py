"""100,000 operations parse in under 5 s and are brought to canonical form in under 12 s of processor time, on the
machine that the bounds were set on."""

from __future__ import annotations

import random
from time import process_time

import pytest

from hologram import sigil
from hologram.dialects import make_context
from hologram.transforms.numbers.canonicalize_sigil_words import CanonicalizeSigilWordsPass
from machine_speed import allowed

OPERATIONS = 100_000


@pytest.mark.speed
def test_many_operations():
    source = random.Random(1)
    letters = ["copy@c05->c06", "mark@c21", "mark@c42", "mark@c07", "mark@c00"]
    text = " . ".join(source.choice(letters) for _ in range(OPERATIONS))
    start = process_time()
    module = sigil.parse(text)
    parsed = process_time()
    CanonicalizeSigilWordsPass().apply(make_context(), module)
    done = process_time()
    assert parsed - start < allowed(5)
    assert done - parsed < allowed(12)
