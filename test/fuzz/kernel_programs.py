"""Random programs at the kernel level, in and out of bounds: loads, stores, vectors (also masked, gathered
and transferred), views, allocations, loops, calls.

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
        """Reads a vector one way and writes it another way; the oracle does so lane by lane."""
        if self.random.random() < 0.6:
            return
        sources = [name for name, type in scope.memrefs if type == SOURCE]
        a, b = (self.random.choice(sources) for _ in range(2))
        name, lanes = self.fresh(), self.random.choice((2, 4))
        kind = f"vector<{lanes}xi32>"
        places = [self.index(scope) if self.random.random() < 0.5 else "%c0" for _ in range(lanes)]
        self.lines += [
            f"  {name}m = vector.create_mask {self.random.choice((*places, '%c1', '%c2'))} : vector<{lanes}xi1>",
            f"  {name}w = vector.broadcast %w : i32 to {kind}",
            f"  {name}p = vector.from_elements {', '.join(places)} : vector<{lanes}xindex>",
        ]
        count = self.lines[-3].split()[3]
        for lane in range(lanes):
            self.oracle.append(f"  {name}c{lane} = arith.constant {lane} : index")
        self.oracle += [f"  {name}b = arith.constant -1 : index"]
        for lane in range(lanes):
            self.oracle.append(f"  {name}m{lane} = arith.cmpi sgt, {count}, {name}c{lane} : index")
        self._vector_read(name, kind, a, self.index(scope), places)
        self._vector_written(name, kind, b, self.index(scope), places)

    def _vector_read(self, name: str, kind: str, array: str, at: str, places: list[str]) -> None:
        mask, indices = kind.replace("i32", "i1"), kind.replace("i32", "index")
        text, is_masked = self.random.choice((
            (f"vector.load {array}[{at}] : {SOURCE}, {kind}", False),
            (f"vector.maskedload {array}[{at}], {name}m, {name}w : {SOURCE}, {mask}, {kind} into {kind}", True),
            (f"vector.gather {array}[%c0] [{name}p], {name}m, {name}w : {SOURCE}, {indices}, {mask},"
             f" {kind} into {kind}", True),
            (f"vector.transfer_read {array}[{at}], %w : {SOURCE}, {kind}", False),
        ))  # fmt: skip
        self.lines.append(f"  {name} = {text}")
        self._lanes(name, "r", array, at, places, text)
        for lane in range(len(places)):
            load = f"memref.load {array}[{name}ri{lane}] : {SOURCE}"
            if is_masked or "transfer" in text:
                holds = f"{name}m{lane}" if is_masked else f"{name}rh{lane}"
                self.oracle += [
                    f"  {name}e{lane} = scf.if {holds} -> (i32) {{", f"    {name}t{lane} = {load}",
                    f"    scf.yield {name}t{lane} : i32", "  } else {", "    scf.yield %w : i32", "  }",
                ]  # fmt: skip
            else:
                self.oracle.append(f"  {name}e{lane} = {load}")

    def _vector_written(self, name: str, kind: str, array: str, at: str, places: list[str]) -> None:
        mask, indices = kind.replace("i32", "i1"), kind.replace("i32", "index")
        text, is_masked = self.random.choice((
            (f"vector.store {name}, {array}[{at}] : {SOURCE}, {kind}", False),
            (f"vector.maskedstore {array}[{at}], {name}m, {name} : {SOURCE}, {mask}, {kind}", True),
            (f"vector.scatter {array}[%c0] [{name}p], {name}m, {name} : {SOURCE}, {indices}, {mask},"
             f" {kind}", True),
            (f"vector.transfer_write {name}, {array}[{at}] : {kind}, {SOURCE}", False),
        ))  # fmt: skip
        self.lines.append(f"  {text}")
        self._lanes(name, "s", array, at, places, text)
        for lane in range(len(places)):
            store = f"memref.store {name}e{lane}, {array}[{name}si{lane}] : {SOURCE}"
            if is_masked or "transfer" in text:
                holds = f"{name}m{lane}" if is_masked else f"{name}sh{lane}"
                self.oracle += [f"  scf.if {holds} {{", f"    {store}", "  }"]
            else:
                self.oracle.append(f"  {store}")

    def _lanes(self, name: str, way: str, array: str, at: str, places: list[str], text: str) -> None:
        """The index of each lane, and whether a transfer has it; a transfer from past the end is out of bounds."""
        is_indexed, is_transfer = ("gather" in text or "scatter" in text), "transfer" in text
        if is_transfer:
            self.oracle += [
                f"  {name}{way}n = memref.dim {array}, %c0 : {SOURCE}",
                f"  {name}{way}o = arith.cmpi ugt, {at}, {name}{way}n : index",
                f"  scf.if {name}{way}o {{", f"    {name}{way}x = memref.load {array}[{name}b] : {SOURCE}", "  }",
            ]  # fmt: skip
        for lane, place in enumerate(places):
            first = place if is_indexed else at
            by = "%c0" if is_indexed else f"{name}c{lane}"
            self.oracle.append(f"  {name}{way}i{lane} = arith.addi {first}, {by} : index")
            if is_transfer:
                self.oracle.append(f"  {name}{way}h{lane} = arith.cmpi slt, {name}{way}i{lane}, {name}{way}n : index")

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
