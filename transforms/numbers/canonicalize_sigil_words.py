"""`canonicalize-sigil-words`: circuits by the laws of their words."""

from __future__ import annotations

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.dialects.sigil.build import body_of, circuits_of, replace_body
from hologram.dialects.sigil.words import canonical_words
from hologram.support.collector import without_collection


@dataclass(frozen=True)
class CanonicalizeSigilWordsPass(ModulePass):
    """Rewrites each sequence of a circuit to the one normal form of its words. With c = copy of class 5, X, Z, S, I =
    mark of class 21, 42, 7, 0, H = c X, the laws are HXH = Z, H H = X X = Z Z = I, S S = Z, I I = I; the rules are
    their completion. It forgets what the circuit does to tiles, and so is no part of a pipeline to a device. In this
    system H H is the identity; in the 768-cycle model (`sigil.cycle.gate`) it is not.

    Before::

        sigil.circuit @main {
          sigil.copy "c05->c06"
          sigil.mark "c21"
          sigil.copy "c05->c06"
          sigil.mark "c21"
        }

    After::

        sigil.circuit @main {
          sigil.mark "c00"
        }
    """

    name = "canonicalize-sigil-words"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for circuit in circuits_of(op):
            with without_collection():
                replace_body(circuit, canonical_words(body_of(circuit.body.block)))
