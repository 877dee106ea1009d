"""Random modules of the machine form as listings: every instruction of the table, every operand kind, any flow."""

from __future__ import annotations

from random import Random

from hologram import isa
from hologram.dialects.atlas.instructions.form import Field, Form
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes.programs import SPECIAL_REGISTERS
from hologram.dialects.machine.constants import constant_attribute, constant_bits
from hologram.dialects.machine.instruction import FORMS, SPECIAL_TYPES
from hologram.dialects.machine.listing import Address, Array, Code, Jump, Line, Listing, Operand, Pool, Scalar
from hologram.dialects.machine.registers import SPACES, registers_of
from machine_form.random_arrays import random_arrays

OBJECTS = {"global": "buf", "shared": "shared", "local": "local", "pool": "pool", "class": "c"}
ARRAYS = 0.6
"""The frequency of array-level programs."""
COUNTS = {"buf": 2, "shared": 2, "local": 1, "pool": 1, "c": 96}


def check_inverses(text: str) -> None:
    """Canonical text, the IR that it makes, and the binary go over into each other without a change."""
    module = isa.assemble(text)
    printed = str(module)
    assert isa.disassemble(module) == text
    data = isa.encode(module)
    decoded = isa.decode(data)
    assert str(decoded) == printed
    assert isa.encode(decoded) == data
    assert isa.disassemble(decoded) == text


def random_listing(random: Random, size: int = 12) -> Listing:
    """A module with a pool, a function and a program of about `size` lines each, often an array-level program too."""
    function = Code("helper", True)
    pointer = f"ptr<{random.choice(('f32', 'i128', 'bool'))}, {random.choice(SPACES)}>"
    function.parameters = [Scalar("f32", 1), Scalar("bool", 2), Scalar(pointer, 7)]
    function.outs = [Scalar(random.choice(("f64", "u128", "i8")), 4)]
    function.arrays = [("local", _array(random))]
    _fill(random, function, size, ["helper"])
    program = Code("main")
    program.parameters = [Scalar("u64", 0), Array("f32", (-1,)), Scalar("bool", 3), Array("u8", (-1, 4))]
    program.block = _sizes(random)
    program.grid = _sizes(random)
    program.shared = random.choice((None, 0, 4096))
    program.arrays = [("shared", _array(random)), ("local", _array(random)), ("shared", Array("f16", (-1,)))]
    _fill(random, program, size, ["helper"])
    arrays = random_arrays(random) if random.random() < ARRAYS else []
    items = [*random.sample([function, program], 2), *arrays]
    return [Pool(_array(random)), *(items if random.random() < 0.5 else items[::-1])]


def _array(random: Random) -> Array:
    return Array(random.choice(list(DTYPES)), (random.choice((1, 7, 1 << 20)),))


def _sizes(random: Random) -> tuple[int, int, int] | None:
    return random.choice((None, (256, 1, 1), (random.randint(1, 1024), 2, (1 << 32) - 1)))


def _fill(random: Random, code: Code, size: int, functions: list[str]) -> None:
    places = sorted(random.randint(0, size) for _ in range(random.randint(0, 5)))
    code.labels = [(place, f"label_{n}.{place}") for n, place in enumerate(places)]
    code.lines = [_line(random, code, functions) for _ in range(size)]
    code.lines.append(Jump("ret" if code.is_function else "exit"))


def _line(random: Random, code: Code, functions: list[str]) -> Line | Jump:
    if random.random() < 0.25:
        return _jump(random, code, functions)
    form = random.choice(list(FORMS.values()))
    return random_line(random, form, code.is_function)


def _jump(random: Random, code: Code, functions: list[str]) -> Jump:
    kind = random.choice(("bra", "bra", "loop", "call", "exit"))
    if kind == "call":
        return Jump("call", random.choice(functions))
    if kind == "exit" or not code.labels:
        return Jump("ret" if code.is_function and random.random() < 0.5 else "exit")
    target = random.randrange(len(code.labels))
    if kind == "loop":
        return Jump("loop", target, random.randrange(256), type=random.choice(("u32", "u64")))
    predicate = random.choice((-1, random.randrange(16)))
    return Jump("bra", target, predicate, predicate >= 0 and random.random() < 0.5)


def random_line(random: Random, form: Form, is_function: bool) -> Line:
    """A valid line of an instruction."""
    modifiers = tuple(random.choice(m.choices) for m in form.modifiers)
    chosen = dict(zip((m.name for m in form.modifiers), modifiers, strict=True))
    types = {name: random.choice([t for t in DTYPES if t in allowed]) for name, allowed in form.types.items()}
    special = random.choice(SPECIAL_REGISTERS)
    if any(f.kind == "special" for f in form.fields):
        types["type"] = SPECIAL_TYPES[special]
    immediates = {f.name: random.choice((1, 2, 3)) for f in form.fields if f.kind == "immediate"}
    vector = int((chosen.get(form.vector) or "v1")[1:])
    operands = tuple(
        special if f.kind == "special" else immediates[f.name] if f.kind == "immediate"
        else _operand(random, f, types, immediates, vector, is_function)
        for f in form.fields
    )  # fmt: skip
    return Line(form.name, modifiers, tuple(types.values()), operands)


def _operand(
    random: Random, field: Field, types: dict[str, str], immediates: dict[str, int], vector: int, is_function: bool
) -> Operand:
    if field.kind == "register":
        dtype = field.type_under(types)
        times = immediates.get(field.times, 1) * (vector if field.value == "T" else 1)
        if dtype == "bool":
            return random.randrange(16 - times + 1)
        width = times if dtype == "ptr" else registers_of(DTYPES[dtype], times)
        return random.randrange(256 - width + 1)
    if field.kind == "constant":
        dtype = DTYPES[types["type"]]
        bits = random.choice((0, 1, (1 << dtype.bits) - 1, random.getrandbits(dtype.bits)))
        return constant_bits(constant_attribute(bits, dtype), dtype)
    if field.kind == "pool":
        return "pool0"
    if field.kind == "text":
        return random.choice(("", "out of range", 'a "quoted" \\ text', "two\nlines\t\x00", "Φ of é \U0001f600"))
    return _address(random, field, is_function)


def _address(random: Random, field: Field, is_function: bool) -> Address:
    index = random.choice((None, random.randrange(256)))
    offset = random.choice((0, 4, 64, -8, random.randint(-(1 << 63), (1 << 63) - 1)))
    spaces = [s for s in field.spaces if not (is_function and s in ("global", "shared"))]
    kinds = ["reg", *(OBJECTS[s] for s in spaces), *(["phi"] if "class" in spaces else [])]
    kind = random.choice(kinds)
    if kind in ("reg", "phi"):
        registers = tuple(random.randrange(256) for _ in range(1 if kind == "reg" else 3))
        return Address(kind, registers, index, offset)
    return Address(f"{kind}{random.randrange(COUNTS[kind])}", (), index, offset)
