// RUN: hologram-opt %s -p expand-wide-integers | filecheck %s

// Division goes through memory to a function over limbs, which the module gets once; the least products stay.
// CHECK: func.func private @hologram_reciprocal(
// CHECK: func.func private @hologram_divide_4(%a: memref<4xi64>, %b: memref<4xi64>)
// CHECK-NOT: arith.divui {{.*}} : i256
// CHECK: func.func private @hologram_multiply_32(

// CHECK-LABEL: func.func @quotients
func.func @quotients(%a: i256, %b: i256) -> (i256, i256) {
  // CHECK: %[[BYTES:.*]] = memref.alloca() {alignment = 16 : i64} : memref<32xi8>
  // CHECK: %[[WHOLE:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<32xi8> to memref<1xi256>
  // CHECK: memref.store %a, %[[WHOLE]]
  // CHECK: %[[LIMBS:.*]] = memref.view %[[BYTES]][%{{.*}}][] : memref<32xi8> to memref<4xi64>
  // CHECK: func.call @hologram_divide_4(%[[LIMBS]], %{{.*}}) : (memref<4xi64>, memref<4xi64>) -> ()
  // CHECK: memref.load %[[WHOLE]]
  %q = arith.divui %a, %b : i256
  // CHECK: func.call @hologram_divide_4
  // CHECK: arith.select
  %r = arith.remsi %a, %b : i256
  func.return %q, %r : i256, i256
}

// CHECK-LABEL: func.func @products
func.func @products(%a: i256, %b: i2048) -> (i256, i2048) {
  // CHECK: arith.muli %a, %a : i256
  %0 = arith.muli %a, %a : i256
  // CHECK: func.call @hologram_multiply_32
  %1 = arith.muli %b, %b : i2048
  func.return %0, %1 : i256, i2048
}
