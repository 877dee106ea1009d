// RUN: hologram-opt %s -p convert-sigil-to-atlas | filecheck %s
// RUN: hologram-opt %s -p convert-sigil-to-atlas{type=u8} | filecheck %s --check-prefix U8

// A map over views of class memory for each operation that does something to tiles; a circuit's own type goes first.

sigil.circuit @pages f64 {
  sigil.swap "c00@1<->c01@2"
}
sigil.circuit @tiles {
  sigil.evaluate "c[0..95]"
  sigil.transform "R+1" {
    sigil.merge "c00[c01,c00]"
  }
}

// CHECK:      func.func @pages(%classes: memref<1179648xi8> {hologram.classes}) {
// CHECK-NEXT:   %{{.*}} = arith.constant 256 : index
// CHECK-NEXT:   %c0p1 = memref.view %classes[%{{.*}}][] : memref<1179648xi8> to memref<32xf64>
// CHECK-NEXT:   %{{.*}} = arith.constant 12800 : index
// CHECK-NEXT:   %c1p2 = memref.view %classes[%{{.*}}][] : memref<1179648xi8> to memref<32xf64>
// CHECK-NEXT:   atlas.map ins(%c0p1, %c1p2 : memref<32xf64>, memref<32xf64>) outs(%c1p2, %c0p1 : memref<32xf64>, memref<32xf64>)
// CHECK-NEXT:   ^bb0(%[[A:.*]]: f64, %[[B:.*]]: f64):
// CHECK-NEXT:     atlas.yield %[[A]], %[[B]] : f64, f64
// CHECK:      func.func @tiles(%classes: memref<1179648xi8> {hologram.classes}) {
// CHECK-NEXT:   %{{.*}} = arith.constant 294912 : index
// CHECK-NEXT:   %c24 = memref.view %classes[%{{.*}}][] : memref<1179648xi8> to memref<3072xf32>
// CHECK:        atlas.map ins(%c24, %c25 : memref<3072xf32>, memref<3072xf32>) outs(%c24 : memref<3072xf32>)
// CHECK:          atlas.add f32
// CHECK:        func.return

// U8: memref<32xf64>
// U8: memref<12288xi8>
// U8: atlas.add u8
