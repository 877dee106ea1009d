// RUN: hologram-opt %s -p expand-wide-integers{vector-bytes=16} | filecheck %s
// RUN: hologram-opt %s -p expand-wide-integers{vector-bytes=32} | filecheck %s --check-prefix=VECTOR

// Division goes through memory to a function over limbs, which the module gets once; the least products stay.
// CHECK: func.func private @hologram_reciprocal(
// CHECK: func.func private @hologram_divide_4(%a: memref<4xi64>, %b: memref<4xi64>)
// CHECK-NOT: arith.divui {{.*}} : i256
// CHECK: func.func private @hologram_multiply_4(%a: memref<4xi512>, %b: memref<4xi512>)

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
  // CHECK: func.call @hologram_multiply_4
  %1 = arith.muli %b, %b : i2048
  func.return %0, %1 : i256, i2048
}

// Sums are chains of carries, or vectors whose masks say which limbs take one; loops with them are as they shall be.
// CHECK-LABEL: func.func @sums
// VECTOR-LABEL: func.func @sums
func.func @sums(%x: memref<8xi1024>, %b: i256) -> i256 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  scf.for %i = %c0 to %c8 step %c1 {
    // VECTOR: %[[A:.*]] = memref.load
    %a = memref.load %x[%i] : memref<8xi1024>
    // CHECK: arith.subi %{{.*}}, %{{.*}} : i1024
    // VECTOR: %[[V:.*]] = llvm.bitcast %[[A]] : i1024 to vector<16xi64>
    // VECTOR: %[[D:.*]] = arith.subi %[[V]], %[[W:.*]] : vector<16xi64>
    // VECTOR: %[[UNDER:.*]] = arith.cmpi ult, %[[V]], %[[W]]
    // VECTOR: %[[PASSES:.*]] = arith.cmpi eq, %[[D]]
    // VECTOR: llvm.bitcast %[[UNDER]] : vector<16xi1> to i16
    // VECTOR: llvm.bitcast %{{.*}} : vector<16xi64> to i1024
    %s = arith.subi %a, %a : i1024
    memref.store %s, %x[%i] : memref<8xi1024>
    // CHECK: llvm.loop_annotation
  }
  // VECTOR: arith.addi %b, %b : i256
  %t = arith.addi %b, %b : i256
  func.return %t : i256
}
