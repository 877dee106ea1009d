"""Random programs at the kernel level, in and out of bounds: loads, stores, vectors, views, allocations, loops, calls.

Each has a second text for the reference interpreter, which has no vectors, and takes memory that was never written for
a fault: there vectors are their elements, and new memory is filled with zeros.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

SOURCE = "memref<?xi32>"
STRIDED = "memref<?xi32, strided<[?], offset: ?>>"


@dataclass
class KernelProgram:
    """A function of a name, as compiled and as interpreted, with the values of its arguments."""

    name: str
    text: str
    oracle: str
    numbers: tuple[int, int]
    """The arguments %p and %q."""
    sizes: tuple[int, int, int]
    """Those of the arrays %x and %y, of i32."""


@dataclass
class _Scope:
    indices: list[str]
    numbers: list[str]
    memrefs: list[tuple[str, str]]

    def inner(self) -> _Scope:
        return _Scope([*self.indices], [*self.numbers], [*self.memrefs])


@dataclass
class Generator:
    """Makes a program of random choices."""

    random: Random
    name: str
    lines: list[str] = field(default_factory=list[str])
    oracle: list[str] = field(default_factory=list[str])
    count: int = 0

    def program(self) -> KernelProgram:
        """A function with two numbers and two arrays, and one that it may call."""
        scope = _Scope(["%p", "%q"], ["%w"], [("%x", SOURCE), ("%y", "memref<?x?xi32>")])
        self.both("  %w = arith.constant 3 : i32")
        for number in range(4):
            self.both(f"  %c{number} = arith.constant {number} : index")
            scope.indices.append(f"%c{number}")
        self.body(scope, self.random.randint(3, 9), 0)
        own = f"func.func @{self.name}(%p: index, %q: index, %x: {SOURCE}, %y: memref<?x?xi32>) {{"
        helper = _HELPER.replace("NAME", self.name)
        text, oracle = (
            "\n".join([helper, own, *lines, "  func.return", "}", ""]) for lines in (self.lines, self.oracle)
        )
        sizes = tuple(self.random.choice((0, 1, 3, 3, 5, 5, 6, 6, 8)) for _ in range(3))
        numbers = self.number(), self.number()
        return KernelProgram(self.name, text, oracle, numbers, (sizes[0], sizes[1], sizes[2]))

    def number(self) -> int:
        return self.random.choice((0, 1, 1, 2, 2, 3, 4, 5, 7, -1, -3, 1 << 40))

    def both(self, line: str) -> None:
        self.lines.append(line)
        self.oracle.append(line)

    def fresh(self) -> str:
        self.count += 1
        return f"%v{self.count}"

    def index(self, scope: _Scope) -> str:
        return self.random.choice(scope.indices)

    def body(self, scope: _Scope, length: int, depth: int) -> None:
        for _ in range(length):
            kinds = _STATEMENTS if depth < 2 else _STATEMENTS[:-2]
            self.random.choice(kinds)(self, scope, depth)

    # Statements

    def compute(self, scope: _Scope, depth: int) -> None:
        result = self.fresh()
        verb = self.random.choice(
            ("addi", "subi", "muli", "remui", "remsi", "divsi", "divui", "minsi", "maxsi", "ceildivsi")
        )
        flags = self.random.choice(("", " overflow<nsw>")) if verb in ("addi", "subi", "muli") else ""
        by = self.random.choice(("%c1", "%c2", "%c3")) if verb[:3] in ("rem", "div", "cei") else self.index(scope)
        if self.random.random() < 0.05:
            by = self.index(scope)
        self.both(f"  {result} = arith.{verb} {self.index(scope)}, {by}{flags} : index")
        scope.indices.append(result)

    def compute_number(self, scope: _Scope, depth: int) -> None:
        result = self.fresh()
        verb = self.random.choice(("addi", "muli", "divsi", "remsi", "floordivsi", "shli", "shrsi", "shrui", "xori"))
        a, b = (self.random.choice(scope.numbers) for _ in range(2))
        b = "%w" if self.random.random() < 0.8 else b
        self.both(f"  {result} = arith.{verb} {a}, {b} : i32")
        scope.numbers.append(result)

    def cast(self, scope: _Scope, depth: int) -> None:
        result = self.fresh()
        if self.random.random() < 0.5:
            self.both(f"  {result} = arith.index_cast {self.random.choice(scope.numbers)} : i32 to index")
            scope.indices.append(result)
        else:
            self.both(f"  {result} = arith.index_cast {self.index(scope)} : index to i32")
            scope.numbers.append(result)

    def load(self, scope: _Scope, depth: int) -> None:
        name, type = self.random.choice(scope.memrefs)
        result, places = self.fresh(), self.places(scope, name, type)
        self.both(f"  {result} = memref.load {name}[{places}] : {type}")
        scope.numbers.append(result)

    def store(self, scope: _Scope, depth: int) -> None:
        name, type = self.random.choice(scope.memrefs)
        places = self.places(scope, name, type)
        self.both(f"  memref.store {self.random.choice(scope.numbers)}, {name}[{places}] : {type}")

    def places(self, scope: _Scope, name: str, type: str) -> str:
        return ", ".join(self.place(scope, name, type, axis) for axis in range(type.split("i32")[0].count("x")))

    def place(self, scope: _Scope, name: str, type: str, axis: int) -> str:
        """An index, most often what is left of one by the size."""
        index = self.index(scope)
        if self.random.random() < 0.15:
            return index
        size, most, held = self.fresh(), self.fresh(), self.fresh()
        self.both(f"  {size} = memref.dim {name}, %c{axis} : {type}")
        self.both(f"  {most} = arith.maxui {size}, %c1 : index")
        self.both(f"  {held} = arith.remui {index}, {most} : index")
        scope.indices.append(held)
        return held

    def size(self, scope: _Scope, depth: int) -> None:
        name, type = self.random.choice(scope.memrefs)
        result = self.fresh()
        axis = "%c0" if self.random.random() < 0.9 else self.index(scope)
        self.both(f"  {result} = memref.dim {name}, {axis} : {type}")
        scope.indices.append(result)

    def allocate(self, scope: _Scope, depth: int) -> None:
        name, size = self.fresh(), self.fresh()
        most = self.random.choice(("%c2", "%c3"))
        wanted = self.index(scope) if self.random.random() < 0.2 else "%c3"
        self.both(f"  {size} = arith.minsi {wanted}, {most} : index")
        op = self.random.choice(("alloc", "alloc", "alloca"))
        self.both(f"  {name} = memref.{op}({size}) : {SOURCE}")
        self.oracle += [
            f"  {name}z = arith.constant 0 : i32",
            f"  scf.for {name}i = %c0 to {size} step %c1 {{",
            f"    memref.store {name}z, {name}[{name}i] : {SOURCE}",
            "  }",
        ]
        scope.memrefs.append((name, SOURCE))
        if op == "alloc" and self.random.random() < 0.4:
            inner = scope.inner()
            self.body(inner, self.random.randint(1, 3), depth)
            self.both(f"  memref.dealloc {name} : {SOURCE}")
            scope.memrefs.remove((name, SOURCE))

    def view(self, scope: _Scope, depth: int) -> None:
        sources = [name for name, type in scope.memrefs if type == SOURCE]
        name, source = self.fresh(), self.random.choice(sources)
        offset, size, step = (self.index(scope) for _ in range(3))
        if self.random.random() < 0.8:
            offset, size, step = "%c0", self.random.choice(("%c0", "%c1")), "%c1"
        if self.random.random() < 0.5:
            step = self.random.choice(("1", "1", "2", "-1", step))
            kind = f"memref<?xi32, strided<[{step if step[0] != '%' else '?'}], offset: ?>>"
            self.both(f"  {name} = memref.subview {source}[{offset}] [{size}] [{step}] : {SOURCE} to {kind}")
        else:
            kind = STRIDED
            self.both(
                f"  {name} = memref.reinterpret_cast {source} to offset: [{offset}], sizes: [{size}], strides: [{step}]"
                f" : {SOURCE} to {kind}"
            )
        scope.memrefs.append((name, kind))

    def retype(self, scope: _Scope, depth: int) -> None:
        sources = [name for name, type in scope.memrefs if type == SOURCE]
        name, size = self.fresh(), self.random.choice((1, 3, 5, 6))
        if self.random.random() < 0.8:
            return
        self.both(f'  {name} = "memref.cast"({self.random.choice(sources)}) : ({SOURCE}) -> memref<{size}xi32>')
        scope.memrefs.append((name, f"memref<{size}xi32>"))

    def copy(self, scope: _Scope, depth: int) -> None:
        a, b = (self.random.choice([m for m in scope.memrefs if m[1] != "memref<?x?xi32>"]) for _ in range(2))
        if a[0] != b[0] and a[1] == b[1] == SOURCE:
            self.both(f'  "memref.copy"({a[0]}, {b[0]}) : ({a[1]}, {b[1]}) -> ()')

    def vector(self, scope: _Scope, depth: int) -> None:
        sources = [name for name, type in scope.memrefs if type == SOURCE]
        a, b = (self.random.choice(sources) for _ in range(2))
        if self.random.random() < 0.7:
            return
        i, j, name, lanes = self.index(scope), self.index(scope), self.fresh(), self.random.choice((2, 4))
        kind = f"vector<{lanes}xi32>"
        self.lines += [
            f"  {name} = vector.load {a}[{i}] : {SOURCE}, {kind}",
            f"  vector.store {name}, {b}[{j}] : {SOURCE}, {kind}",
        ]
        for lane in range(lanes):
            self.oracle += [
                f"  {name}c{lane} = arith.constant {lane} : index",
                f"  {name}i{lane} = arith.addi {i}, {name}c{lane} : index",
                f"  {name}e{lane} = memref.load {a}[{name}i{lane}] : {SOURCE}",
            ]
        for lane in range(lanes):
            self.oracle += [
                f"  {name}j{lane} = arith.addi {j}, {name}c{lane} : index",
                f"  memref.store {name}e{lane}, {b}[{name}j{lane}] : {SOURCE}",
            ]

    def call(self, scope: _Scope, depth: int) -> None:
        sources = [name for name, type in scope.memrefs if type == SOURCE]
        result, source = self.fresh(), self.random.choice(sources)
        place = self.place(scope, source, SOURCE, 0)
        self.both(f"  {result} = func.call @{self.name}_h({source}, {place}) : ({SOURCE}, index) -> i32")
        scope.numbers.append(result)

    def loop(self, scope: _Scope, depth: int) -> None:
        index, end, step = self.fresh(), self.fresh(), self.random.choice(("%c1", "%c1", "%c1", "%c2"))
        step = self.index(scope) if self.random.random() < 0.05 else step
        name, type = self.random.choice(scope.memrefs)
        if self.random.random() < 0.6:
            self.both(f"  {end} = memref.dim {name}, %c0 : {type}")
        else:
            self.both(f"  {end} = arith.minsi {self.index(scope)}, %c3 : index")
        start = self.random.choice(("%c0", "%c0", "%c1"))
        self.both(f"  scf.for {index} = {start} to {end} step {step} {{")
        inner = scope.inner()
        # The index is likely to be used.
        inner.indices += [index] * 4
        if self.random.random() < 0.6 and "?x?" not in type:
            self.both(f"  memref.store {self.random.choice(scope.numbers)}, {name}[{index}] : {type}")
        self.body(inner, self.random.randint(1, 4), depth + 1)
        self.both("  }")

    def branch(self, scope: _Scope, depth: int) -> None:
        holds, predicate = self.fresh(), self.random.choice(("slt", "ult", "sge", "eq", "sle"))
        self.both(f"  {holds} = arith.cmpi {predicate}, {self.index(scope)}, {self.index(scope)} : index")
        self.both(f"  scf.if {holds} {{")
        self.body(scope.inner(), self.random.randint(1, 3), depth + 1)
        if self.random.random() < 0.5:
            self.both("  } else {")
            self.body(scope.inner(), self.random.randint(1, 2), depth + 1)
        self.both("  }")


_STATEMENTS = (
    Generator.compute, Generator.compute_number, Generator.cast, Generator.load, Generator.load, Generator.store,
    Generator.store, Generator.size, Generator.allocate, Generator.view, Generator.retype, Generator.copy,
    Generator.vector, Generator.call, Generator.loop, Generator.branch,
)  # fmt: skip
_HELPER = """\
func.func private @NAME_h(%m: memref<?xi32>, %i: index) -> i32 {
  %e = memref.load %m[%i] : memref<?xi32>
  %f = arith.addi %e, %e : i32
  memref.store %f, %m[%i] : memref<?xi32>
  func.return %e : i32
}
"""
