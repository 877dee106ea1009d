// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :13:5: error: there is no kernel @m::@other.* \[gpu-kernel-unknown\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> ()}> ({

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %a: memref<?xf32>) {
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n) <{kernel = @m::@other, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
    func.return
  }
}) : () -> ()
