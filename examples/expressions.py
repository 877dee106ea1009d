"""A compiler for a toy language that emits Atlas assembly: element by element expressions over arrays of f32.

    python examples/expressions.py "y = 2 * x + sin(x) / (1 + abs(z))"              prints the assembly
    python examples/expressions.py "y = a * x + b" --run                            runs it on this machine
    python examples/expressions.py "y = a * x + b" > axpb.atlas; hologram-compile axpb.atlas      for C

The name before = is the array that is written; the names behind it are arrays that are read.
"""

from __future__ import annotations

import re
import sys

FUNCTIONS = ("abs", "sqrt", "exp", "log", "sin", "cos", "tanh", "floor", "sign")
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?)|([a-z_]\w*)|(.))", re.IGNORECASE)


class Wrong(Exception):
    """The text is not an expression."""


class Compiler:
    """Emits code while it parses: each part of an expression leaves its value in a register of its own."""

    def __init__(self, text: str):
        target, equals, expression = text.partition("=")
        if not equals or not re.fullmatch(r"\s*[a-z_]\w*\s*", target, re.IGNORECASE):
            raise Wrong("an assignment looks like y = 2 * x")
        self.tokens = [m.groups() for m in TOKEN.finditer(expression.strip())]
        self.place = 0
        self.lines: list[str] = []
        self.target = target.strip()
        self.inputs: dict[str, str] = {}
        """The register of each array's element, by name."""
        self.registers = 3
        """The number of used registers: r0 holds the size, r1 the lane's number, r2 the byte offset of its element."""
        self.result = self.sum()
        if self.place < len(self.tokens):
            raise Wrong(f"'{self.text()}' can't stand there")
        if self.target in self.inputs:
            raise Wrong(f"'{self.target}' is written, so it can't be read")

    # Parsing

    def text(self) -> str:
        """The next token, empty at the end."""
        return next(filter(None, self.tokens[self.place])) if self.place < len(self.tokens) else ""

    def take(self, *wanted: str) -> str | None:
        """The next token if it is one of these."""
        found = self.text()
        if not found or found not in wanted:
            return None
        self.place += 1
        return found

    def sum(self) -> str:
        left = self.product()
        while operator := self.take("+", "-"):
            left = self.emit({"+": "add", "-": "sub"}[operator], left, self.product())
        return left

    def product(self) -> str:
        left = self.factor()
        while operator := self.take("*", "/"):
            left = self.emit({"*": "mul", "/": "div"}[operator], left, self.factor())
        return left

    def factor(self) -> str:
        if self.take("-"):
            return self.emit("neg", self.factor())
        if self.take("("):
            return self.closed(self.sum())
        if self.place >= len(self.tokens):
            raise Wrong("the expression ends too early")
        number, name, other = self.tokens[self.place]
        self.place += 1
        if number:
            return self.emit("mov_imm", str(float(number)))
        if name and self.take("("):
            if name not in FUNCTIONS:
                raise Wrong(f"there is no function '{name}': they are {', '.join(FUNCTIONS)}")
            return self.closed(self.emit(name, self.sum()))
        if name:
            if name not in self.inputs:
                self.inputs[name] = self.emit("ldg", f"[buf{len(self.inputs)} + r2]")
            return self.inputs[name]
        raise Wrong(f"'{other}' can't stand there")

    def closed(self, value: str) -> str:
        if not self.take(")"):
            raise Wrong("a parenthesis is not closed")
        return value

    # Emitting

    def emit(self, mnemonic: str, *operands: str) -> str:
        """An instruction of f32 whose result goes into a new register."""
        if self.registers == 252:
            raise Wrong("the expression is too long")
        register = f"r{self.registers}"
        self.registers += 1
        self.lines.append(f"  {mnemonic}.f32 {', '.join([register, *operands])}")
        return register

    def assembly(self) -> str:
        """The program: lanes past the end of the arrays do nothing."""
        count = len(self.inputs)
        arrays = ", ".join(f"buf{i}: f32[?]" for i in range(count + 1))
        head = [
            f".program {self.target}({arrays}, r0: u64) {{    // {', '.join([*self.inputs, self.target])}, size",
            "  .launch block(256, 1, 1)",
            "  mov.u64 r1, %gid",
            "  setge.u64 p0, r1, r0",
            "  @p0 bra end",
            "  mov_imm.u64 r2, 4",
            "  mul.u64 r2, r1, r2",
        ]
        return "\n".join([*head, *self.lines, f"  stg.f32 [buf{count} + r2], {self.result}", "end:", "  exit", "}", ""])


def run(compiler: Compiler, size: int = 1000) -> None:
    """Runs the program on random arrays, and prints the first results."""
    import numpy as np

    import hologram

    kernel = hologram.compile(hologram.isa.assemble(compiler.assembly()))
    rng = np.random.default_rng(0)
    arrays = {name: rng.random(size, np.float32) for name in compiler.inputs}
    out = np.zeros(size, np.float32)
    blocks = -(-size // 256)
    kernel(*arrays.values(), out, size, blocks, 1, 1)
    for name, array in [*arrays.items(), (compiler.target, out)]:
        print(f"{name} = {array[:4]} ...")


def main() -> None:
    words = [word for word in sys.argv[1:] if word != "--run"]
    if len(words) != 1:
        sys.exit(__doc__)
    try:
        compiler = Compiler(words[0])
    except Wrong as error:
        sys.exit(f"error: {error}")
    if "--run" in sys.argv:
        run(compiler)
    else:
        print(compiler.assembly(), end="")


if __name__ == "__main__":
    main()
