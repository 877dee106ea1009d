"""The digest that two sources of one program share: of the IR without names, comments or line breaks.

It covers operations, their attributes, types and regions, values by their number, and the names that become part of a
kernel's signature: those of a function's arguments and of what it returns.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from blake3 import blake3
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Block, Operation, SSAValue

from hologram.errors import where_of
from hologram.support.walking import operations


def module_digest(module: ModuleOp, *, places: bool) -> str:
    """64 hexadecimal digits that are equal for equal programs. With `places`, also the source places must be equal:
    code that may trap reports them."""
    walk = _Walk(module, places)
    digest = blake3()
    for part in walk.parts(module):
        digest.update(f"{len(part)}:{part}".encode())
    return digest.hexdigest()


class _Walk:
    def __init__(self, module: ModuleOp, places: bool):
        self.places = places
        self.values: dict[SSAValue, int] = {}
        self.blocks: dict[Block, int] = {}
        self.texts: dict[int, str] = {}
        """Attributes as text by identity: the module keeps them alive."""
        for op in operations(module):
            self._number(op.results)
            for block in (b for region in op.regions for b in region.blocks):
                self.blocks[block] = len(self.blocks)
                self._number(block.args)

    def _number(self, values: Iterable[SSAValue]) -> None:
        for value in values:
            self.values[value] = len(self.values)

    def text(self, attribute: Attribute) -> str:
        known = self.texts.get(id(attribute))
        if known is None:
            known = self.texts[id(attribute)] = str(attribute)
        return known

    def parts(self, op: Operation, depth: int = 0) -> Iterator[str]:
        """Give what makes up an operation, in a form that reads in one way only."""
        yield op.name
        if self.places:
            yield str(where_of(op))
        yield " ".join(str(self.values.get(v, "?")) for v in op.operands)
        yield " ".join(str(self.blocks.get(b, "?")) for b in op.successors)
        for table in (op.properties, op.attributes):
            yield str(len(table))
            for name in sorted(table):
                yield name
                yield self.text(table[name])
        yield str(len(op.results))
        yield from (self.text(r.type) for r in op.results)
        yield str(len(op.regions))
        for region in op.regions:
            yield str(len(region.blocks))
            for number, block in enumerate(region.blocks):
                yield from self._block(block, number == 0 and depth == 1, depth)

    def _block(self, block: Block, signature: bool, depth: int) -> Iterator[str]:
        yield str(len(block.args))
        yield from (self.text(a.type) for a in block.args)
        if signature:
            yield from (str(a.name_hint) for a in block.args)
        yield str(len(block.ops))
        for op in block.ops:
            yield from self.parts(op, depth + 1)
        if depth == 1 and (last := block.last_op) is not None:
            yield from (str(v.name_hint) for v in last.operands)
