# EXIT: 1
# ERROR: 'cf.br' branches to a block of another region

from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.cf import BranchOp
from xdsl.dialects.func import FuncOp, ReturnOp
from xdsl.ir import Block, Region

from hologram.transforms.analysis.verifier import verify_module

end = Block([ReturnOp()])
inside = FuncOp("inside", ((), ()), Region([Block([BranchOp(end)])]))
outside = FuncOp("outside", ((), ()), Region([end]))
verify_module(ModuleOp([inside, outside]))
