# EXIT: 1
# ERROR: mine.ll:2:7: error: LLVM refuses it
from hologram.lowering.targets.objects.native import verify

verify("define i32 @f() {\n  ret i64 0\n}\n", origin="mine.ll")
