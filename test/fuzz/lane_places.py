"""Memory in random lane programs: four places a lane in each space, by index and pointer, alone and as vectors; places
of other lanes between barriers; reductions; atomics; neighbours of classes. Free of races by shape."""

from __future__ import annotations

from dataclasses import dataclass

from .lane_values import BITS, BYTES, ELEMENTS, HELD, INTEGERS, NUMBERS, STORED, WIDE, Lane, LaneProgram, isa, sign

COUNTERS = ("i32", "i64")
"""The element types of arrays that lanes update by atomics, a place for each operation that commutes with itself."""
UPDATES = ("add", "min", "max", "and", "or", "xor")
LOCAL = "memref<4xf32, #atlas.space<local>>"
SPACES = ("local", "local", "shared", "shared", "pool", "pool", "scratch", "scratch", "class")
ACCESSES = {"local": ("ldl", "stl"), "shared": ("lds", "sts"), "pool": ("pool.load", "pool.store")}
SPAN = 300
"""The elements of arrays that are only read."""


def memref(p: LaneProgram, space: str, type: str) -> str:
    """The type of the array in a space with four places a lane."""
    sizes = {"local": 4, "shared": 4 * p.block, "pool": 4 * p.block * p.grid}
    return f"memref<{sizes[space]}x{type}, #atlas.space<{space}>>" if space in sizes else f"memref<?x{type}>"


@dataclass(frozen=True)
class Slot:
    """The four places of a lane: an array and the index of the first, or a pointer to it."""

    type: str
    space: str
    base: str
    base_type: str
    index: Lane | None

    def at(self, p: LaneProgram, element: int) -> str:
        """The text of the place of one."""
        if self.index is None:
            offset = p.number(element * BYTES[self.type])
            return f"{self.base}[{offset.name} : i64] : {self.base_type}"
        index = p.op(f"add i64 {self.index.name}, {p.number(element).name}", "i64") if element else self.index
        return f"{self.base}[{index.name} : i64] : {self.base_type}"

    @property
    def load(self) -> str:
        return ACCESSES.get(self.space, ("ldg", "stg"))[0]

    @property
    def store(self) -> str:
        return ACCESSES.get(self.space, ("ldg", "stg"))[1]


def _slot(p: LaneProgram, space: str, type: str, lane: str = "%lane", gid: str = "%gid") -> Slot:
    """The places of a lane of this block."""
    if space == "class":
        return _class_slot(p, type, gid)
    array, of = p.needs(space, type), memref(p, space, type)
    if space == "pool" and p.choices.integer(0, 1):
        array = p.op(f"pool.alloc @ring_{type} : {of}", "pool").name
    index = p.number(0)
    if space != "local":
        own = lane if space == "shared" else gid
        index = (
            Lane(f"{own}4", "i64") if own in ("%lane", "%gid") else p.op(f"mul i64 {own}, {p.number(4).name}", "i64")
        )
    if p.choices.integer(0, 2):
        return Slot(type, space, array, of, index)
    kind = "global" if space == "scratch" else space
    offset = p.op(f"mul i64 {index.name}, {p.number(BYTES[type]).name}", "i64")
    pointer = p.op(f"lea {isa(type)} {array}[{offset.name} : i64] : {of}", "pointer")
    return Slot(type, space, pointer.name, f"!atlas.ptr<{type}, {kind}>", None)


def _class_place(p: LaneProgram, type: str, c: Lane, gid: str) -> Lane:
    """A pointer to the lane's 64 bytes of a class, which no other lane has of any class."""
    page = p.op(f"div u64 {gid}, {p.number(4).name}", "i64")
    byte = p.op(f"mul u64 {p.op(f'and i64 {gid}, {p.number(3).name}', 'i64').name}, {p.number(64).name}", "i64")
    narrow = [p.op(f"cvt u64 to u32 {v.name}", "i32").name for v in (page, byte)]
    return p.op(f"bound.map {isa(type)} {c.name}, {', '.join(narrow)}", "pointer")


def _class_slot(p: LaneProgram, type: str, gid: str) -> Slot:
    place = _class_place(p, type, p.op(f"mov_imm {p.choices.integer(0, 95)} : i32", "i32"), gid)
    return Slot(type, "class", place.name, f"!atlas.ptr<{type}, class>", None)


def _movable(p: LaneProgram, scope: list[Lane], space: str) -> Lane | None:
    """A value of a type that memory holds; four of it fit into a lane's part of a class."""
    return p.some(scope, *(t for t in HELD if space != "class" or BYTES[t] <= 16))


def _space(p: LaneProgram) -> str:
    return p.pick(SPACES)


def _wrong(p: LaneProgram, slot: Slot, type: str) -> str:
    """The text of a place outside of everything."""
    return f"{slot.base}[{p.number(1 << 40).name} : i64] : {slot.base_type}"


