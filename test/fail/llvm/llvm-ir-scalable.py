# EXIT: 1
# ERROR: mine.ll: error: the program has scalable vectors, which x86-64 does not have
from hologram.lowering.targets.objects.native import compile_ir
from hologram.support.host_target import HostTarget

text = "define <vscale x 4 x float> @f(<vscale x 4 x float> %x) {\n  ret <vscale x 4 x float> %x\n}\n"
compile_ir(text, HostTarget("x86_64-unknown-linux-gnu", "x86-64", ""), origin="mine.ll")
