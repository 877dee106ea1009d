// RUN: hologram-opt %s -p 'vectorize-loops{vector-bytes=64}' | filecheck %s

// A large memref is written past the cache, from its first whole line on; what lies before and behind comes last.
func.func @twice(%a: memref<?xf32>, %b: memref<?xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  scf.for %i = %c0 to %n step %c1 {
    %x = memref.load %a[%i] : memref<?xf32>
    %y = arith.addf %x, %x : f32
    memref.store %y, %b[%i] : memref<?xf32>
  } {hologram.vectorize = {past_cache = 1000000 : i64}}
  func.return
}

// CHECK:      %[[SIZE:.*]] = memref.dim %b
// CHECK-NEXT: %[[FAR:.*]] = arith.cmpi ugt, %[[SIZE]], %{{.*}} : index
// CHECK-NEXT: memref.extract_aligned_pointer_as_index %b
// CHECK:      %[[START:.*]] = arith.select %[[FAR]], %{{.*}}, %c0 : index
// CHECK:      scf.if %[[FAR]] {
// CHECK-NEXT:   scf.for %[[I:.*]] = %[[START]] to %[[END:.*]] step
// CHECK:          vector.store %{{.*}}, %b[%[[I]]] {nontemporal = true, alignment = 64 : i64} : memref<?xf32>, vector<64xf32>
// CHECK:        llvm.fence seq_cst
// CHECK-NEXT: } else {
// CHECK-NEXT:   scf.for %[[J:.*]] = %[[START]] to %[[END]] step
// CHECK:          vector.store %{{.*}}, %b[%[[J]]] : memref<?xf32>, vector<64xf32>
// CHECK:      scf.for
// CHECK:        scf.for
// CHECK:          vector.maskedstore %b