def slots(p: LaneProgram, scope: list[Lane]) -> None:
    """Stores four values alone, as pairs or as one vector, and loads them in another way."""
    space = _space(p)
    if (a := _movable(p, scope, space)) is None:
        return
    slot, type = _slot(p, space, a.type), isa(a.type)
    values = [p.same(scope, a).name for _ in range(4)]
    for start, count in _parts(p):
        form = f"v{count} {type}" if count > 1 else type
        p.line(f"atlas.{slot.store} {form} {', '.join(values[start : start + count])}, {slot.at(p, start)}")
    if not p.choices.integer(0, 39):
        scope.append(p.op(f"{slot.load} {type} {_wrong(p, slot, a.type)}", a.type))
        return
    if a.type in NUMBERS and p.choices.integer(0, 7) == 0:
        _span(p, scope, slot)
        return
    names: list[str] = []
    for start, count in _parts(p):
        place = slot.at(p, start)
        new = [f"%w{len(p.lines)}_{n}" for n in range(count)]
        p.line(f"{', '.join(new)} = atlas.{slot.load} {f'v{count} ' if count > 1 else ''}{type} {place}")
        names += new
    scope.append(Lane(p.pick(names), a.type))


def _parts(p: LaneProgram) -> list[tuple[int, int]]:
    """The starts and the lengths of the parts of four values."""
    halves = [[(2 * h, 2)] if p.choices.integer(0, 1) else [(2 * h, 1), (2 * h + 1, 1)] for h in range(2)]
    return [(0, 4)] if p.choices.integer(0, 3) else halves[0] + halves[1]


def _span(p: LaneProgram, scope: list[Lane], slot: Slot) -> None:
    """A reduction over some of the lane's places."""
    count = p.number(p.choices.integer(0, 4))
    start = 0
    if own := p.some(scope, "i64"):
        count, start = masked(p, own, 3), p.choices.integer(0, 1)
    kind = p.pick(("add", "min", "max", "mul"))
    scope.append(p.op(f"reduce.{kind}.span {sign(p, slot.type)} {slot.at(p, start)}, {count.name}", slot.type))


def spans(p: LaneProgram, scope: list[Lane]) -> None:
    """A reduction over a part of an array that nobody writes, nearly always inside of it."""
    a, own = p.some(scope, *NUMBERS), p.some(scope, "i64")
    if a is None or own is None:
        return
    array = p.needs("read", a.type)
    start = masked(p, own, p.pick((0, 1, 15, 1023 if not p.choices.integer(0, 19) else 31)))
    count = masked(p, p.same(scope, own), 7 if a.type in WIDE else p.pick((1, 7, 255)))
    place = f"{array}[{start.name} : i64] : memref<?x{a.type}>"
    kind = p.pick(("add", "min", "max", "mul"))
    scope.append(p.op(f"reduce.{kind}.span {sign(p, a.type)} {place}, {count.name}", a.type))


def exchange(p: LaneProgram, scope: list[Lane]) -> None:
    """Each lane stores its value to memory that the block sees and takes another lane's."""
    space = p.pick(("shared", "shared", "shared", "pool", "scratch", "class"))
    a = _movable(p, scope, space)
    if a is None or not p.uniform:
        return
    element, type = p.choices.integer(0, 3), isa(a.type)
    if space == "pool" and p.grid == 1 and p.choices.integer(0, 1):
        p.needs("pool", a.type)
        p.line("atlas.bar.sync 1")
        p.line(f"atlas.pool.free @ring_{a.type}")
        p.line("atlas.bar.sync 1")
    own = _slot(p, space, a.type)
    p.line(f"atlas.{own.store} {type} {a.name}, {own.at(p, element)}")
    p.line("atlas.bar.sync 0")
    moved = p.op(f"add u64 %lane, {p.number(p.choices.integer(0, p.block - 1)).name}", "i64")
    lane = p.op(f"rem u64 {moved.name}, {p.number(p.block).name}", "i64")
    gid = p.op(f"add i64 {p.op('sub i64 %gid, %lane', 'i64').name}, {lane.name}", "i64")
    # The class of a slot is random, and so it is the own slot's here.
    other = _shifted(p, own, lane, gid) if space == "class" else _slot(p, space, a.type, lane.name, gid.name)
    scope.append(p.op(f"{other.load} {type} {other.at(p, element)}", a.type))
    p.line("atlas.bar.sync 0")


def _shifted(p: LaneProgram, own: Slot, lane: Lane, gid: Lane) -> Slot:
    """The slot of another lane in the same class."""
    c = p.op(f"cls.of {isa(own.type)} {own.base}[] : {own.base_type}", "i32")
    return Slot(own.type, "class", _class_place(p, own.type, c, gid.name).name, own.base_type, None)


