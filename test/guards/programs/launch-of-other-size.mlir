// ARGS: 2 [1,2,3]:f32
// WANT: refused call-arguments

"builtin.module"() ({
  "gpu.module"() <{sym_name = "device"}> ({
    "gpu.func"() <{function_type = (memref<100xf32>) -> ()}> ({
    ^bb0(%x: memref<100xf32>):
      %v = arith.constant 7.0 : f32
      %d0 = arith.constant 0 : index
      %d3 = arith.constant 3 : index
      %i = "gpu.thread_id"() <{dimension = #gpu<dim x>}> : () -> index
      %k = arith.constant 99 : index
      memref.store %v, %x[%k] : memref<100xf32>
      "gpu.return"() : () -> ()
    }) {sym_name = "fill", gpu.kernel} : () -> ()
  }) : () -> ()
  func.func @main(%n: index, %x: memref<?xf32>) {
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index

    "gpu.launch_func"(%c1, %c1, %c1, %c1, %c1, %c1, %x) <{kernel = @device::@fill, operandSegmentSizes = array<i32: 0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 1, 0>}> : (index, index, index, index, index, index, memref<?xf32>) -> ()
    func.return
  }
}) {gpu.container_module} : () -> ()
