# EXIT: 70
# ERROR: a value that arith.addi uses was not converted before it \[conversion-value-missing\]

from xdsl.dialects import arith, func, test
from xdsl.dialects.builtin import ModuleOp, i32
from xdsl.ir import Block, Region

from hologram.lowering.rewriting.conversion import Rules, convert_module

lone = test.TestOp(result_types=[i32])
block = Block([arith.AddiOp(lone, lone), func.ReturnOp()])
convert_module(ModuleOp([func.FuncOp("f", ((), ()), Region(block))]), Rules())
