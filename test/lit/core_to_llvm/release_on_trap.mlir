// RUN: hologram-opt %s -p release-on-trap | filecheck %s
// RUN: hologram-opt %s -p release-on-trap,convert-scf-to-cf,convert-to-llvm | filecheck %s --check-prefix LLVM

// Buffers that live where the function may leave are freed there, those of enclosing blocks too.

// CHECK-LABEL: func.func @main
// CHECK-NEXT:    cf.assert %a, "before"
// CHECK:         [[T:%.*]] = memref.alloc() : memref<8xf32>
// CHECK:         scf.for
// CHECK-NEXT:      [[U:%.*]] = memref.alloc() : memref<4xf32>
// CHECK-NEXT:      scf.if %b {
// CHECK-NEXT:      } else {
// CHECK-NEXT:        memref.dealloc [[U]]
// CHECK-NEXT:        memref.dealloc [[T]]
// CHECK-NEXT:      }
// CHECK-NEXT:      cf.assert %b, "within"
// CHECK-NEXT:      memref.dealloc [[U]]
// CHECK-NEXT:    }
// CHECK-NEXT:    func.call @work(%trap) {hologram.goes_on}
// CHECK:         [[WORD:%.*]] = memref.load %trap[%{{.*}}]
// CHECK-NEXT:    [[FINE:%.*]] = arith.cmpi sle, [[WORD]], %{{.*}} : i64
// CHECK-NEXT:    scf.if [[FINE]] {
// CHECK-NEXT:    } else {
// CHECK-NEXT:      memref.dealloc [[T]]
// CHECK-NEXT:    }
// CHECK-NEXT:    cf.assert [[FINE]]
// CHECK-NEXT:    memref.dealloc [[T]]
// CHECK-NEXT:    cf.assert %a, "after"
// LLVM-LABEL:  llvm.func @main
// LLVM:          llvm.call @work(
// LLVM-NOT:      llvm.call @work(
// LLVM:          llvm.call @free(
func.func @main(%n: index, %a: i1, %b: i1, %trap: memref<8xi64> {hologram.trap}) {
  cf.assert %a, "before"
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %t = memref.alloc() : memref<8xf32>
  scf.for %i = %c0 to %n step %c1 {
    %u = memref.alloc() : memref<4xf32>
    cf.assert %b, "within"
    memref.dealloc %u : memref<4xf32>
  }
  func.call @work(%trap) : (memref<8xi64>) -> ()
  memref.dealloc %t : memref<8xf32>
  cf.assert %a, "after"
  func.return
}
// What is freed elsewhere is left alone.
// CHECK-LABEL: func.func private @work
// CHECK-NOT:     scf.if
func.func private @work(%trap: memref<8xi64> {hologram.trap}) {
  %a = arith.constant false
  %t = memref.alloc() : memref<8xf32>
  cf.assert %a, "not ours"
  func.return
}
