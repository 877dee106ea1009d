"""Random array-level programs: those of the corpus with other settings, maps, types and orders, as far as valid."""

from __future__ import annotations

import copy
from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

from hologram.dialects.atlas.arrays.form import Setting
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.constants import constant_attribute, constant_bits
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.index_maps import settled
from hologram.dialects.machine.listing import (
    Array,
    ArrayLine,
    Arrays,
    Code,
    Index,
    IndexMap,
    Item,
    Line,
    Listing,
    Scalar,
    Value,
)
from hologram.errors import HologramError
from hologram.frontend.assembler import parse_listing
from hologram.transforms.analysis.verifier import verify_module

CORPUS = Path(__file__).parent / "programs" / "arrays.atlas"
F64 = DTYPES["f64"]
TRIES = 4
"""The number of tries of another program before one of the corpus is taken as it is."""


@cache
def corpus() -> tuple[list[Arrays], dict[str, Code]]:
    """The array-level programs of the corpus, and its functions by name."""
    listing = parse_listing(CORPUS.read_text("utf-8"), "corpus")
    programs = [item for item in listing if isinstance(item, Arrays)]
    return programs, {item.name: item for item in listing if isinstance(item, Code)}


def random_arrays(random: Random) -> Listing:
    """A valid array-level program, `grid`, and the functions of its regions, `region0` and so on."""
    for _ in range(TRIES):
        items = _candidate(random, changed=True)
        try:
            verify_module(module_of(items))
        except HologramError:
            continue
        return items
    return _candidate(random, changed=False)


def _candidate(random: Random, *, changed: bool) -> Listing:
    programs, functions = corpus()
    program = copy.deepcopy(random.choice(programs))
    program.name = "grid"
    if changed:
        kept = [line for line in program.lines if isinstance(line, Line) or random.random() < 0.7]
        program.lines = [_line(random, line) if isinstance(line, ArrayLine) else line for line in kept]
        if random.random() < 0.3:
            program.lines += copy.deepcopy(program.lines)
    names: dict[str, str] = {}
    for line in program.lines:
        if isinstance(line, ArrayLine):
            line.settings = tuple(_named(names, s, v) for s, v in zip(_settings(line), line.settings, strict=True))
    items: list[Item] = [program, *(replace(functions[old], name=new) for old, new in names.items())]
    dtype = random.choice((None, None, "f64", "bf16", "i32", "u64", "i128"))
    if changed and dtype is not None:
        items = [_retyped(item, dtype) for item in copy.deepcopy(items)]
    random.shuffle(items)
    return items


def _settings(line: ArrayLine) -> tuple[Setting, ...]:
    return ARRAY_FORMS[line.name].settings


def _named(names: dict[str, str], setting: Setting, value: Value) -> Value:
    """A function's name becomes one of this program."""
    if setting.kind != "function" or not isinstance(value, str):
        return value
    return names.setdefault(value, f"region{len(names)}")


def _line(random: Random, line: ArrayLine) -> ArrayLine:
    form = ARRAY_FORMS[line.name]
    line = replace(
        line, settings=tuple(_setting(random, s, v) for s, v in zip(form.settings, line.settings, strict=True))
    )
    if form.choice is not None and random.random() < 0.5:
        line.choice = random.choice(form.choice.choices)
    return line


def _setting(random: Random, setting: Setting, value: Value) -> Value:
    if random.random() < 0.5:
        return value
    match setting.kind:
        case "mark" | "flag":
            return random.choice((None, 1))
        case "float":
            bits = random.choice((0, 1, 1 << 63, random.getrandbits(64)))
            bits = constant_bits(constant_attribute(bits, F64), F64)
            return random.choice((None, bits)) if setting.optional else bits
        case "integer":
            return random.choice((0, 1, 2, 1 << 40))
        case "maps" if isinstance(value, tuple):
            return tuple(_map(random, m) if isinstance(m, IndexMap) else m for m in value)  # pyright: ignore[reportReturnType]
        case _:
            return value


def _map(random: Random, map: IndexMap) -> IndexMap:
    """The map with other indices in some axes."""
    indices = tuple(i if random.random() < 0.6 else _index(random, map.loops, 3) for i in map.indices)
    return settled(IndexMap(map.loops, indices))


def _index(random: Random, loops: int, depth: int) -> Index:
    if depth == 0 or random.random() < 0.3:
        return ("d", random.randrange(loops)) if loops and random.random() < 0.7 else ("c", random.randint(-5, 100))
    kind = random.choice(("+", "+", "*", "floordiv", "ceildiv", "mod"))
    left = _index(random, loops, depth - 1)
    if kind == "+":
        return kind, left, _index(random, loops, depth - 1)
    return kind, left, ("c", random.randint(-3, 9) if kind == "*" else random.randint(1, 9))


def _retyped(item: Item, dtype: str) -> Item:
    """The item with `dtype` in place of f32."""

    def other(name: str) -> str:
        return dtype if name == "f32" else name

    assert isinstance(item, Arrays | Code)
    item.parameters = [
        replace(p, dtype=other(p.dtype)) if isinstance(p, Array) else Scalar(other(p.dtype), p.register)
        for p in item.parameters
    ]
    for line in item.lines:
        if isinstance(line, Line | ArrayLine):
            line.types = tuple(map(other, line.types))
        if isinstance(line, ArrayLine):
            kinds = (s.kind for s in _settings(line))
            line.settings = tuple(
                tuple(other(str(t)) for t in value) if kind == "types" and isinstance(value, tuple) else value
                for kind, value in zip(kinds, line.settings, strict=True)
            )
    if isinstance(item, Code):
        item.outs = [Scalar(other(o.dtype), o.register) for o in item.outs]
    else:
        item.temporaries = [replace(t, dtype=other(t.dtype)) for t in item.temporaries]
    return item
