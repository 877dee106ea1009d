"""Random programs of the machine form go through all its prints unchanged, and no changed binary is accepted.

`make fuzz` makes 5,000 programs and 100,000 mutations.
"""

from __future__ import annotations

from random import Random

import pytest

from fuzz.counts import FUZZING, PROGRAMS, WORKERS, seed
from hologram import isa
from hologram.dialects.machine import container
from hologram.dialects.machine.from_listing import module_of
from hologram.errors import HologramError
from hologram.transforms.analysis.verifier import verify_module
from machine_form.random_programs import check_inverses, random_listing

SEED = seed("forms")
LISTINGS = PROGRAMS // 2 if FUZZING else 12
MUTATIONS = PROGRAMS * 10 if FUZZING else 2000


@pytest.mark.parametrize("part", range(WORKERS))
def test_random_programs_keep_every_byte(part: int):
    for number in range(part, LISTINGS, WORKERS):
        module = module_of(random_listing(Random(f"{SEED} {number}")))
        try:
            verify_module(module)
            check_inverses(isa.disassemble(module))
        except Exception as error:
            raise AssertionError(f"program '{SEED} {number}': {error}\n{isa.disassemble(module)}") from error


def some_containers(random: Random) -> list[bytes]:
    return [isa.encode(module_of(random_listing(random, 8))) for _ in range(4)]


def test_any_changed_byte_is_refused():
    random = Random(SEED)
    made = some_containers(random)
    for _ in range(MUTATIONS):
        data = bytearray(random.choice(made))
        data[random.randrange(len(data))] ^= random.randint(1, 255)
        with pytest.raises(HologramError) as caught:
            isa.decode(bytes(data))
        assert caught.value.code.startswith("binary-")


def test_forged_digests_give_valid_programs_or_refusals():
    """A container with a changed byte and a new digest is a valid program in its one encoding, or is refused."""
    random = Random(SEED)
    made = some_containers(random)
    refused = 0
    for _ in range(MUTATIONS // 20):
        data = bytearray(random.choice(made))
        data[random.randrange(container.HEADER, len(data))] ^= random.randint(1, 255)
        data[container.HEAD.size : container.HEADER] = container.digest_of(bytes(data))
        try:
            module = isa.decode(bytes(data))
        except HologramError:
            refused += 1
            continue
        assert isa.encode(module) == bytes(data)
    assert refused > MUTATIONS // 80


PIECES = (
    "r0", "p1", "[", "]", "{", "}", "(", ")", "@", "!", ".shared", "shared0:", "f32", "-", "+", "Φ", "%gid", "loop",
    "bra", "end", ":", "9" * 5000, "0x" + "f" * 2000, "1e99999999", "nan", "cvt", ".", "->", "<", ">", "?", "\n", ",",
    ".arrays", ".temp", "temp0", "maps(", "(d0) -> (d0)", "axis(", "body(", "floordiv", "*", "trans_a",
    "d0", "f64[buf0.0]",
    "ret", "call", "buf0", "c97", "ptr", "mov_imm.u4096 r0,", "mov_imm.f32 r0, 1e-999999", "é", "\t", '"',
)  # fmt: skip


def test_garbled_assembly_is_refused_at_its_place_or_read():
    random = Random(SEED)
    texts = [isa.disassemble(module_of(random_listing(random, 8))) for _ in range(4)]
    placeless = 0
    for _ in range(MUTATIONS // 10):
        text = random.choice(texts)
        for _ in range(random.randint(1, 3)):
            start = random.randrange(len(text))
            end = min(len(text), start + random.randint(0, 6))
            text = text[:start] + random.choice((random.choice(PIECES), f" {random.choice(PIECES)} ", "")) + text[end:]
        try:
            module = isa.assemble(text)
        except HologramError as error:
            placeless += error.where is None
            continue
        check_inverses(isa.disassemble(module))
    assert not placeless
