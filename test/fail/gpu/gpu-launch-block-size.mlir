// RUN: hologram-opt %s -p convert-gpu-to-scf
// EXIT: 1
// ERROR: :14:5: error: the kernel @m::@k is for blocks of 32 lanes along x, but is launched with 64.* \[gpu-launch-block-size\]

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = () -> (), known_block_size = array<i32: 32, 1, 1>}> ({

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %a: memref<?xf32>) {
    %c = arith.constant 64 : index
    "gpu.launch_func"(%n, %n, %n, %c, %n, %n) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0>}> : (index, index, index, index, index, index) -> ()
    func.return
  }
}) : () -> ()
