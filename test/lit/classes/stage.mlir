// RUN: hologram-opt %s -p stage-class-tiles | filecheck %s
// RUN: hologram-opt %s -p 'stage-class-tiles{bytes=4096}' | filecheck %s --check-prefix=SMALL

// A tile that a loop reads often is copied near; what the loop may write, or reads once, is not.

// CHECK-LABEL: func.func @product
// SMALL-LABEL: func.func @product
func.func @product(%x: memref<3072xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 48 : index
  %k5 = arith.constant 5 : i32
  %k6 = arith.constant 6 : i32
  // CHECK: %a = class.tile
  %a = class.tile %k5 : i32 to memref<64x48xf32>
  %b = class.tile %k6 : i32 to memref<48xf32>
  // CHECK: [[NEAR:%near]] = memref.alloca() : memref<64x48xf32>
  // CHECK-NEXT: memref.copy %a, [[NEAR]]
  // SMALL-NOT: memref.alloca
  // CHECK-NEXT: scf.for
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      scf.for %k = %c0 to %n step %c1 {
        // CHECK: memref.load [[NEAR]][%j, %k]
        // SMALL: memref.load %a[%j, %k]
        %v = memref.load %a[%j, %k] : memref<64x48xf32>
        %w = memref.load %b[%k] : memref<48xf32>
        %s = arith.addf %v, %w : f32
        // CHECK: memref.store {{%.*}}, %b[%i]
        memref.store %s, %b[%i] : memref<48xf32>
        memref.store %s, %x[%i] : memref<3072xf32>
      }
    }
  }
  // CHECK-NOT: memref.alloca
  scf.for %k = %c0 to %n step %c1 {
    // CHECK: memref.load %b[
    %v = memref.load %b[%k] : memref<48xf32>
    memref.store %v, %x[%k] : memref<3072xf32>
  }
  func.return
}

// CHECK-LABEL: func.func private @unknown
func.func private @unknown(%x: memref<48xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = arith.constant 48 : index
  %k5 = arith.constant 5 : i32
  %a = class.tile %k5 : i32 to memref<48xf32>
  // CHECK-NOT: memref.alloca
  scf.for %i = %c0 to %n step %c1 {
    scf.for %j = %c0 to %n step %c1 {
      // A caller may have passed the tile itself.
      %v = memref.load %a[%j] : memref<48xf32>
      memref.store %v, %x[%i] : memref<48xf32>
    }
  }
  func.return
}