def neighbours(p: LaneProgram, scope: list[Lane]) -> None:
    """Stores to the same place in a neighbouring class, nearly always one that there is, and loads it again."""
    a, own = _movable(p, scope, "class"), p.some(scope, "i32")
    if a is None or own is None:
        return
    mask = p.op("mov_imm 63 : i32", "i32")
    c = p.pick((p.op("cls.get", "i32"), p.op(f"and u32 {own.name}, {mask.name}", "i32")))
    base, type, of = _class_place(p, a.type, c, "%gid"), isa(a.type), f"!atlas.ptr<{a.type}, class>"
    i = p.same(scope, own)
    i = p.op(f"and u32 {i.name}, {mask.name}", "i32")
    if p.choices.integer(0, 19):
        i = p.op(f"rem u32 {i.name}, {p.op(f'nbr.count u32 {c.name}', 'i32').name}", "i32")
    p.line(f"atlas.nbr.store {type} {a.name}, {base.name}[] : {of}, {i.name}")
    if p.choices.integer(0, 1):
        scope.append(p.op(f"nbr.load {type} {base.name}[] : {of}, {i.name}", a.type))
        return
    near = _class_place(p, a.type, p.op(f"nbr.get u32 {c.name}, {i.name}", "i32"), "%gid")
    scope.append(p.op(f"ldg {type} {near.name}[] : {of}", a.type))
    scope.append(p.op(f"cls.of {type} {near.name}[] : {of}", "i32"))


def masked(p: LaneProgram, i: Lane, mask: int) -> Lane:
    """Some low bits of a value."""
    return p.op(f"and u64 {i.name}, {p.number(mask).name}", "i64")


def local(p: LaneProgram, scope: list[Lane]) -> None:
    """Stores to and loads from local memory at a masked index."""
    a, i = p.some(scope, "f32"), p.some(scope, "i64")
    if a is None or i is None:
        return
    index = masked(p, i, 3)
    p.line(f"atlas.stl f32 {a.name}, %local[{index.name} : i64] : {LOCAL}")
    scope.append(p.op(f"ldl f32 %local[{index.name} : i64] : {LOCAL}", "f32"))


def pointer(p: LaneProgram, scope: list[Lane]) -> None:
    """A value goes through local memory of another type by a pointer, at a masked offset; a part of it comes back.

    It is an integer, since nobody promises the bits of a NaN; and it comes back as no bf16, which LLVM carries from
    block to block by an instruction that flushes subnormals.
    """
    a, i = p.some(scope, *INTEGERS, "i128"), p.some(scope, "i64")
    if a is None or i is None:
        return
    size = BYTES[a.type]
    offset = masked(p, i, 16 - size)
    pointer = f"!atlas.ptr<{a.type}, local>"
    place = p.op(f"lea {a.type} %local[{offset.name} : i64] : {LOCAL}", "pointer")
    p.line(f"atlas.stl {a.type} {a.name}, {place.name}[] : {pointer}")
    part = p.pick([e for e in (*ELEMENTS, *STORED) if e != "bf16" and BYTES[e] <= size])
    within = masked(p, i, size - BYTES[part])
    other = p.op(f"lea {part} {place.name}[{within.name} : i64] : {pointer}", "pointer")
    scope.append(p.op(f"ldl {part} {other.name}[] : !atlas.ptr<{part}, local>", part))


def atomic(p: LaneProgram, scope: list[Lane]) -> None:
    """An update of a place that only updates of its kind reach, whose old value nobody looks at."""
    if (a := p.some(scope, *COUNTERS)) is None:
        return
    array, memref = p.needs("sum", a.type), f"memref<?x{a.type}>"
    kind, signed = p.choices.integer(0, len(UPDATES) - 1), p.choices.integer(0, 1)
    type = a.type if signed or UPDATES[kind] in ("min", "max") else f"u{a.type[1:]}"
    place = p.number(kind)
    if p.choices.integer(0, 1):
        p.op(f"atom.{UPDATES[kind]} {type} {a.name}, {array}[{place.name} : i64] : {memref}", "old")
        return
    offset = p.number(kind * BYTES[a.type])
    pointer = p.op(f"lea {type} {array}[{offset.name} : i64] : {memref}", "pointer")
    p.op(f"atom.{UPDATES[kind]} {type} {a.name}, {pointer.name}[] : !atlas.ptr<{a.type}, global>", "old")


def bits(p: LaneProgram, scope: list[Lane]) -> None:
    """The bits of an integer as another type."""
    if (a := p.some(scope, *INTEGERS)) is not None:
        target = p.pick([e for e in (*ELEMENTS, *STORED) if e != "bf16" and BITS[e] == BITS[a.type]])
        scope.append(p.op(f"cvt.bits {a.type} to {target} {a.name}", target))
