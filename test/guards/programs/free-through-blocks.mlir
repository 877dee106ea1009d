// ARGS: [1,2,3]:f32
// WANT: refused guard-dealloc

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %a = memref.alloc() : memref<8xf32>
  cf.br ^l(%a, %c0 : memref<8xf32>, index)
^l(%m: memref<8xf32>, %i: index):
  memref.dealloc %m : memref<8xf32>
  %j = arith.addi %i, %c1 : index
  %t = arith.cmpi slt, %j, %c3 : index
  cf.cond_br %t, ^l(%m, %j : memref<8xf32>, index), ^e
^e:
  func.return
}
