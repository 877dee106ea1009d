"""Random programs that grow: Python kernels made of random shapes within and behind one another, as large as asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from growth.shapes import kernel

Lines = list[str]


class Growing:
    """A random program for each size: what is drawn does not depend on the size."""

    def __init__(self, seed: str):
        self.seed = seed
        random = Random(seed)
        self.parts = [(random.choice(PARTS), random.random()) for _ in range(random.randint(1, 3))]

    def text(self, size: int) -> str:
        """The program whose parts have this size, one after the other."""
        functions: Lines = []
        lines = ["t = x[i]", "s = 0.0 + t"]
        for number, (part, seed) in enumerate(self.parts):
            lines += part(_Draw(f"{seed}", number, functions), size)
        return kernel([*lines, "y[i] = t + s"], "".join(functions))


class _Draw:
    """What is drawn for one part, and the functions that it needs."""

    def __init__(self, seed: str, number: int, functions: Lines):
        self.seed, self.number, self.functions = seed, number, functions
        self.loops = 0

    def expression(self, random: Random, depth: int = 2) -> str:
        """A small expression of numbers."""
        if depth == 0:
            loaded = f"x[(i + {random.randrange(9)}) % x.shape[0]]"
            return random.choice(("t", "s", "x[i]", f"{random.randrange(1, 99)}.5", loaded))
        a, b, c = (self.expression(random, depth - 1) for _ in range(3))
        return random.choice((f"({a} + {b})", f"({a} * {b} - {c})", f"max({a}, {b})", f"({a} if {b} > {c} else 0.5)"))

    def statement(self, random: Random, depth: int = 1) -> Lines:
        """A small statement, which assigns t or s, or stores."""
        kinds: Sequence[Callable[[Random, int], Lines]] = (self._assign, self._store, self._if, self._for, self._while)
        return random.choice(kinds if depth else kinds[:2])(random, depth - 1)

    def _assign(self, random: Random, _: int) -> Lines:
        return [f"{random.choice('ts')} = {self.expression(random)}"]

    def _store(self, random: Random, _: int) -> Lines:
        return [f"y[(i + {random.randrange(9)}) % y.shape[0]] = {self.expression(random, 1)}"]

    def _if(self, random: Random, depth: int) -> Lines:
        lines = [
            f"if {self.expression(random, 1)} > {random.randrange(99)}.0:",
            *indented(self.statement(random, depth)),
        ]
        return [*lines, "else:", *indented(self.statement(random, depth))] if random.random() < 0.5 else lines

    def _for(self, random: Random, depth: int) -> Lines:
        return [f"for {self.variable()} in range({random.randrange(2, 5)}):", *indented(self.statement(random, depth))]

    def _while(self, random: Random, depth: int) -> Lines:
        body = [*self.statement(random, depth), "t = t - 1.0"]
        return [f"while t > {random.randrange(99)}.0:", *indented(body)]

    def variable(self) -> str:
        """The name of one more loop's index."""
        self.loops += 1
        return f"j{self.number}_{self.loops}"


def indented(lines: Lines) -> Lines:
    """The lines of a body."""
    return [f" {line}" for line in lines]


def sequence(draw: _Draw, size: int) -> Lines:
    """Statements, one after the other."""
    random = Random(draw.seed)
    return [line for _ in range(size) for line in draw.statement(random)]


def nest(draw: _Draw, size: int) -> Lines:
    """Control within control, with statements between."""
    random = Random(draw.seed)
    heads = random.sample(("if", "else", "for", "while"), random.randint(1, 3))
    levels = [(heads[k % len(heads)], draw.statement(random, 0), random.randrange(99)) for k in range(size)]
    lines = draw.statement(random, 0)
    for head, beside, number in reversed(levels):
        match head:
            case "if":
                lines = [f"if t > {number}.0:", *indented(lines), *beside]
            case "else":
                lines = [f"if t > {number}.0:", *indented(beside), "else:", *indented(lines)]
            case "for":
                lines = [f"for {draw.variable()} in range(2):", *indented([*beside, *lines])]
            case _:
                lines = [f"while t > {number}.0:", *indented([*lines, "t = t - 1.0"])]
    return lines


def expression(draw: _Draw, size: int) -> Lines:
    """One long expression."""
    random = Random(draw.seed)
    form = random.choice(("{0} + {1}", "({0}) * {1}", "max({0}, {1})", "({1} if {1} > 0.5 else {0})"))
    text = "t"
    for _ in range(size):
        text = form.format(text, draw.expression(random, 0))
    return [f"s = {text}"]


def condition(draw: _Draw, size: int) -> Lines:
    """A condition of many terms."""
    random = Random(draw.seed)
    words = random.choice((("and",), ("or",), ("and", "or")))
    text = "t > 0.0"
    for k in range(size):
        text = f"({text}) {words[k % len(words)]} {draw.expression(random, 0)} < {random.randrange(99)}.0"
    return [f"if {text}:", *indented(draw.statement(random, 0))]


def helpers(draw: _Draw, size: int) -> Lines:
    """Functions that call the ones before them."""
    random = Random(draw.seed)
    form = random.choice(("{0}(a) + {0}(a + 1.0)", "{0}(a * 0.5) + 1.0", "{0}(a) if a > 0.5 else {0}(1.0 - a)"))
    name = f"h{draw.number}_"
    draw.functions.append(f"def {name}0(a: f32) -> f32:\n    return a * 0.5 + 1.0\n")
    for k in range(1, size):
        draw.functions.append(f"def {name}{k}(a: f32) -> f32:\n    return {form.format(f'{name}{k - 1}')}\n")
    return [f"t = t + {name}{size - 1}(t)"]


PARTS = (sequence, nest, expression, condition, helpers)
