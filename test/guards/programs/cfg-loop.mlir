// ARGS: [1,2,3]:f32
// WANT: trap index 3 is out of range for size 3

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = arith.constant 1.0 : f32
  %big = arith.constant 100000 : index
  cf.br ^l(%c0 : index)
^l(%i: index):
  memref.store %k, %x[%i] : memref<?xf32>
  %j = arith.addi %i, %c1 : index
  %b = arith.cmpi slt, %j, %big : index
  cf.cond_br %b, ^l(%j : index), ^e
^e:
  func.return
}
