"""Random lane programs of blocks that branch anywhere, irreducible loops included, with calls and exits.

Every block but the first takes what fuel is left; each second one leaves to the end when there is none.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from .tensor_programs import Choices

LANES = 8
SIZES = (2, 3, 5, 8)
OPERATIONS = ("add", "sub", "xor", "mul", "and", "or")


@dataclass
class Body:
    """A program's or function's blocks under construction."""

    choices: Choices
    kind: str
    ways: dict[int, list[int]] = field(default_factory=dict[int, list[int]])
    """The successors of each block: 0 is the first, -1 the last."""
    lines: list[str] = field(default_factory=list[str])
    names: int = 0

    def name(self) -> str:
        self.names += 1
        return f"%v{self.names}"

    def op(self, text: str) -> str:
        name = self.name()
        self.lines.append(f"  {name} = atlas.{text}")
        return name

    def pick(self, options: list[str]) -> str:
        return options[self.choices.integer(0, len(options) - 1)]


def _dominators(ways: dict[int, list[int]]) -> dict[int, set[int]]:
    """The blocks that every way to a block leads through."""
    blocks = set(ways)
    found = {b: set(blocks) for b in blocks} | {0: {0}}
    changed = True
    while changed:
        changed = False
        for block in blocks - {0}:
            before = [found[b] for b in blocks if block in ways[b]]
            new = {block} | {b for b in blocks if all(b in each for each in before)}
            changed |= new != found[block]
            found[block] = new
    return found


def _body(choices: Choices, kind: str) -> str:
    """The text of the blocks. Block 2k + 1 checks the fuel of block 2k + 2, which works."""
    body = Body(choices, kind)
    count = SIZES[choices.integer(0, len(SIZES) - 1)]
    checks = [2 * k + 1 for k in range(count)]
    body.ways = {0: [checks[0]], -1: []}
    for check in checks:
        body.ways[check] = [check + 1, -1]
        body.ways[check + 1] = [checks[choices.integer(0, count - 1)] for _ in range(choices.integer(1, 2))]
    above = _dominators(body.ways)
    values: dict[int, list[str]] = {}
    reached = _reached(body.ways)
    for block in [b for b in body.ways if b in reached and b != -1] + [-1]:
        known = [v for b in sorted(above[block] - {block}) for v in values.get(b, [])]
        _block(body, block, known, values)
    return "\n".join(body.lines)


def _reached(ways: dict[int, list[int]]) -> set[int]:
    found = {0}
    while more := {t for b in found for t in ways[b]} - found:
        found |= more
    return found | {-1}


def _label(block: int) -> str:
    return "^end" if block == -1 else f"^b{block}"


def _block(body: Body, block: int, known: list[str], values: dict[int, list[str]]) -> None:
    if block != 0:
        args = [body.name(), body.name()]
        body.lines.append(f"{_label(block)}({args[0]}: i32, {args[1]}: i32):")
    else:
        args = ["%fuel", "%x"]
    known = [*known, *args[1:]] or ["%x"]
    if block == -1:
        body.op(f"add i32 {body.pick(known)}, %x")
        _end(body, args[1])
        return
    mine = [args[1]]
    if block % 2 == 0:
        for _ in range(body.choices.integer(1, 3)):
            operation = OPERATIONS[body.choices.integer(0, len(OPERATIONS) - 1)]
            mine.append(body.op(f"{operation} i32 {body.pick(known + mine)}, {body.pick(known + mine)}"))
        _effect(body, mine)
        fuel = body.op(f"sub i32 {args[0]}, %one")
    else:
        fuel = args[0]
    values[block] = mine
    _leave(body, block, fuel, known + mine)


def _effect(body: Body, mine: list[str]) -> None:
    """Something that shows the order of blocks; sometimes a call or a nested branch."""
    if body.kind == "program":
        old = body.op("ldg i32 %out[%gid : i64] : memref<?xi32>")
        mixed = body.op(f"mul i32 {old}, %prime")
        body.lines.append(f"  %w{body.names} = atlas.add i32 {mixed}, {mine[-1]}")
        body.lines.append(f"  atlas.stg i32 %w{body.names}, %out[%gid : i64] : memref<?xi32>")
    match body.choices.integer(0, 7):
        case 0:
            less = body.op("shr u32 %fuel, %one")
            mine.append(body.op(f"call @g({less}, {mine[-1]}) : (i32, i32) -> (i32)"))
        case 1:
            p = body.op(f"setcc lt i32 {mine[-1]}, %x")
            name = body.name()
            body.lines.append(f"  {name} = atlas.if {p} -> (i32) {{")
            body.lines.append(f"    %inner{body.names} = atlas.mul i32 {mine[-1]}, %prime")
            body.lines.append(f"    atlas.yield %inner{body.names} : i32")
            body.lines.append(f"  }} else {{\n    atlas.yield {mine[0]} : i32\n  }}")
            mine.append(name)
        case 2 if body.kind == "program" and body.choices.integer(0, 2) == 0:
            p = body.op(f"setcc eq i32 {mine[-1]}, %x")
            body.lines.append(f"  atlas.if {p} {{\n    atlas.exit\n  }}")
        case _:
            pass


def _leave(body: Body, block: int, fuel: str, known: list[str]) -> None:
    ways = body.ways[block]
    texts = [f"{_label(t)}({fuel}, {body.pick(known)} : i32, i32)" for t in ways]
    if len(ways) == 1:
        body.lines.append(f"  atlas.bra {texts[0]}")
        return
    if block % 2 == 1:
        p = body.op(f"setcc gt i32 {fuel}, %zero")
    else:
        bit = body.op(f"and i32 {body.pick(known)}, %one")
        p = body.op(f"setcc eq i32 {bit}, %zero")
    body.lines.append(f"  atlas.bra {p}, {', '.join(texts)}")


def _end(body: Body, value: str) -> None:
    if body.kind == "function":
        body.lines.append(f"  atlas.ret {value} : i32")
        return
    body.lines.append(f"  atlas.stg i32 {value}, %last[%gid : i64] : memref<?xi32>")


CONSTANTS = """  %zero = atlas.mov_imm 0 : i32
  %one = atlas.mov_imm 1 : i32
  %prime = atlas.mov_imm 31 : i32"""


def build(choices: Choices) -> str:
    """A module with an entry @main(%in, %out, %last), arrays of as many i32 as there are lanes."""
    fuel = choices.integer(0, 20)
    types = "memref<?xi32>, memref<?xi32>, memref<?xi32>"
    heads = "%in: memref<?xi32>, %out: memref<?xi32>, %last: memref<?xi32>"
    return f"""func.func @main({heads}) {{
  %c1 = arith.constant 1 : index
  atlas.launch @lanes grid(%c1, %c1, %c1) args(%in, %out, %last : {types})
  func.return
}}
atlas.program @lanes({heads}) block [{LANES}, 1, 1] {{
{CONSTANTS}
  %fuel = atlas.mov_imm {fuel} : i32
  %gid = atlas.special gid : i64
  %x = atlas.ldg i32 %in[%gid : i64] : memref<?xi32>
{_body(choices, "program")}
}}
atlas.func @g(%fuel: i32, %x: i32) -> (i32) {{
{CONSTANTS}
  %some = atlas.setcc gt i32 %fuel, %zero
  atlas.bra %some, ^go, ^stop
^stop:
  atlas.ret %x : i32
^go:
{_body(choices, "function")}
}}
"""
