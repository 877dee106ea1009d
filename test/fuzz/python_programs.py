"""Random Python kernels: functions of the typed subset, with arguments."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

INTEGERS = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
FLOATS = ("f32", "f64")
NUMBERS = (*INTEGERS, *FLOATS)
LANES = 5
COLUMNS = 4
INPUTS = ("i64", "i8", "u32", "f32", "f64", "bool")
"""The element types of the arrays that are read; `out_T` are those that are written."""
OUTPUTS = ("i64", "u8", "f32", "f64")
LITERALS = {"i": ("0", "1", "-1", "2", "3", "7", "-5", "100"), "u": ("0", "1", "2", "3", "7", "100"),
            "f": ("0.5", "-1.5", "2.0", "0.0", "3.25", "1e3")}  # fmt: skip


@dataclass
class Program:
    """Writes one kernel."""

    rng: random.Random
    lines: list[str] = field(default_factory=list[str])
    variables: dict[str, str] = field(default_factory=dict[str, str])
    """The types of the variables that have a value."""
    loops: int = 0
    counters: int = 0
    functions: tuple[str, ...] = ()
    """The functions that may be called: each takes two numbers and returns an f64."""

    def pick(self, *options: str) -> str:
        return self.rng.choice(options)

    # Expressions

    def leaf(self, dtype: str) -> str:
        """A value of a type without operators."""
        same = [n for n, t in self.variables.items() if t == dtype]
        if same and self.rng.random() < 0.6:
            return self.pick(*same)
        if dtype in INPUTS and self.rng.random() < 0.5:
            return f"in_{dtype}[{self.index(f'len(in_{dtype})')}]"
        if dtype == "bool":
            return f"({self.leaf('i64')} {self.pick('<', '>=', '==')} {self.leaf('i64')})"
        if self.variables and self.rng.random() < 0.4:
            return f"{dtype}({self.pick(*self.variables)})"
        return f"{dtype}({self.literal(dtype)})"

    def literal(self, dtype: str) -> str:
        return self.pick(*LITERALS[dtype[0]])

    def index(self, size: str) -> str:
        """A number in a range, whatever it is made of."""
        value = self.expression("i64", 1) if self.rng.random() < 0.3 else self.pick(*self.integers(), "1")
        return f"{value} % {size}"

    def integers(self) -> list[str]:
        return [n for n, t in self.variables.items() if t == "i64"]

    def expression(self, dtype: str, depth: int) -> str:
        """A value of a type."""
        if depth == 0 or self.rng.random() < 0.15:
            return self.leaf(dtype)
        if dtype == "bool":
            return self.decision(depth)
        if self.rng.random() < 0.2:
            return self.other(dtype, depth)
        a = self.expression(dtype, depth - 1)
        b = self.literal(dtype) if self.rng.random() < 0.3 else self.expression(dtype, depth - 1)
        if dtype in FLOATS:
            op = self.pick("+", "-", "*", "+", "-", "*", "/", "//", "%")
            return f"({a} {op} {self.literal(dtype)})" if op in ("//", "%") and b == "0.0" else f"({a} {op} {b})"
        op = self.pick("+", "-", "*", "&", "|", "^", "//", "%", "<<", ">>", "**", "min", "max")
        if op in ("min", "max"):
            return f"{op}({a}, {b}, {self.leaf(dtype)})" if self.rng.random() < 0.3 else f"{op}({a}, {b})"
        if op in ("<<", ">>", "**"):
            return f"{dtype}({a} {op} {self.rng.randrange(5)})"
        if op in ("//", "%"):
            b = self.pick(f"({b} | 1)", "3", "8", "7", f"max({dtype}({b}), 1)")
        return f"({a} {op} {b})"

    def other(self, dtype: str, depth: int) -> str:
        """An expression that a cast, a choice, a sign or a call brings to a type."""
        inner = self.expression
        source = self.pick(*NUMBERS, "bool")
        match self.rng.randrange(7):
            case 0:
                return f"{dtype}({inner(source, depth - 1)})"
            case 1:
                condition = inner("bool", depth - 1)
                return f"({inner(dtype, depth - 1)} if {condition} else {inner(dtype, depth - 1)})"
            case 2:
                return f"({inner(dtype, depth - 1)} {self.pick('and', 'or')} {inner(dtype, depth - 1)})"
            case 3 if self.functions:
                second = self.pick(*NUMBERS)
                p, q = inner(source, depth - 1), inner(second, depth - 1)
                call = self.pick(f"({p}, {q})", f"({p}, q={q})", f"(q={q}, p={p})", f"({p})")
                return f"{dtype}({self.pick(*self.functions)}{call})"
            case 4 if dtype[0] != "f":
                return f"(~{inner(dtype, depth - 1)})"
            case 5:
                return f"abs({inner(dtype, depth - 1)})"
            case _:
                return f"(-{inner(dtype, depth - 1)})"

    def decision(self, depth: int) -> str:
        """A truth value."""
        match self.rng.randrange(6):
            case 0:
                return f"bool(not {self.expression(self.pick('bool', 'i64', 'f32'), depth - 1)})"
            case 1:
                words = self.pick("and", "or")
                return f"({self.expression('bool', depth - 1)} {words} {self.expression('bool', depth - 1)})"
            case 2:
                dtype = self.pick(*NUMBERS)
                middle = self.leaf(dtype)
                while any(f in middle for f in self.functions):  # Chains have no calls of functions there.
                    middle = self.leaf(dtype)
                parts = [self.expression(dtype, depth - 1), middle, self.expression(dtype, depth - 1)]
                return f"({parts[0]} {self.pick('<', '<=', '!=')} {parts[1]} {self.pick('<', '>=', '==')} {parts[2]})"
            case 3:
                return f"({self.expression('bool', depth - 1)} {self.pick('&', '|', '^')} {self.expression('bool', 0)})"
            case _:
                a, b = self.mixed()
                op = self.pick("<", "<=", ">", ">=", "==", "!=")
                return f"({self.expression(a, depth - 1)} {op} {self.expression(b, depth - 1)})"

    def mixed(self) -> tuple[str, str]:
        """Two types that have a common one."""
        a, b = self.pick(*NUMBERS), self.pick(*NUMBERS)
        return (a, a) if "u64" in (a, b) and "i" in (a[0], b[0]) else (a, b)

    # Statements

    def say(self, depth: int, text: str) -> None:
        self.lines.append("    " * depth + text)

    def target(self) -> tuple[str, str]:
        """A place to write to: a variable, an element of the lane's row, or one of its own array."""
        if self.rng.random() < 0.5:
            own = [n for n in self.variables if n[0] == "v"]
            name = self.pick(*own)
            return name, self.variables[name]
        dtype = self.pick(*OUTPUTS)
        if self.rng.random() < 0.3:
            return f"own[{self.index('COLUMNS')}]", "i64"
        return f"out_{dtype}[i, {self.index('COLUMNS')}]", dtype

    def assign(self, depth: int) -> None:
        place, dtype = self.target()
        value = self.expression(dtype, 2)
        way = self.rng.random()
        if way < 0.1:
            other, second = self.target()
            self.say(depth, f"{place}, {other} = {dtype}({value}), {second}({self.expression(second, 1)})")
            return
        if way < 0.2 and dtype in OUTPUTS:
            self.say(depth, f"{place} = out_{dtype}[i, {self.index('COLUMNS')}] = {dtype}({value})")
            return
        op = self.pick("+=", "-=", "*=") if self.rng.random() < 0.3 and dtype != "bool" else "="
        self.say(depth, f"{place} {op} {dtype}({value})")

    def body(self, depth: int, count: int) -> None:
        for _ in range(count):
            self.statement(depth)

    def statement(self, depth: int) -> None:
        kind = self.rng.randrange(12) if depth < 4 else self.rng.randrange(6)
        if kind < 5:
            self.assign(depth)
        elif kind == 5:
            self.leave(depth)
        elif kind < 8:
            self.choice(depth)
        elif kind < 10:
            self.counted(depth)
        elif kind == 10:
            self.repeated(depth)
        else:
            self.say(depth, f"atomic_add(counts, {self.index('len(counts)')}, i64({self.expression('i32', 1)}))")

    def leave(self, depth: int) -> None:
        word = self.pick("break", "continue", "return", "continue") if self.loops else "return"
        self.say(depth, f"if {self.expression('bool', 2)}:")
        self.say(depth + 1, word)

    def choice(self, depth: int) -> None:
        before = dict(self.variables)
        self.say(depth, f"if {self.condition(2)}:")
        self.body(depth + 1, self.rng.randrange(1, 3))
        for _ in range(self.rng.randrange(2)):
            self.say(depth, f"elif {self.condition(1)}:")
            self.body(depth + 1, 1)
        if self.rng.random() < 0.6:
            self.say(depth, "else:")
            self.body(depth + 1, self.rng.randrange(1, 3))
        self.variables = before

    def condition(self, depth: int) -> str:
        """A truth value, which may assign a variable."""
        own = [n for n, t in self.variables.items() if n[0] == "v" and t != "bool"]
        if not own or self.rng.random() < 0.8:
            return self.expression("bool", depth)
        name = self.pick(*own)
        dtype = self.variables[name]
        return f"({name} := {dtype}({self.expression(dtype, depth)})) {self.pick('<', '!=', '>=')} {self.leaf(dtype)}"

    def counted(self, depth: int) -> None:
        self.counters += 1
        name = f"k{self.counters}"
        start, stop = f"{self.leaf('i64')} % 4 - 1", f"{self.leaf('i64')} % 7"
        step = f"{self.leaf('i64')} % 3 + 1"
        bounds = [stop], [start, stop], [stop, start, "-1"], [start, stop, "2"], [start, stop, step]
        self.say(depth, f"for {name} in range({', '.join(self.rng.choice(bounds))}):")
        before = dict(self.variables)
        self.variables[name] = "i64"
        self.loops += 1
        self.body(depth + 1, self.rng.randrange(1, 3))
        self.loops -= 1
        if self.rng.random() < 0.2:
            self.say(depth + 1, f"{name} = {name} + 1")
        self.variables = before

    def repeated(self, depth: int) -> None:
        self.counters += 1
        name = f"w{self.counters}"
        self.say(depth, f"{name} = i64(0)")
        limit = f"{name} < {self.rng.randrange(1, 5)}"
        parts = (
            [f"bool({self.condition(1)})", limit] if self.rng.random() < 0.2 else [limit, self.expression("bool", 1)]
        )
        self.say(depth, f"while {' and '.join(parts)}:")
        self.say(depth + 1, f"{name} += 1")
        self.loops += 1
        self.body(depth + 1, self.rng.randrange(1, 3))
        self.loops -= 1


