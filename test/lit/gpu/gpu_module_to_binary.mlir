// RUN: hologram-opt %s -p 'gpu-module-to-binary{format=mlir device=paper}' | filecheck %s
// RUN: hologram-opt %s -p 'gpu-module-to-binary{format=mlir device=paper}' | hologram-opt | filecheck %s

// The code is text, and what its kernels take goes with it.

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%n: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) {hologram.kernels = "[{}]"} : () -> ()

// CHECK:      gpu.binary @m {hologram.kernels = "[{}]", hologram.device = "paper", hologram.format = "mlir", hologram.target = ""}
// CHECK-SAME: [#gpu.object<"mlir", offload = "gpu.module @m
