// ARGS: 2 [1,2,3]:f32
// WANT: refused call-arguments

"builtin.module"() ({
  "gpu.module"() <{sym_name = "device"}> ({
    "gpu.func"() <{function_type = (memref<?xf32>) -> ()}> ({
    ^bb0(%x: memref<?xf32>):
      %v = arith.constant 7.0 : f32
      %d0 = arith.constant 0 : index
      %d3 = arith.constant 3 : index
      %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      memref.store %v, %x[%d0] : memref<?xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "fill", gpu.kernel} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index

    "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1, %n) <{kernel = @device::@fill, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, index) -> ()
    func.return
  }
}) {gpu.container_module} : () -> ()
