"""Kernels as text: a frame with ids and constants around a body, and random bodies without races."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

Size = tuple[int, int, int]

FRAME = """
"builtin.module"() ({{
  "gpu.module"() <{{sym_name = "device"}}> ({{
    "gpu.func"() <{{function_type = (memref<?xi64>, memref<?xi64>, index) -> (){known}}}> ({{
    ^bb0(%in: memref<?xi64>, %out: memref<?xi64>, %n: index, %s: memref<64xi64, #gpu.address_space<workgroup>>):
{ids}
{body}
      "gpu.return"() : () -> ()
    }}) {{gpu.kernel, sym_name = "kernel", workgroup_attributions = 1 : i64}} : () -> ()
  }}) : () -> ()
  func.func @main(%in: memref<?xi64>, %out: memref<?xi64>, %n: index, {sizes}) {{
{constants}
    "gpu.launch_func"(%gx, %gy, %gz, %bx, %by, %bz, %in, %out, %n) <{{kernel = @device::@kernel, operandSegmentSizes
      = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 3, 0>}}> : (index, index, index, index, index, index,
      memref<?xi64>, memref<?xi64>, index) -> ()
    func.return
  }}
}}) {{gpu.container_module}} : () -> ()
"""

IDS = [
    *(
        f'%{short}{d} = "gpu.{name}"() <{{dimension = #gpu<dim {d}>}}> : () -> index'
        for short, name in (("t", "thread_id"), ("b", "block_id"), ("d", "block_dim"), ("g", "grid_dim"))
        for d in "xyz"
    ),
    *(f"%c{n} = arith.constant {n} : index" for n in range(9)),
    *(f"%k{n} = arith.constant {n} : i64" for n in range(9)),
    "%l0 = arith.muli %tz, %dy : index",
    "%l1 = arith.addi %l0, %ty : index",
    "%l2 = arith.muli %l1, %dx : index",
    "%lane = arith.addi %l2, %tx : index",
    "%w0 = arith.muli %dx, %dy : index",
    "%lanes = arith.muli %w0, %dz : index",
    "%b0 = arith.muli %bz, %gy : index",
    "%b1 = arith.addi %b0, %by : index",
    "%b2 = arith.muli %b1, %gx : index",
    "%block = arith.addi %b2, %bx : index",
    "%g0 = arith.muli %block, %lanes : index",
    "%gid = arith.addi %g0, %lane : index",
    "%tid = arith.index_cast %lane : index to i64",
    "%bid = arith.index_cast %block : index to i64",
]
"""%tx.. %bx.. %dx.. %gx.., %c0 to %c8 and (i64) %k0 to %k8, %lane, %lanes, %block, %gid; as i64, %tid and %bid."""

SIZES = ("%gx", "%gy", "%gz", "%bx", "%by", "%bz")


def kernel(body: str, grid: Size, block: Size, *, sizes: str = "launch") -> str:
    """A module with the kernel `kernel` and `main(in, out, n)` that launches it.

    The block's size is known from the kernel's attribute (`known`), the launch's constants (`launch`), or not at all
    (`dynamic`: `main` takes the six sizes after n).
    """
    known = f", known_block_size = array<i32: {', '.join(map(str, block))}>" if sizes == "known" else ""
    values = [*grid, *block]
    constants = "\n".join(f"    {name} = arith.constant {n} : index" for name, n in zip(SIZES, values, strict=True))
    taken = ", ".join(f"{name}: index" for name in SIZES)
    text = FRAME.format(
        known=known,
        ids="\n".join(f"      {line}" for line in IDS),
        body=body,
        sizes=taken if sizes == "dynamic" else "",
        constants="" if sizes == "dynamic" else constants,
    )
    return text.replace("%n: index, )", "%n: index)")


@dataclass
class Bodies:
    """Draws kernel bodies. Values are i64 unless said otherwise; all lanes hold the same in `shared` ones."""

    draw: Callable[[st.SearchStrategy[Any]], Any]
    lines: list[str] = field(default_factory=list[str])
    values: list[str] = field(default_factory=lambda: ["%tid", "%k1", "%k5", "%bid"])
    shared: list[str] = field(default_factory=lambda: ["%k2", "%k3", "%bid"])
    arrays: list[str] = field(default_factory=list[str])
    count: int = 0

    def emit(self, text: str) -> str:
        """Adds an operation with a result; gives the result's name."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = {text}")
        return name

    def pick(self, names: Sequence[str]) -> str:
        """One of `names`, the last ones more often."""
        back: int = self.draw(st.integers(0, 3 * len(names)))
        return names[-1 - back % len(names)] if back >= len(names) else names[-1 - back % min(3, len(names))]

    def index(self, value: str, mask: str) -> str:
        """`value` & `mask` as an index."""
        return self.emit(f"arith.index_cast {self.emit(f'arith.andi {value}, {mask} : i64')} : i64 to index")

    @contextmanager
    def nested(self) -> Generator[None]:
        """Values made inside are not there afterwards."""
        kept = self.values[:], self.shared[:], self.arrays[:]
        yield
        self.values, self.shared, self.arrays = kept

    def statements(self, depth: int, lane: bool = False) -> None:
        """A few statements; with `lane`, only what needs no barrier and may differ between lanes."""
        for _ in range(self.draw(st.integers(1, 4))):
            choices = [self.arithmetic, self.private, self.recall, self.global_load]
            if depth:
                choices += [self.lane_if, self.lane_for]
            if not lane:
                choices += [self.exchange, self.exchange, self.uniform]
                if depth:
                    choices += [self.uniform_for, self.uniform_if, self.uniform_while]
            self.draw(st.sampled_from(choices))(depth - 1)

    def arithmetic(self, depth: int) -> None:
        """A value from two."""
        op = self.draw(st.sampled_from(["addi", "muli", "xori", "subi"]))
        self.values.append(self.emit(f"arith.{op} {self.pick(self.values)}, {self.pick(self.values)} : i64"))

    def uniform(self, depth: int) -> None:
        """A value that all lanes share: arithmetic, a division, or a load from one place."""
        a, b = self.pick(self.shared), self.pick(self.shared)
        match self.draw(st.integers(0, 2)):
            case 0:
                name = self.emit(f"arith.addi {a}, {b} : i64")
            case 1:
                small = self.emit(f"arith.andi {a}, %k7 : i64")
                divisor = self.emit(f"arith.addi {small}, %k1 : i64")
                masked = self.emit(f"arith.andi {b}, %k7 : i64")
                name = self.emit(f"arith.divui {masked}, {divisor} : i64")
            case _:
                name = self.emit(f"memref.load %in[{self.index(a, '%k7')}] : memref<?xi64>")
        self.shared.append(name)
        self.values.append(name)

    def global_load(self, depth: int) -> None:
        """A load of an input at a place of the lane's own."""
        name = self.emit(f"memref.load %in[{self.index(self.pick(self.values), '%k7')}] : memref<?xi64>")
        self.values.append(name)

    def exchange(self, depth: int) -> None:
        """Gets another lane's value through shared memory."""
        space = "memref<64xi64, #gpu.address_space<workgroup>>"
        self.lines.append('"gpu.barrier"() : () -> ()')
        self.lines.append(f"memref.store {self.pick(self.values)}, %s[%lane] : {space}")
        self.lines.append('"gpu.barrier"() : () -> ()')
        far = self.emit(f"arith.addi %lane, %c{self.draw(st.integers(0, 8))} : index")
        at = self.emit(f"arith.remui {far}, %lanes : index")
        self.values.append(self.emit(f"memref.load %s[{at}] : {space}"))

    def private(self, depth: int) -> None:
        """A buffer of the lane's own."""
        name = self.emit("memref.alloca() : memref<4xi64>")
        for n in range(4):
            self.lines.append(f"memref.store {self.pick(self.values)}, {name}[%c{n}] : memref<4xi64>")
        self.arrays.append(name)

    def recall(self, depth: int) -> None:
        """An element of a buffer of the lane's own, perhaps from before a barrier; then a new value for one."""
        if not self.arrays:
            return
        array = self.pick(self.arrays)
        at = self.index(self.pick(self.values), "%k3")
        self.values.append(self.emit(f"memref.load {array}[{at}] : memref<4xi64>"))
        self.lines.append(f"memref.store {self.pick(self.values)}, {array}[%c1] : memref<4xi64>")

    def condition(self, names: Sequence[str]) -> str:
        """A comparison that holds if the lowest bits of a value are small."""
        low = self.emit(f"arith.andi {self.pick(names)}, %k3 : i64")
        return self.emit(f"arith.cmpi ult, {low}, %k{self.draw(st.integers(1, 3))} : i64")

    def branches(self, condition: str, depth: int, lane: bool) -> None:
        """An scf.if with a result and perhaps barriers."""
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"{name} = scf.if {condition} -> (i64) {{")
        for between in ("} else {", "}"):
            with self.nested():
                self.statements(depth, lane)
                self.lines.append(f"scf.yield {self.pick(self.values)} : i64")
            self.lines.append(between)
        self.values.append(name)

    def lane_if(self, depth: int) -> None:
        """A branch that lanes take apart."""
        self.branches(self.condition(self.values), depth, lane=True)

    def uniform_if(self, depth: int) -> None:
        """A branch that lanes take together."""
        self.branches(self.condition(self.shared), depth, lane=False)

    def loop(self, bound: str, depth: int, lane: bool) -> None:
        """An scf.for that carries three values, one of them the same for all lanes."""
        self.count += 1
        n = self.count
        a, b, c = self.pick(self.values), self.pick(self.values), self.pick(self.shared)
        self.lines.append(
            f"%v{n}:3 = scf.for %i{n} = %c0 to {bound} step %c1 iter_args(%p{n} = {a}, %q{n} = {b}, %u{n} = {c}) "
            "-> (i64, i64, i64) {"
        )
        with self.nested():
            self.values += [f"%p{n}", f"%q{n}", f"%u{n}"]
            if not lane:
                self.shared.append(f"%u{n}")
            self.statements(depth, lane)
            last = self.draw(st.sampled_from([f"%q{n}", self.pick(self.values)]))
            kept = self.pick(self.values if lane else self.shared)
            self.lines.append(f"scf.yield {last}, {self.pick(self.values)}, {kept} : i64, i64, i64")
        self.lines.append("}")
        self.values += [f"%v{n}#0", f"%v{n}#1"]
        if not lane:
            self.shared.append(f"%v{n}#2")

    def lane_for(self, depth: int) -> None:
        """A loop that each lane runs as often as it likes."""
        self.loop(self.index(self.pick(self.values), "%k3"), depth, lane=True)

    def uniform_for(self, depth: int) -> None:
        """A loop that lanes run together."""
        self.loop(self.index(self.pick(self.shared), "%k3"), depth, lane=False)

    def uniform_while(self, depth: int) -> None:
        """A loop that goes on while a value that all lanes share is not zero."""
        start = self.emit(f"arith.andi {self.pick(self.shared)}, %k3 : i64")
        a = self.pick(self.values)
        self.count += 1
        n = self.count
        self.lines.append(f"%v{n}:2 = scf.while (%p{n} = {start}, %q{n} = {a}) : (i64, i64) -> (i64, i64) {{")
        with self.nested():
            self.values += [f"%p{n}", f"%q{n}"]
            self.statements(depth)
            more = self.emit(f"arith.cmpi ne, %p{n}, %k0 : i64")
            self.lines.append(f"scf.condition({more}) %p{n}, {self.pick(self.values)} : i64, i64")
        self.lines += ["} do {", f"^bb0(%r{n}: i64, %s{n}: i64):"]
        with self.nested():
            self.values += [f"%r{n}", f"%s{n}"]
            self.statements(depth)
            down = self.emit(f"arith.subi %r{n}, %k1 : i64")
            self.lines.append(f"scf.yield {down}, {self.pick(self.values)} : i64, i64")
        self.lines.append("}")
        self.values += [f"%v{n}#0", f"%v{n}#1"]

    def body(self) -> str:
        """A whole body: statements, then a mix of what they made goes to the lane's place in the output."""
        self.statements(3)
        total = "%k0"
        for value in self.values:
            total = self.emit(f"arith.xori {total}, {value} : i64")
        self.lines.append(f"memref.store {total}, %out[%gid] : memref<?xi64>")
        return "\n".join(f"      {line}" for line in self.lines)


@st.composite
def bodies(draw: Callable[[st.SearchStrategy[Any]], Any]) -> str:
    """Random kernel bodies."""
    return Bodies(draw).body()
