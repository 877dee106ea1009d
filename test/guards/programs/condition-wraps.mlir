// ARGS: [1,2,3]:f32 -9223372036854775807
// WANT: value [1.0, 2.0, 3.0]

func.func @main(%x: memref<?xf32>, %i: index) {
  %c0 = arith.constant 0 : index
  %one = arith.constant 1.0 : f32
  %big = arith.constant 9223372036854775807 : index
  %a = arith.addi %i, %big : index
  %b = arith.addi %a, %big : index
  %n = memref.dim %x, %c0 : memref<?xf32>
  %t = arith.cmpi slt, %b, %n : index
  %t2 = arith.cmpi sge, %a, %c0 : index
  %t3 = arith.andi %t, %t2 : i1
  scf.if %t3 {
    memref.store %one, %x[%b] : memref<?xf32>
  }
  func.return
}
