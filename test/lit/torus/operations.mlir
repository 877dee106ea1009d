// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s --print-op-generic | hologram-opt - | filecheck %s

// Every operation of the torus, on scalars, vectors and tensors.

func.func @f(%n: i64, %v: vector<8xi64>, %t: tensor<?xi64>, %i: i32, %x: i16, %c: !torus.coord, %w: tensor<2x!torus.coord<w64>>) {
  %c0 = torus.constant (9, 57) : !torus.coord
  %c1 = torus.constant [(0, 0), (1, 1)] : tensor<2x!torus.coord>
  %c2 = torus.constant (1, 2) : vector<8x!torus.coord<24, 96>>
  %p0 = torus.project %n : i64 to !torus.coord
  %p1 = torus.project unsigned %v : vector<8xi64> to vector<8x!torus.coord>
  %p2 = torus.project %t : tensor<?xi64> to tensor<?x!torus.coord<w4096>>
  %l0 = torus.lift %c, %n : (!torus.coord, i64) -> i64
  %l1 = torus.lift unsigned %p1, %v : (vector<8x!torus.coord>, vector<8xi64>) -> vector<8xi64>
  %m0 = torus.make %n, %i : (i64, i32) -> !torus.coord
  %a0 = torus.page %c : !torus.coord to i32
  %a1 = torus.resonance %w : tensor<2x!torus.coord<w64>> to tensor<2xindex>
  %k0 = torus.pack %c : !torus.coord to i16
  %u0 = torus.unpack %x : i16 to !torus.coord
  %e0 = torus.phi_encode %i, %i : i32
  %d0, %d1 = torus.phi_decode %t : tensor<?xi64>
  %o0 = torus.offset %i, %i : i32
  func.return
}

// CHECK-LABEL: func.func @f(%n: i64, %v: vector<8xi64>, %t: tensor<?xi64>, %i: i32, %x: i16, %c: !torus.coord, %w: tensor<2x!torus.coord<192, 384>>) {
// CHECK-NEXT:    %c0 = torus.constant (9, 57) : !torus.coord
// CHECK-NEXT:    %c1 = torus.constant [(0, 0), (1, 1)] : tensor<2x!torus.coord>
// CHECK-NEXT:    %c2 = torus.constant (1, 2) : vector<8x!torus.coord<24, 96>>
// CHECK-NEXT:    %p0 = torus.project %n : i64 to !torus.coord
// CHECK-NEXT:    %p1 = torus.project unsigned %v : vector<8xi64> to vector<8x!torus.coord>
// CHECK-NEXT:    %p2 = torus.project %t : tensor<?xi64> to tensor<?x!torus.coord<12288, 24576>>
// CHECK-NEXT:    %l0 = torus.lift %c, %n : (!torus.coord, i64) -> i64
// CHECK-NEXT:    %l1 = torus.lift unsigned %p1, %v : (vector<8x!torus.coord>, vector<8xi64>) -> vector<8xi64>
// CHECK-NEXT:    %m0 = torus.make %n, %i : (i64, i32) -> !torus.coord
// CHECK-NEXT:    %a0 = torus.page %c : !torus.coord to i32
// CHECK-NEXT:    %a1 = torus.resonance %w : tensor<2x!torus.coord<192, 384>> to tensor<2xindex>
// CHECK-NEXT:    %k0 = torus.pack %c : !torus.coord to i16
// CHECK-NEXT:    %u0 = torus.unpack %x : i16 to !torus.coord
// CHECK-NEXT:    %e0 = torus.phi_encode %i, %i : i32
// CHECK-NEXT:    %d0, %d1 = torus.phi_decode %t : tensor<?xi64>
// CHECK-NEXT:    %o0 = torus.offset %i, %i : i32
// CHECK-NEXT:    func.return
