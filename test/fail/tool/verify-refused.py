# EXIT: 1
# ERROR: 'test.broken' is not valid: no idea

from xdsl.dialects.builtin import ModuleOp
from xdsl.irdl import IRDLOperation, irdl_op_definition

from hologram.transforms.analysis.verifier import verify_module


@irdl_op_definition
class BrokenOp(IRDLOperation):
    name = "test.broken"

    def verify_(self):
        raise ValueError("no idea")


verify_module(ModuleOp([BrokenOp()]))