HEAD = """import hologram
from hologram.language import Array, atomic_add, f32, f64, get_global_id, i8, i16, i32, i64, local, u8, u16, u32, u64

COLUMNS = 4
"""


def function(rng: random.Random, name: str) -> list[str]:
    """A function that kernels call, with ways that end early."""
    program = Program(rng, variables={"a": "i64", "v1": "f64"})
    said = rng.random() < 0.5
    program.say(0, f"def {name}(p, q=2.5){' -> f64' if said else ''}:")
    program.say(1, "a = i64(p)")
    program.say(1, "v1 = f64(q)")
    for _ in range(rng.randrange(3)):
        program.say(1, f"if {program.decision(1)}:")
        program.say(2, f"return f64({program.expression('f64', 1)})")
    program.say(1, "return v1 - f64(a)")
    return program.lines


def source(seed: int) -> str:
    """The text of a file with one kernel."""
    rng = random.Random(seed)
    calls = tuple(f"part{n}" for n in range(rng.randrange(3)))
    text = [HEAD]
    for name in calls:
        # Arrays are not known in functions.
        lines = function(rng, name)
        while any("in_" in line for line in lines):
            lines = function(rng, name)
        text += ["", *lines, ""]
    inputs = [f"in_{t}: Array[{t}]" for t in INPUTS]
    outputs = [f"out_{t}: Array[{t}, 2]" for t in OUTPUTS]
    program = Program(rng, functions=calls)
    program.say(0, '@hologram.kernel(lanes="out_i64.shape[0]")')
    program.say(0, f"def kernel({', '.join([*inputs, *outputs, 'counts: Array[i64]', 'n: i32'])}):")
    program.say(1, "i = get_global_id()")
    program.say(1, "if i >= out_i64.shape[0]:")
    program.say(2, "return")
    program.say(1, "own = local(i64, COLUMNS)")
    program.say(1, "for c in range(COLUMNS):")
    program.say(2, "own[c] = c * i")
    program.variables = {"i": "i64", "n": "i32"}
    for number in range(4):
        dtype = program.pick(*NUMBERS, "bool")
        value = program.leaf(dtype)
        program.say(1, f"v{number} = {value}" if dtype != "bool" else f"v{number} = bool({value})")
        program.variables[f"v{number}"] = dtype
    # Most are short: ten thousand short programs find more in the same time than a thousand long ones.
    program.body(1, min(rng.randrange(1, 7), rng.randrange(1, 7)))
    for number in range(4):
        program.say(1, f"out_f64[i, {number}] += f64(v{number})")
    program.say(1, "out_i64[i, 0] += own[i % COLUMNS]")
    return "\n".join([*text, "", *program.lines, ""])
