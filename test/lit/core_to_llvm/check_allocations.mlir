// RUN: hologram-opt %s -p check-allocations | filecheck %s

// Where no memory is given the function records how much was asked for, and leaves. So may its callers.

// CHECK:       func.func @sized(%n: index, %trap: memref<8xi64> {hologram.trap})
// CHECK-SAME:    hologram.sites = ["no memory for atlas.gemm; at {{.*}}:24:3", "no memory for memref.alloc; at {{.*}}:33:3"]
// CHECK-NEXT:    [[T:%.*]] = memref.alloc(%n) {hologram.of = "atlas.gemm"} : memref<?x16xf32>
// CHECK:         [[P:%.*]] = memref.extract_aligned_pointer_as_index [[T]]
// CHECK-NEXT:    [[GIVEN:%.*]] = arith.cmpi ne, [[P]], %{{.*}} : index
// CHECK-NEXT:    [[ROW:%.*]] = arith.constant 6.400000e+01 : f64
// CHECK:         [[BYTES:%.*]] = arith.mulf [[ROW]], %{{.*}} : f64
// CHECK:         [[FITS:%.*]] = arith.cmpf ole, [[BYTES]]
// CHECK-NEXT:    [[OK:%.*]] = arith.andi [[GIVEN]], [[FITS]] : i1
// CHECK-NEXT:    scf.if [[OK]] {
// CHECK-NEXT:    } else {
// CHECK:           [[LEAST:%.*]] = arith.minimumf [[BYTES]]
// CHECK-NEXT:      [[WORD:%.*]] = arith.fptosi [[LEAST]] : f64 to i64
// CHECK:           func.call @hologram_trap(%trap, %{{.*}}, %{{.*}}, [[WORD]], %{{.*}})
// CHECK-NEXT:      memref.dealloc [[T]]
// CHECK-NEXT:    }
// CHECK-NEXT:    cf.assert [[OK]], "no memory for atlas.gemm"
// CHECK-NEXT:    memref.dealloc [[T]]
func.func @sized(%n: index) {
  %t = memref.alloc(%n) {hologram.of = "atlas.gemm"} : memref<?x16xf32>
  memref.dealloc %t : memref<?x16xf32>
  func.return
}
// CHECK-LABEL: func.func private @known(
// CHECK:         scf.if [[GIVEN:%.*]] {
// CHECK:           arith.constant 32 : i64
// CHECK:         cf.assert [[GIVEN]], "no memory for memref.alloc"
func.func private @known() {
  %t = memref.alloc() : memref<8xf32>
  memref.dealloc %t : memref<8xf32>
  func.return
}
// CHECK-LABEL: func.func @caller(%trap: memref<8xi64> {hologram.trap})
// CHECK:         func.call @known(%trap)
func.func @caller() {
  func.call @known() : () -> ()
  func.return
}
// CHECK-LABEL: func.func @without()
// CHECK-NEXT:    func.return
// CHECK:       func.func private @hologram_trap
func.func @without() {
  func.return
}
