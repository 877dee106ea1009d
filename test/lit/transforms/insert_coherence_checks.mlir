// RUN: hologram-opt %s -p insert-coherence-checks | filecheck %s

// The rows of the result sum up to a times the row sums of b; the columns to the column sums of a times b.

#same = affine_map<(d0, d1) -> (d0, d1)>

// CHECK-LABEL: func.func @product(
// CHECK:         %[[B:.*]] = memref.alloc() {{.*}} : memref<8xi32>
// CHECK-NEXT:    atlas.reduce [add i64] ins(%b : memref<8x2xi8>) outs(%[[B]] : memref<8xi32>) maps [affine_map<(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> (d1)>]
// CHECK:           arith.remsi %{{.*}}, %{{.*}} : i64
// CHECK:         %[[ROWS:.*]] = memref.alloc() {{.*}} : memref<4xi64>
// CHECK-NEXT:    atlas.reduce [add i64] ins(%a, %[[B]] : memref<4x8xi8>, memref<8xi32>) outs(%[[ROWS]] : memref<4xi64>)
// CHECK:         %[[A:.*]] = memref.alloc() {{.*}} : memref<8xi32>
// CHECK:         atlas.reduce [add i64] ins(%b, %[[A]] : memref<8x2xi8>, memref<8xi32>) outs(%[[COLUMNS:.*]] : memref<2xi64>)
// CHECK:         atlas.quantized_gemm {{.*}} {type = #atlas.dtype<i8>, hologram.coherence = "96"}
// CHECK-NEXT:    llvm.fence syncscope("singlethread") seq_cst
// CHECK:         atlas.reduce [add i64] ins(%c : memref<4x2xi32>) finish_ins(%[[ROWS]] : memref<4xi64>)
// CHECK:         scf.for %row =
// CHECK:           arith.remsi
// CHECK:           atlas.assert %{{.*}}, "atlas.quantized_gemm: the checksum of a row of the result differs modulo 96{{.*}}" lane %row
// CHECK:         atlas.reduce [add i64] ins(%c : memref<4x2xi32>) finish_ins(%[[COLUMNS]] : memref<2xi64>)
// CHECK:         atlas.assert %{{.*}}, "atlas.quantized_gemm: the checksum of a column
// CHECK:         memref.dealloc %[[B]]
func.func @product(%a: memref<4x8xi8>, %b: memref<8x2xi8>, %c: memref<4x2xi32>) {
  atlas.quantized_gemm ins(%a, %b : memref<4x8xi8>, memref<8x2xi8>) outs(%c : memref<4x2xi32>)
    {type = #atlas.dtype<i8>}
  func.return
}

// What is expected of a map is the sum of residues, taken before the operands may be overwritten.

// CHECK-LABEL: func.func @map(
// CHECK:         atlas.reduce [add i64] ins(%x, %x : memref<?x?xi32>, memref<?x?xi32>) outs(%[[E:.*]] : memref<?xi64>)
// CHECK:           arith.muli
// CHECK:         atlas.map ins(%x : memref<?x?xi32>) outs(%x : memref<?x?xi32>)
// CHECK:         {hologram.coherence = "16 and 32"}
// CHECK:         atlas.reduce [add i64] ins(%x : memref<?x?xi32>) finish_ins(%[[E]] : memref<?xi64>)
func.func @map(%x: memref<?x?xi32>) {
  atlas.map ins(%x : memref<?x?xi32>) outs(%x : memref<?x?xi32>) maps [#same, #same] {
  ^bb0(%e: i32):
    %s = atlas.mul i32 %e, %e
    atlas.yield %s : i32
  }
  func.return
}
