# EXIT: 2
# ERROR: pass 'split': the factor must be a power of two, not 3

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from hologram.lowering.pipelines.pass_options import build
from hologram.lowering.pipelines.pass_spec import parse_call


@dataclass(frozen=True)
class SplitPass(ModulePass):
    name = "split"
    factor: int = 2

    def __post_init__(self) -> None:
        if self.factor & (self.factor - 1):
            raise ValueError(f"the factor must be a power of two, not {self.factor}")

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        pass


build(SplitPass, parse_call("split{factor=3}", "-p"))
