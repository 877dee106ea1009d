"""Reads the body of an array-level program: its temporary arrays, constants, and instructions by their forms."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from hologram.dialects.atlas.arrays.base import KIND_NAMES
from hologram.dialects.atlas.arrays.form import ArrayForm, Choice, Setting
from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.machine.array_instruction import ARRAY_FORMS
from hologram.dialects.machine.constants import parse_constant
from hologram.dialects.machine.listing import Array, ArrayLine, Arrays, Temporary, Value
from hologram.dialects.machine.spelling import Spelling
from hologram.errors import did_you_mean
from hologram.frontend.assembler.index_maps import read_map
from hologram.frontend.assembler.instructions import Reader, read_line, read_mnemonic
from hologram.frontend.assembler.tokens import Token

_MIXED = {name.lower(): name for name in DTYPES}


class ArraysReader:
    """Reads lines up to the closing brace. `functions` takes the places where functions are named, checked at the end
    of the text."""

    def __init__(self, reader: Reader, program: Arrays, functions: list[tuple[Token, str]]):
        self.reader = reader
        self.program = program
        self.functions = functions

    def read(self) -> None:
        """Reads everything into the program."""
        reader = self.reader
        while (token := reader.take()).text != "}" or token.kind != "punctuation":
            if token.kind == "newline":
                continue
            if token.text == ".temp":
                self._temporary(token)
            elif token.kind == "word":
                self._instruction(token)
            else:
                reader.fault(
                    "asm-arrays-statement", token, f"expected an array-level instruction or '}}', found {token}",
                    "the only directive of an array-level program is .temp",
                )  # fmt: skip
            self._end_statement()

    def _end_statement(self) -> None:
        token = self.reader.token
        if token.kind not in ("newline", "end") and token.text != "}":
            self.reader.fault("asm-arrays-after", token, f"expected the end of the line, found {token}")

    # Temporary arrays

    def _temporary(self, start: Token) -> None:
        reader, number = self.reader, len(self.program.temporaries)
        if self.program.lines:
            reader.fault("asm-temp-place", start, "temporary arrays are declared before the instructions")
        name = reader.word(f"temp{number}")
        if name.text != f"temp{number}":
            reader.fault(
                "asm-temp-number", name, f"expected temp{number}, found {name}", "they are counted in order, from temp0"
            )
        reader.expect(":", "a declaration such as temp0: f32[buf0.1, 4]")
        dtype = self._type(reader.word("an element type such as f32"))
        reader.expect("[", "an array's type such as f32[buf0.1, 4]")
        sizes = reader.listed("]", "an array's sizes", self._size)
        self.program.temporaries.append(Temporary(dtype, tuple(sizes), reader.at(start)))

    def _size(self) -> int | str:
        reader = self.reader
        is_axis = reader.token.kind == "word"
        return reader.take().text if is_axis else reader.integer("a number, or an axis such as buf0.1")

    def _type(self, token: Token) -> str:
        name = _MIXED.get(token.text.lower())
        if name is None:
            self.reader.fault(
                "asm-arrays-type", token, f"there is no type '{token.text}'", did_you_mean(token.text, DTYPES)
            )
        return name

    # Instructions

    def _instruction(self, token: Token) -> None:
        candidates, suffixes = read_mnemonic(self.reader, token)
        name = candidates[0].name
        if name == "mov_imm":
            self.program.lines.append(read_line(self.reader, token, candidates, suffixes))
        elif name in ARRAY_FORMS:
            self.program.lines.append(self._line(token, candidates[0], suffixes))
        else:
            self.reader.fault(
                "asm-lane-level", token, f"'{name}' is an instruction of lanes, and this an array-level program",
                "it stands in .program and .func; of them .arrays has mov_imm",
            )  # fmt: skip

    def _line(self, token: Token, spelling: Spelling, suffixes: Sequence[str]) -> ArrayLine:
        form = ARRAY_FORMS[spelling.name]
        operands = _Operands(self.reader, form, self.functions)
        operands.read(token)
        choice = dict(spelling.joined).get(form.choice.name, "") if form.choice else ""
        types = self._suffixes(token, form, choice, suffixes, operands.groups["outs"][0])
        settings = tuple(operands.settings.get(s.name) for s in form.settings)
        groups = tuple(tuple(operands.groups[g]) for g in form.groups)
        return ArrayLine(form.name, choice, types, groups, settings, self.reader.at(token))

    def _suffixes(
        self, token: Token, form: ArrayForm, choice: str, suffixes: Sequence[str], out: str
    ) -> tuple[str, ...]:
        """The types after the mnemonic. Where none is declared, that of the first destination may stand there."""
        reader = self.reader
        if form.choice is not None and not choice:
            near = did_you_mean(suffixes[0], _words(form.choice)) if suffixes else None
            reader.fault(
                "asm-array-choice", token, f"'{form.name}' needs its {form.choice.name}",
                near or f"such as {form.name}.{form.choice.choices[0]}",
            )  # fmt: skip
        types = tuple(_MIXED.get(s.lower(), s) for s in suffixes)
        if not form.types and len(types) == 1 and types[0] == self._dtype(out):
            return ()
        wrong = [t for t in types if t not in DTYPES] or list(types[len(form.types) :])
        if wrong:
            reader.fault(
                "asm-array-suffix", token.part(wrong[0]), f"'{form.name}' has no suffix '{wrong[0]}'",
                did_you_mean(wrong[0], DTYPES) if form.types else "the types of its arrays say all",
            )  # fmt: skip
        if len(types) < form.needed_types:
            reader.fault("asm-array-type", token, f"'{token.text}' needs a type", f"such as '{token.text}.f32'")
        return types

    def _dtype(self, array: str) -> str:
        """The element type of an array."""
        buffers = [p.dtype for p in self.program.parameters if isinstance(p, Array)]
        named = {f"buf{n}": t for n, t in enumerate(buffers)}
        return (named | {f"temp{n}": t.dtype for n, t in enumerate(self.program.temporaries)}).get(array, "")


def _words(choice: Choice) -> list[str]:
    return [*choice.choices, *choice.aliases]


class _Operands:
    """Reads the operands and settings of an instruction up to the end of its line."""

    def __init__(self, reader: Reader, form: ArrayForm, functions: list[tuple[Token, str]]):
        self.reader = reader
        self.form = form
        self.functions = functions
        self.groups: dict[str, list[str]] = {g: [] for g in form.groups}
        self.settings: dict[str, Value] = {}
        self.named: set[str] = set()

    def read(self, start: Token) -> None:
        reader, form = self.reader, self.form
        while reader.token.kind not in ("newline", "end") and reader.token.text != "}":
            if self.groups["outs"] or self.named:
                reader.expect(",", "a list of operands")
            self._next()
        missing = [
            s.printed for s in form.settings if not s.optional and not s.is_switch and s.name not in self.settings
        ]
        if not self.groups["outs"]:
            missing = ["destination", *missing]
        if missing:
            reader.fault(
                "asm-array-missing", start, f"'{form.name}' needs its {missing[0]}",
                f"it is written {array_shape(form)}",
            )  # fmt: skip

    def _next(self) -> None:
        reader, form = self.reader, self.form
        token = reader.token
        following = reader.tokens[reader.position + 1].text
        if token.kind == "word" and (token.text in form.by_printed or following == "("):
            self._named(reader.take())
        elif not self.groups["outs"]:
            self.groups["outs"] = self._list() if token.text == "(" else [self._operand()]
        else:
            self.groups["ins"].append(self._operand())

    def _named(self, token: Token) -> None:
        """A setting, or a group with its name."""
        reader, form = self.reader, self.form
        name = token.text
        if name not in form.by_printed and name not in form.extra_groups:
            known = [*form.by_printed, *form.extra_groups]
            reader.fault(
                "asm-setting", token, f"'{form.name}' has no setting '{name}'",
                did_you_mean(name, known) or (f"it has {', '.join(known)}" if known else "it has none"),
            )  # fmt: skip
        if name in self.named:
            reader.fault("asm-setting-twice", token, f"'{name}' stands twice")
        self.named.add(name)
        if name in form.extra_groups:
            self.groups[name] = self._list()
            return
        setting = form.by_printed[name]
        if setting.is_switch:
            self.settings[setting.name] = 1
            return
        reader.expect("(", f"the setting {name}(...)")
        self.settings[setting.name] = self._value(setting)

    # Operands

    def _list(self) -> list[str]:
        self.reader.expect("(", "a list of operands")
        return self.reader.listed(")", "a list of operands", self._operand)

    def _operand(self) -> str:
        """An array or a register."""
        reader = self.reader
        token = reader.token
        if (number := reader.register()) is not None:
            return f"{token.text[0].lower()}{number}"
        reader.take()
        word = token.text
        digits = word.removeprefix("buf").removeprefix("temp")
        if token.kind != "word" or word == digits or not digits.isdigit() or str(int(digits[:9])) != digits:
            hint = "an array is a parameter, buf0, or a temporary one, temp0; a scalar lies in a register"
            if token.kind == "number":
                hint = "put a constant into a register with mov_imm"
            elif token.kind == "word" and (near := did_you_mean(word, self.form.by_printed)):
                hint = near
            reader.fault(
                "asm-array-operand", token, f"expected an array such as buf0 or a register, found {token}", hint
            )
        return word

    # Settings

    def _value(self, setting: Setting) -> Value:
        match setting.kind:
            case "integers":
                return self._many(lambda: self._integer(setting))
            case "maps":
                return self._many(lambda: read_map(self.reader))
            case "kinds":
                return self._many(lambda: self._word(setting, {k: k for k in KIND_NAMES}))
            case "types":
                return self._many(lambda: self._word(setting, _MIXED))
            case _:
                value = self._one(setting)
                self.reader.expect(")", f"the setting {setting.printed}(...)")
                return value

    def _many(self, one: Callable[[], Any]) -> Any:
        return tuple(self.reader.listed(")", "a list", one))

    def _one(self, setting: Setting) -> int | str:
        if setting.kind == "integer":
            return self._integer(setting)
        if setting.kind == "float":
            return self._float(setting)
        token = self.reader.word(f"the name of a function in {setting.printed}(...)")
        self.functions.append((token, token.text))
        return token.text

    def _integer(self, setting: Setting) -> int:
        reader = self.reader
        start = reader.token
        sign = -1 if reader.accept("-") else 1
        value = sign * reader.integer(f"a number in {setting.printed}(...)")
        if not -(1 << 63) <= value < 1 << 63:
            reader.fault("asm-setting-range", start, f"{value} does not fit into 64 bits")
        return value

    def _float(self, setting: Setting) -> int:
        reader = self.reader
        start = reader.token
        sign = "-" if reader.accept("-") else ""
        token = reader.take()
        bits = parse_constant(sign + token.text, DTYPES["f64"]) if token.kind in ("number", "word") else None
        if bits is None:
            reader.fault("asm-setting-float", start, f"{token} is no number for {setting.printed}(...)")
        return bits

    def _word(self, setting: Setting, words: dict[str, str]) -> str:
        token = self.reader.word(f"a word in {setting.printed}(...)")
        if (word := words.get(token.text.lower())) is None:
            self.reader.fault(
                "asm-setting-word", token, f"'{token.text}' is none of the {setting.printed}",
                did_you_mean(token.text, words.values()) or f"they are {' '.join(words.values())}",
            )  # fmt: skip
        return word


def array_shape(form: ArrayForm) -> str:
    """An instruction in general: `softmax out, ins, axis(...), [reassoc]`."""
    stem = ".".join([form.name, *([form.choice.name.upper()] if form.choice else []), *(t.upper() for t in form.types)])
    parts = [f"[{g}(...)]" for g in form.extra_groups]
    for setting in form.settings:
        text = setting.printed if setting.is_switch else f"{setting.printed}(...)"
        parts.append(f"[{text}]" if setting.optional or setting.is_switch else text)
    return f"{stem} {', '.join(['out', 'ins', *parts])}"
