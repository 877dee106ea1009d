// RUN: hologram-opt %s
// EXIT: 1
// ERROR: :15:5: error: 'gpu.launch_func' passes \(memref<\?xf32>\) to @k, which takes \(f32\)
// ERROR: hint: @k is at line 8

"builtin.module"() ({
  "gpu.module"() <{sym_name = "m"}> ({
    "gpu.func"() <{function_type = (f32) -> ()}> ({
    ^bb0(%x: f32):

      "gpu.return"() : () -> ()
    }) {gpu.kernel, sym_name = "k"} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %a: memref<?xf32>) {
    "gpu.launch_func"(%n, %n, %n, %n, %n, %n, %a) <{kernel = @m::@k, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<?xf32>) -> ()
    func.return
  }
}) : () -> ()
