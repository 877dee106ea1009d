"""Makes the operations of a circuit from its tree, and the tree from them. Nothing here recurses."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from xdsl.dialects.builtin import FileLineColLoc, IntAttr, ModuleOp, StringAttr
from xdsl.ir import Attribute, Block, Operation, Region

from hologram.dialects.atlas.instructions.types import DTYPES
from hologram.dialects.sigil.ops import GENERATORS, TYPES, CircuitOp, GeneratorOp, ParOp, TargetAttr, TransformOp
from hologram.dialects.sigil.syntax import Target
from hologram.dialects.sigil.tree import Body, Leaf, Node, Par, Prefix
from hologram.errors import InputError, did_you_mean

Locate = Callable[[Any], Any]
"""The location that the place of a node stands for."""


def module_of(body: Body, text: str, name: str, type: str | None = None) -> ModuleOp:
    """A module with the circuit as `sigil.circuit @main`; the nodes' places are offsets in the text."""
    if type is not None and type not in TYPES:
        hint = did_you_mean(type, TYPES) or f"tiles are of {', '.join(TYPES)}"
        raise InputError("circuit-type", f"tiles can't be of type '{type}'", hint=hint)
    locate = _places(text, name)
    circuit = CircuitOp("main", Region(block_of(body, locate)), None if type is None else DTYPES[type])
    circuit.location = locate(0)
    module = ModuleOp([circuit])
    module.location = circuit.location
    return module


def _places(text: str, name: str) -> Locate:
    starts = [0]
    while at := text.find("\n", starts[-1]) + 1:
        starts.append(at)
    file = StringAttr(name)

    def locate(offset: int) -> Attribute:
        line = bisect_right(starts, offset)
        return FileLineColLoc(file, IntAttr(line), IntAttr(offset - starts[line - 1] + 1))

    return locate


def block_of(body: Body, locate: Locate) -> Block:
    """A block of the operations of a body. Inner blocks are filled first: what is put into a block is compared with
    everything around that block."""
    order = [body]
    for outer in order:
        for node in outer:
            if not isinstance(node, Leaf):
                order += [node.body] if isinstance(node, Prefix) else node.branches
    known: dict[Target, TargetAttr] = {}
    blocks: dict[int, Block] = {}
    while order:
        ops: list[Operation] = []
        inner = order.pop()
        for node in inner:
            op = _operation(node, known, blocks)
            op.location = locate(node.place)
            ops.append(op)
        blocks[id(inner)] = Block(ops)
    return blocks[id(body)]


def _operation(node: Node, known: dict[Target, TargetAttr], blocks: dict[int, Block]) -> Operation:
    match node:
        case Leaf():
            if (target := known.get(node.target)) is None:
                target = known[node.target] = TargetAttr(node.target)
            properties: dict[str, Attribute] = {"target": target}
            if node.variant:
                properties["variant"] = StringAttr(node.variant)
            return GENERATORS[node.generator].create(properties=properties)
        case Prefix():
            return TransformOp(node.chain[::-1], Region(blocks[id(node.body)]))
        case Par():
            return ParOp([Region(blocks[id(branch)]) for branch in node.branches])


def body_of(block: Block) -> Body:
    """The body that the operations of a block are; the nodes' places are these."""
    first: Body = []
    work: list[tuple[Block, Body]] = [(block, first)]
    while work:
        source, into = work.pop()
        for op in source.ops:
            match op:
                case GeneratorOp():
                    into.append(Leaf(op.generator(), op.target.data, op.variant_name, op))
                case TransformOp():
                    prefix = Prefix([m.data for m in reversed(op.moves.data)], [], op)
                    into.append(prefix)
                    work.append((op.body.block, prefix.body))
                case ParOp():
                    par = Par([[] for _ in op.branches], op)
                    into.append(par)
                    work += [(r.block, b) for r, b in zip(op.branches, par.branches, strict=True)]
                case _:
                    raise AssertionError(f"{op.name} in a verified circuit")
    return first


def circuits_of(module: ModuleOp) -> Sequence[CircuitOp]:
    """The circuits of a module."""
    return [op for op in module.body.block.ops if isinstance(op, CircuitOp)]


def replace_body(circuit: CircuitOp, body: Body) -> None:
    """Gives a circuit another body, whose nodes' places are operations that theirs come from."""
    new = Region(block_of(body, lambda op: op.location))
    circuit.detach_region(circuit.body)
    circuit.add_region(new)
