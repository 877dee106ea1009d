// ARGS: [1,2,3]:f32
// WANT: refused guard-use-after-free

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %one = arith.constant 1.0 : f32
  %a = memref.alloc() : memref<4xf32>
  %r = "scf.parallel"(%c0, %c0, %c1, %a) <{operandSegmentSizes = array<i32: 1, 1, 1, 1>}> ({
  ^bb0(%i: index):
    "scf.reduce"(%a) ({
    ^bb1(%l: memref<4xf32>, %q: memref<4xf32>):
      scf.reduce.return %l : memref<4xf32>
    }) : (memref<4xf32>) -> ()
  }) : (index, index, index, memref<4xf32>) -> memref<4xf32>
  memref.dealloc %a : memref<4xf32>
  memref.store %one, %r[%c0] : memref<4xf32>
  func.return
}
