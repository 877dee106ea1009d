// RUN: hologram-opt %s -p 'gpu-module-to-binary{format=mlir device=paper}' | filecheck %s
// RUN: hologram-opt %s -p 'gpu-module-to-binary{format=mlir device=paper}' | hologram-opt | filecheck %s

// The code is text, and what its kernels take goes with it.

"gpu.module"() <{sym_name = "m"}> ({
  "gpu.func"() <{function_type = (index) -> ()}> ({
  ^bb0(%n: index):
    "gpu.return"() : () -> ()
  }) {sym_name = "k", gpu.kernel} : () -> ()
}) {hologram.kernels = "[{}]"} : () -> ()

// CHECK:      "gpu.binary"() <{sym_name = "m", objects = [#gpu.object<"mlir", offload = "\22gpu.module\22() <{sym_name = \22m\22}>
// CHECK-SAME: ">], offloadingHandler = #gpu.select_object}> {hologram.kernels = "[{}]", hologram.device = "paper", hologram.format = "mlir", hologram.target = ""}
