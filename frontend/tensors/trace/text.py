"""A trace as MLIR text of the `hologram` dialect. Equal traces have equal texts, which their code is found by."""

from __future__ import annotations

from collections.abc import Sequence

from hologram.dialects.sizes import Atom, Size
from hologram.frontend.tensors.trace.literals import literal
from hologram.frontend.tensors.trace.locations import Place
from hologram.frontend.tensors.trace.trace import Argument, Control, Node, Part, Trace, Traced
from hologram.support import promotion


def module_text(trace: Trace, results: Sequence[Traced], places: bool = True) -> str:
    """The text of a trace's program, which gives `results`; with the places where it is computed, or without."""
    return _Writer(trace, places).module(results)


class _Writer:
    def __init__(self, trace: Trace, places: bool):
        self.trace = trace
        self.places = places
        self.facts = trace.facts
        self.lines: list[str] = []
        self.sizes: dict[Size, str] = {}
        """The names of sizes that were computed."""
        self.counts: dict[int, str] = {}
        self.tensors = {a.value.name: a.value for a in trace.arguments}
        self.depth = 1
        self.news = 0

    def module(self, results: Sequence[Traced]) -> str:
        for node in self.trace.nodes:
            self.node(node)
        arguments = ", ".join(map(self.argument, self.trace.arguments))
        types = ", ".join(self.type(r) + _attributes(r.dtype) for r in results)
        names = ", ".join(f"%{r.name}" for r in results)
        plain = ", ".join(map(self.type, results))
        place = self.location(self.trace.place)
        head = f"func.func @{self.trace.name}({arguments}) -> ({types}) {{\n"
        return head + "".join(self.lines) + f"  func.return {names} : {plain}{place}\n}}{place}\n"

    def argument(self, argument: Argument) -> str:
        value = argument.value
        return f"%{value.name}: {self.type(value)}{_attributes(value.dtype, value.name)}"

    def location(self, place: Place) -> str:
        return _location(place) if self.places else " loc(unknown)"

    # Types

    def type(self, value: Traced) -> str:
        """The type of a value in IR."""
        if value.is_number:
            return _element(value.dtype)
        return self.tensor(value.dtype, value.sizes)

    def tensor(self, dtype: str, sizes: Sequence[Size]) -> str:
        dims = [self.facts.settled(s).constant for s in sizes]
        return f"tensor<{''.join('?x' if n is None else f'{n}x' for n in dims)}{_element(dtype)}>"

    # Operations

    def line(self, text: str, place: Place) -> None:
        self.lines.append(f"{'  ' * self.depth}{text}{self.location(place)}\n")

    def node(self, node: Node | Control) -> None:
        """Writes an operation."""
        if isinstance(node, Control):
            return self.control(node)
        if node.name == "index":
            (index,) = node.operands
            return self.line(f"%{node.result.name} = arith.index_cast %{index.name} : index to i64", node.place)
        if node.name == "from the end":
            last = self.size(self.facts.settled(node.value - Size.of(1)), node.place)
            (index,) = node.operands
            return self.line(f"%{node.result.name} = arith.subi {last}, %{index.name} : index", node.place)
        if node.name == "number":
            kind = _element(node.result.dtype)
            return self.line(f"%{node.result.name} = arith.constant {literal(node.value, node.result.dtype)} : {kind}",
                             node.place)  # fmt: skip
        if node.name == "size":
            return self.size_number(node)
        if node.name.startswith("atlas."):
            return self.array_op(node)
        if node.name == "tensor.insert_slice":
            return self.insertion(node)
        names = ", ".join(f"%{v.name}" for v in node.operands)
        types = ", ".join(map(self.type, node.operands))
        given = self.given(node.result.sizes, node.place) if node.given else ""
        sizes = f" sizes({given})" if given else ""
        self.line(
            f"%{node.result.name} = {node.name}{node.head and ' ' + node.head} {names}{sizes}{_braces(node)} : "
            f"({types}) -> {self.type(node.result)}",
            node.place,
        )

    def array_op(self, node: Node) -> None:
        """An array-level instruction, and the tensor that gives its result's shape."""
        type = self.type(node.result)
        given = self.given(node.result.sizes, node.place)
        self.line(f"%e{node.result.name} = tensor.empty({given}) : {type}", node.place)
        names = ", ".join(f"%{v.name}" for v in node.operands)
        types = ", ".join(map(self.type, node.operands))
        self.line(
            f"%{node.result.name} = {node.name}{node.head and ' ' + node.head} ins({names} : {types}) "
            f"outs(%e{node.result.name} : {type}){_braces(node)}",
            node.place,
        )

    def insertion(self, node: Node) -> None:
        """A slice of one step put in its place along the first axis."""
        part, whole, index = node.operands
        zeros, ones = ", 0" * (whole.ndim - 1), ", 1" * (whole.ndim - 1)
        sizes = "".join(f", {self.size_text(s, node.place)}" for s in whole.sizes[1:])
        self.line(
            f"%{node.result.name} = tensor.insert_slice %{part.name} into %{whole.name}[%{index.name}{zeros}] "
            f"[1{sizes}] [1{ones}] : {self.type(part)} into {self.type(whole)}",
            node.place,
        )

    def size_text(self, size: Size, place: Place) -> str:
        """A size as a number, or its name."""
        settled = self.facts.settled(size)
        return self.size(settled, place) if settled.constant is None else str(settled.constant)

    # Loops and choices

    def control(self, node: Control) -> None:
        """Writes a loop or a choice."""
        names = ", ".join(f"%{v.name}" for v in node.starts)
        types = ", ".join(map(self.type, node.results))
        count = f":{len(node.results)}" if len(node.results) > 1 else ""
        results = f"%{node.results[0].name.partition('#')[0]}{count} = " if node.results else ""
        first = node.parts[0]
        carried = ", ".join(f"%{a.name} = %{v.name}" for a, v in zip(first.args, node.starts, strict=False))
        if node.name == "scf.for":
            assert node.index is not None
            zero, one = self.count(0, node.place), self.count(1, node.place)
            opening = f"scf.for %{node.index.name} = {zero} to {self.bound(node)} step {one}"
            opening += f" iter_args({carried}) -> ({types})" * bool(names)
        elif node.name == "scf.while":
            opening = f"scf.while ({carried}) : ({types}) -> ({types})"
        else:
            opening = f"scf.if {self.bound(node)}" + f" -> ({types})" * bool(types)
        self.lines.append(f"{'  ' * self.depth}{results}{opening} {{\n")
        self.part(first, node.place)
        for part in node.parts[1:]:
            self.lines.append(f"{'  ' * self.depth}}} {'do' if node.name == 'scf.while' else 'else'} {{\n")
            if node.name == "scf.while":
                arguments = ", ".join(f"%{a.name}: {self.type(a)}" for a in part.args)
                self.lines.append(f"{'  ' * self.depth}^bb0({arguments}):\n")
            self.part(part, node.place)
        self.line("}", node.place)

    def bound(self, node: Control) -> str:
        """The number of steps, or the condition of a choice."""
        if isinstance(node.bound, Size):
            return self.size(self.facts.settled(node.bound), node.place)
        assert node.bound is not None
        element = self.element(node.bound, node.place)
        if node.name == "scf.if":
            return element
        return self.new(f"arith.index_cast {element} : i64 to index", node.place)

    def element(self, value: Traced, place: Place) -> str:
        """The one element of a tensor."""
        if value.is_number:
            return f"%{value.name}"
        return self.new(f"tensor.extract %{value.name}[] : {self.type(value)}", place)

    def part(self, part: Part, place: Place) -> None:
        """Writes a region, whose sizes and counts are known in it alone."""
        sizes, counts = dict(self.sizes), dict(self.counts)
        self.depth += 1
        for node in part.nodes:
            self.node(node)
        names, types = ", ".join(f"%{v.name}" for v in part.results), ", ".join(map(self.type, part.results))
        given = f" {names} : {types}" * bool(names)
        if part.condition is not None:
            self.line(f"scf.condition({self.element(part.condition, place)}){given}", place)
        else:
            self.line(f"scf.yield{given}", place)
        self.depth -= 1
        self.sizes, self.counts = sizes, counts

    # Sizes

    def given(self, sizes: Sequence[Size], place: Place) -> str:
        """The names of the dynamic ones of some sizes."""
        settled = [self.facts.settled(s) for s in sizes]
        return ", ".join(self.size(s, place) for s in settled if s.constant is None)

    def size(self, size: Size, place: Place) -> str:
        """The name of a size, which is computed where it is first needed."""
        if size not in self.sizes:
            self.sizes[size] = size.evaluate(
                lambda atom: self.atom(atom, place),
                lambda number: self.count(number, place),
                lambda kind, a, b: self.combined(kind, a, b, place),
            )
        return self.sizes[size]

    def new(self, text: str, place: Place) -> str:
        self.news += 1
        name = f"%s.{self.news}"
        self.line(f"{name} = {text}", place)
        return name

    def count(self, number: int, place: Place) -> str:
        if number not in self.counts:
            self.counts[number] = self.new(f"arith.constant {number} : index", place)
        return self.counts[number]

    def combined(self, kind: str, a: str, b: str, place: Place) -> str:
        op = {"+": "addi", "*": "muli", "//": "floordivsi"}[kind]
        return self.new(f"arith.{op} {a}, {b} : index", place)

    def atom(self, atom: Atom, place: Place) -> str:
        """An unknown: a size of an argument, or an argument that is a number."""
        own = Size(frozenset({((atom,), 1)}))
        if own not in self.sizes:
            name, _, axis = (atom.text or "").partition("[")
            if not axis:
                return f"%{name}"
            source = self.type(self.tensors[name])
            text = f"hologram.dim %{name} {{axis = {axis[:-1]} : i64}} : {source} to index"
            self.sizes[own] = self.new(text, place)
        return self.sizes[own]

    def size_number(self, node: Node) -> None:
        """A size as a number of a type."""
        dtype, place, name = node.result.dtype, node.place, node.result.name
        size = self.facts.settled(node.value)
        if (known := size.constant) is not None:
            value = literal(float(known) if promotion.is_float(dtype) else known, dtype)
            return self.line(f"%{name} = arith.constant {value} : {_element(dtype)}", place)
        wide = self.new(f"arith.index_cast {self.size(size, place)} : index to i64", place)
        if promotion.is_float(dtype):
            self.line(f"%{name} = arith.sitofp {wide} : i64 to {dtype}", place)
        elif dtype == "bool":
            self.line(f"%{name} = arith.cmpi ne, {wide}, {self.zero(place)} : i64", place)
        elif promotion.bits(dtype) < 64:
            self.line(f"%{name} = arith.trunci {wide} : i64 to {_element(dtype)}", place)
        else:
            self.line(f"%{name} = arith.addi {wide}, {self.zero(place)} : i64", place)

    def zero(self, place: Place) -> str:
        return self.new("arith.constant 0 : i64", place)


def _braces(node: Node) -> str:
    return f" {{{node.attributes}}}" if node.attributes else ""


def _element(dtype: str) -> str:
    """The signless type of the IR."""
    return "i1" if dtype == "bool" else f"i{dtype[1:]}" if dtype.startswith("u") else dtype


def _attributes(dtype: str, name: str = "") -> str:
    """Return the attributes of an argument or a result."""
    attributes = [f'hologram.name = "{name}"'] * bool(name) + [f'hologram.type = "{dtype}"'] * dtype.startswith("u")
    return f" {{{', '.join(attributes)}}}" if attributes else ""


def _location(place: Place) -> str:
    file = place.file.replace("\\", "\\\\").replace('"', '\\"')
    return f' loc("{file}":{place.line}:{place.column})'
