# EXIT: 1
# ERROR: no calling convention 'webkit_jscc'
from xdsl.dialects.builtin import ModuleOp
from xdsl.dialects.llvm import CallingConventionAttr, FuncOp, LLVMFunctionType

from hologram.lowering.targets.llvm.text.module import emit_llvm_ir

emit_llvm_ir(ModuleOp([FuncOp("f", LLVMFunctionType([]), cconv=CallingConventionAttr("webkit_jscc"))]))
