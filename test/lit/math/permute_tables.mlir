// RUN: hologram-opt %s -p 'permute-tables{vector-bytes=64}' | filecheck %s
// RUN: hologram-opt %s -p 'permute-tables{vector-bytes=32}' | filecheck %s --check-prefix=AVX2
// RUN: hologram-opt %s -p 'permute-tables{vector-bytes=16}' | filecheck %s --check-prefix=NONE

// A row of a constant table of sixteen f32 is a register; the lowest four bits of each lane choose from it.

"memref.global"() <{sym_name = "t", type = memref<1x16xf32>, initial_value = dense<[[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0, 12.0, 13.0, 14.0, 15.0]]> : tensor<1x16xf32>, sym_visibility = "private", constant}> : () -> ()
"memref.global"() <{sym_name = "changes", type = memref<1x16xf32>, initial_value = dense<0.5> : tensor<1x16xf32>, sym_visibility = "private"}> : () -> ()

func.func @f(%n: vector<16xi32>, %mask: vector<16xi1>, %other: vector<16xf32>) -> (vector<16xf32>, vector<16xf32>, vector<16xf32>) {
  %c0 = arith.constant 0 : index
  %fifteen = arith.constant dense<15> : vector<16xi32>
  %at = arith.andi %n, %fifteen : vector<16xi32>
  %t = memref.get_global @t : memref<1x16xf32>
  %y = vector.gather %t[%c0, %c0] [%at], %mask, %other : memref<1x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  // Not known to be in the row, and not known to be constant.
  %any = vector.gather %t[%c0, %c0] [%n], %mask, %other : memref<1x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  %u = memref.get_global @changes : memref<1x16xf32>
  %z = vector.gather %u[%c0, %c0] [%at], %mask, %other : memref<1x16xf32>, vector<16xi32>, vector<16xi1>, vector<16xf32> into vector<16xf32>
  func.return %y, %any, %z : vector<16xf32>, vector<16xf32>, vector<16xf32>
}

// CHECK:      %[[ROW:.*]] = arith.constant dense<[0.000000e+00, 1.000000e+00, {{.*}}, 1.500000e+01]> : vector<16xf32>
// CHECK-NEXT: %[[R:.*]] = llvm.call_intrinsic "llvm.x86.avx512.permvar.sf.512"(%[[ROW]], %n) : (vector<16xf32>, vector<16xi32>) -> vector<16xf32>
// CHECK-NEXT: %y = arith.select %mask, %[[R]], %other : vector<16xi1>, vector<16xf32>
// CHECK-NEXT: %any = vector.gather
// CHECK:      %z = vector.gather

// AVX2:          %[[A:.*]] = vector.shuffle %n, %n [0, 1, 2, 3, 4, 5, 6, 7]
// AVX2-NEXT:     %[[B:.*]] = vector.shuffle %n, %n [8, 9, 10, 11, 12, 13, 14, 15]
// AVX2-COUNT-4:  llvm.call_intrinsic "llvm.x86.avx2.permps"
// AVX2:          arith.select %mask

// NONE-COUNT-3: vector.gather
