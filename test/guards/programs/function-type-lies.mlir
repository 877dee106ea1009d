// ARGS: [1,2,3]:f32
// WANT: refused 

"builtin.module"() ({
  "func.func"() <{function_type = (memref<?xf32>) -> (), sym_name = "main"}> ({
  ^bb0(%x: memref<100xf32>):
    %k = arith.constant 99 : index
    %v = arith.constant 1.0 : f32
    memref.store %v, %x[%k] : memref<100xf32>
    func.return
  }) : () -> ()
}) : () -> ()
