"gpu.module"() <{sym_name = "probe"}> ({
  "gpu.func"() <{function_type = (memref<?xf32>) -> (), known_block_size = array<i32: 1, 1, 1>}> ({
  ^bb0(%m: memref<?xf32>):
    %c0 = arith.constant 0 : index
    %c1 = arith.constant 1 : index
    %a = memref.load %m[%c0] : memref<?xf32>
    %b = memref.load %m[%c1] : memref<?xf32>
    %r = math.fma %a, %a, %b : f32
    memref.store %r, %m[%c0] : memref<?xf32>
    "gpu.return"() : () -> ()
  }) {sym_name = "probe", gpu.kernel} : () -> ()
}) : () -> ()
