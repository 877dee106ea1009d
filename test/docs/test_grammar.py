"""The grammar of assembly in docs/isa/assembly.mdx: it is read, and accepts what the assembler accepts."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hologram import isa
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.atlas.lanes.programs import SPECIAL_REGISTERS
from hologram.dialects.machine.from_listing import module_of
from hologram.dialects.machine.registers import SPACES
from hologram.dialects.machine.spelling import find
from hologram.dialects.machine.to_listing import listing_of
from hologram.errors import HologramError
from hologram.frontend.assembler.index_maps import PRODUCTS
from hologram.frontend.assembler.parser import INNER, TEMP, TOP
from hologram.frontend.assembler.tokens import Token, split
from hologram.lowering.machine.assembly import print_assembly
from machine_form.random_programs import random_listing
from machine_form.test_arrays import MESSY as ARRAYS_MESSY
from machine_form.test_forms import FIRST_SPECIFICATION, MESSY

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "isa" / "assembly.mdx"
CORPUS = [
    *((ROOT / "test" / "machine_form" / "programs").glob("*.atlas")),
    *((ROOT / "docs" / "isa" / "examples").glob("*.atlas")),
]

Node = tuple[str, Any]
"""`text`, `name`, `all` (a sequence), `any` (alternatives), `many` or `maybe`, and what is in it."""

CHARACTERS = {
    "digits": r"\d+", "digit": r"\d", "letter": r"[A-Za-z]", "hex-digits": "[0-9a-fA-F]+", "binary-digits": "[01]+",
    "character": r'[^"\\\n]', "word": r"[A-Za-z_]\w*", "modifier": r"\w+", "type": "|".join(DTYPES),
}  # fmt: skip
"""The rules that the grammar does not define, as regular expressions."""
TOKENS = (
    "register", "predicate", "buffer-name", "shared-name", "local-name", "pool-name", "class", "special", "text",
    "integer", "decimal", "label", "name", "mnemonic", "type", "counted",
    "temp-name", "axis", "loop-name",
)  # fmt: skip
"""The rules for one token; all others are about tokens."""


@cache
def grammar() -> dict[str, Node]:
    """The rules of the page."""
    (text,) = re.findall(r"^```ebnf\n(.*?)^```$", PAGE.read_text("utf-8"), re.MULTILINE | re.DOTALL)
    text = re.sub(r"\(\*.*?\*\)", " ", text)
    rules: dict[str, Node] = {}
    for names, body in re.findall(r"([\w, -]+?)\s*=\s((?:\"(?:[^\"])*\"|'[^']*'|[^;\"'])*);", text):
        words = re.findall(r'"[^"]*"|\'[^\']*\'|[\w-]+|[][{}()|,]', body)
        node = _alternatives(words)
        assert not words, f"what is '{' '.join(words)}' in the rule of {names}?"
        rules |= dict.fromkeys(re.findall(r"[\w-]+", names), node)
    return rules


def _alternatives(words: list[str]) -> Node:
    found = [_sequence(words)]
    while words and words[0] == "|":
        words.pop(0)
        found.append(_sequence(words))
    return found[0] if len(found) == 1 else ("any", found)


def _sequence(words: list[str]) -> Node:
    """Terms up to a bracket or bar that closes; commas between them count as nothing."""
    found: list[Node] = []
    while words and words[0] not in ("|", "]", "}", ")"):
        word = words.pop(0)
        if word in "[{(":
            inside = _alternatives(words)
            words.pop(0)
            found.append({"[": ("maybe", inside), "{": ("many", inside), "(": inside}[word])
        elif word != ",":
            found.append(("text", word[1:-1].replace("\\\\", "\\")) if word[0] in "\"'" else ("name", word))
    return ("all", found)


def pattern(node: Node) -> str:
    """A rule for one token as a regular expression."""
    kind, inside = node
    match kind:
        case "text":
            return re.escape(inside)
        case "name":
            return f"(?:{CHARACTERS.get(inside) or pattern(grammar()[inside])})"
        case "all":
            return "".join(map(pattern, inside))
        case "any":
            return f"(?:{'|'.join(map(pattern, inside))})"
        case _:
            return f"(?:{pattern(inside)}){'*' if kind == 'many' else '?'}"


class Recogniser:
    """All the ways to match tokens from a place on: sets of places where a match may end."""

    def __init__(self, text: str):
        self.tokens = [t for t in split(text, "<text>") if t.kind != "end"]
        self.known: dict[tuple[str, int], set[int]] = {}
        self.used: set[str] = set()

    def accepts(self) -> bool:
        """Return whether the text is a module."""
        return any(self._skipped(end) == len(self.tokens) for end in self.rule("module", 0))

    def rule(self, name: str, at: int) -> set[int]:
        if (name, at) not in self.known:
            self.known[name, at] = set()
            self.known[name, at] = self._rule(name, at)
            if self.known[name, at]:
                self.used.add(name)
        return self.known[name, at]

    def _rule(self, name: str, at: int) -> set[int]:
        if name == "newline":
            token = self._token(at)
            return {at} if token is None or token.text == "}" else {at + 1} if token.kind == "newline" else set()
        if name not in TOKENS:
            return self.match(grammar()[name], at)
        at = self._skipped(at)
        token = self._token(at)
        if token is None or not self._is(name, token):
            return set()
        return {at + 1}

    def _is(self, name: str, token: Token) -> bool:
        if name == "mnemonic":
            return token.kind == "word" and bool(find(token.text)[0])
        node: Node = ("name", name)
        flags = re.IGNORECASE if name in ("register", "predicate") else 0
        return re.fullmatch(pattern(node), token.text, flags) is not None

    def match(self, node: Node, at: int) -> set[int]:
        kind, inside = node
        match kind:
            case "text":
                at = self._skipped(at)
                token = self._token(at)
                return {at + 1} if token is not None and token.text == inside else set()
            case "name":
                return self.rule(inside, at)
            case "any":
                return {end for part in inside for end in self.match(part, at)}
            case "all":
                ends = {at}
                for part in inside:
                    ends = {end for start in ends for end in self.match(part, start)}
                return ends
            case "maybe":
                return {at} | self.match(inside, at)
            case _:
                return self._many(inside, at)

    def _many(self, node: Node, at: int) -> set[int]:
        ends, new = {at}, {at}
        while new:
            new = {end for start in new for end in self.match(node, start)} - ends
            ends |= new
        return ends

    def _token(self, at: int) -> Token | None:
        return self.tokens[at] if at < len(self.tokens) else None

    def _skipped(self, at: int) -> int:
        """Past empty lines, which mean nothing before a token."""
        while at < len(self.tokens) and self.tokens[at].kind == "newline":
            at += 1
        return at


OTHERS = """
.func f(r1: ptr<f32, global>, p0: bool) -> (r2: u64) {
  .local local0: f32[2]
  mov_imm.u64 r2, 0b101
  ret
}
.program p() {
  .launch block(1, 1, 1) grid(2, 1, 1) shared(64)
  .shared shared0: u8[?]
  mov_imm.f32 r1, -1.5e-3
  mov_imm.f64 r2, -inf
  mov_imm.bool p0, true
  ldg.u8 r3, [phi(1, 2, 3)]
  loop.u64 r2, p0 { bar.sync 0 }
  assert p0, "a \\"quoted\\" text"
}
"""


@cache
def texts() -> list[str]:
    """Assembly of every kind."""
    found = [path.read_text("utf-8") for path in CORPUS]
    found += [ARRAYS_MESSY, MESSY.replace("@done", "done"), FIRST_SPECIFICATION, OTHERS]
    listings = (listing_of(module_of(random_listing(Random(seed), seed))) for seed in range(5))
    return found + [print_assembly(listing) for listing in listings]


def test_the_grammar_accepts_what_the_assembler_accepts():
    used: set[str] = set()
    for text in texts():
        recogniser = Recogniser(text)
        assert recogniser.accepts(), text
        used |= recogniser.used
    assert set(grammar()) - used == set(), "these rules stand for nothing in the texts of this test"


@pytest.mark.parametrize(
    "text",
    [
        ".programm p() { }", ".program p( { }", ".program p() { add.f32 r0 r1, r2 }", ".program p(r0: f23) { }",
        ".program p() { ldg.f32 r0, [+ 4] }", ".program p() { .pool pool0: f32[4] }", ".program p() { @p0 }",
        ".program p() { x y }", ".arrays p() { .shared shared0: f32[4] }", ".arrays p(buf0: f32[4]) { copy buf0 buf0 }",
        ".arrays p(buf0: f32[4]) { map buf0, maps((d0) -> d0) }", ".arrays p(buf0: f32[4]) { fill buf0, [buf0] }",
        ".program p() {\n  mov_imm.u32 r0, 1 mov_imm.u32 r1, 2\n}",
    ],
)  # fmt: skip
def test_what_is_no_assembly_is_not_accepted(text: str):
    assert not Recogniser(text).accepts()
    with pytest.raises(HologramError):
        isa.assemble(text)


def terminals(node: Node) -> set[str]:
    """The texts in a rule, not those of other rules."""
    kind, inside = node
    if kind in ("text", "name"):
        return {inside} if kind == "text" else set()
    parts = inside if kind in ("all", "any") else [inside]
    return {text for part in parts for text in terminals(part)}


def test_the_grammar_has_the_words_of_the_code():
    words = {text for node in grammar().values() for text in terminals(node)}
    assert {w for w in words if re.fullmatch(r"\.\w+", w)} == {*TOP, *INNER, TEMP}
    assert set(PRODUCTS) <= terminals(grammar()["product"])
    assert terminals(grammar()["space"]) == set(SPACES)
    special = re.compile(pattern(("name", "special")))
    groups = [w for w in terminals(grammar()["special"]) if len(w) > 1 and w != "gid"]
    every = {f"{group}.{axis}" for group in groups for axis in "xyz"} | {"gid"}
    assert every == set(SPECIAL_REGISTERS)
    assert all(special.fullmatch(f"%{name}") for name in every)
