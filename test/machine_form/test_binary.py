"""The binary container refuses whatever was changed, and its numbers never change."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from random import Random

import pytest

from hologram import isa
from hologram.dialects.machine import container
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.numbers import declared, numbers
from hologram.errors import HologramError
from machine_form.random_programs import random_listing

ROOT = Path(__file__).resolve().parents[2]


def refusal(data: bytes) -> str:
    """The code of the error that refuses a container."""
    with pytest.raises(HologramError) as caught:
        isa.decode(data)
    return caught.value.code


def test_each_bit_of_the_header_counts():
    data = isa.encode(module_of(random_listing(Random(3), 8)))
    for bit in range(8 * (container.HEADER + 3 * container.SECTION.size)):
        changed = bytearray(data)
        changed[bit // 8] ^= 1 << bit % 8
        assert refusal(bytes(changed)).startswith("binary-")


def test_cut_off_and_appended_bytes_are_refused():
    data = isa.encode(module_of(random_listing(Random(4), 8)))
    for end in (0, 1, 8, container.HEADER - 1, container.HEADER, len(data) - 1):
        assert refusal(data[:end]) in ("binary-magic", "binary-length")
    assert refusal(data + b"\0") == "binary-length"


# The table of numbers


def test_every_instruction_has_its_number():
    missing = [name for name in declared() if name not in numbers().opcodes]
    assert not missing, f"run 'make docs', which gives numbers to new instructions: {missing}"


def test_signatures_are_those_of_the_declarations():
    changed = {name: (s, declared()[name]) for name, s in numbers().signatures.items() if declared().get(name) != s}
    assert not changed, f"run 'make docs', which gives a new number to what is encoded in another way: {changed}"


def test_numbers_are_unique_and_fit():
    for table, limit in (
        (numbers().opcodes, 1 << 16), (numbers().types, 256), (numbers().specials, 256), (numbers().objects, 128),
    ):  # fmt: skip
        assert len(set(table.values())) == len(table)
        assert all(0 <= n < limit for n in table.values())


@pytest.mark.parametrize("version", ["1.0", "1.1"])
def test_numbers_that_were_given_stay(version: str):
    given = json.loads((Path(__file__).parent / f"numbers-{version}.json").read_text("utf-8"))
    now = json.loads((ROOT / "dialects/machine/numbers.json").read_text("utf-8"))
    rows = {row["number"]: (name, row["signature"]) for name, row in now["instructions"].items()}
    rows |= {int(number): (row["name"], row["signature"]) for number, row in now["retired"].items()}
    for name, row in given["instructions"].items():
        assert rows[row["number"]] == (name, row["signature"])
    for kind in given.keys() - {"instructions"}:
        assert {name: now[kind].get(name) for name in given[kind]} == given[kind]


def test_no_number_is_given_twice():
    table = json.loads((ROOT / "dialects/machine/numbers.json").read_text("utf-8"))
    assert not {row["number"] for row in table["instructions"].values()} & set(map(int, table["retired"]))


def test_the_script_appends_and_retires():
    script = runpy.run_path(str(ROOT / "docs/number_opcodes.py"))
    now = json.loads((ROOT / "dialects/machine/numbers.json").read_text("utf-8"))
    assert script["extended"](now) == now
    assert script["text"](now) == (ROOT / "dialects/machine/numbers.json").read_text("utf-8")
    older = json.loads(json.dumps(now))
    last = max(older["instructions"], key=lambda name: older["instructions"][name]["number"])
    del older["instructions"][last], older["types"][list(older["types"])[-1]]
    assert script["extended"](older) == now
    changed = json.loads(json.dumps(now))
    changed["instructions"]["fma"]["signature"] = "fma as it was"
    again = script["extended"](changed)
    number = str(now["instructions"]["fma"]["number"])
    assert again["retired"][number] == {"name": "fma", "signature": "fma as it was"}
    assert again["instructions"]["fma"]["number"] > max(r["number"] for r in now["instructions"].values())
