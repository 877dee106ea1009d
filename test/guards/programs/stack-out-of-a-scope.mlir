// ARGS: [1,2,3]:f32
// WANT: refused guard-stack-return

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c3 = arith.constant 3 : index
  %one = arith.constant 1.0 : f32
  %r = "memref.alloca_scope"() ({
    %a = memref.alloca(%c3) : memref<?xf32>
    %t = arith.constant true
    %s = scf.if %t -> (memref<?xf32>) {
      scf.yield %a : memref<?xf32>
    } else {
      scf.yield %x : memref<?xf32>
    }
    "memref.alloca_scope.return"(%s) : (memref<?xf32>) -> ()
  }) : () -> memref<?xf32>
  memref.store %one, %r[%c0] : memref<?xf32>
  func.return
}
