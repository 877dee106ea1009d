// ARGS: [1,2,3]:f32
// WANT: refused guard-use-after-free

func.func @main(%x: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %m = memref.alloc() : memref<8xf32>
  %r = "scf.while"(%c0) ({
  ^bb0(%a: index):
    memref.dealloc %m : memref<8xf32>
    %t = arith.cmpi slt, %a, %c3 : index
    scf.condition(%t) %a : index
  }, {
  ^bb0(%b: index):
    %d = arith.addi %b, %c1 : index
    scf.yield %d : index
  }) : (index) -> index
  func.return
}
