// RUN: hologram-opt %s -p inline-tensor-functions | filecheck %s

func.func private @step(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = func.call @sq(%x) : (tensor<?xf32>) -> tensor<?xf32>
  %s = func.call @sq(%r) : (tensor<?xf32>) -> tensor<?xf32>
  func.return %s : tensor<?xf32>
}
func.func @sq(%x: tensor<?xf32>) -> tensor<?xf32> {
  %r = hologram.mul %x, %x : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
  func.return %r : tensor<?xf32>
}
func.func @main(%x: tensor<?xf32>, %n: index) -> tensor<?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%a = %x) -> (tensor<?xf32>) {
    %b = func.call @step(%a) : (tensor<?xf32>) -> tensor<?xf32>
    scf.yield %b : tensor<?xf32>
  }
  func.return %r : tensor<?xf32>
}

// A public function stays, a private one that nothing calls any more goes.
// CHECK-NOT:  @step
// CHECK:      func.func @sq(
// CHECK-NOT:  func.call
// CHECK:      func.func @main(
// CHECK:      scf.for
// CHECK-NEXT:   [[A:%.*]] = hologram.mul %a, %a : tensor<?xf32>
// CHECK-NEXT:   [[B:%.*]] = hologram.mul [[A]], [[A]] : tensor<?xf32>
// CHECK-NEXT:   scf.yield [[B]] : tensor<?xf32>
