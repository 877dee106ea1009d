// RUN: hologram-opt %s -p canonicalize --allow-unregistered-dialect | filecheck %s

// Each law once: what stays is on the CHECK line behind it.

func.func @laws(%x: !torus.coord, %y: !torus.coord, %z: !torus.coord, %n: i64, %t: tensor<?x!torus.coord>, %i: i16) {
  // CHECK: [[K:%\d+]] = arith.constant -15
  %zero = torus.constant (0, 0) : !torus.coord
  %one = torus.constant (1, 1) : !torus.coord
  %minus = torus.constant (47, 95) : !torus.coord
  %c = torus.constant (2, 3) : !torus.coord
  %k1 = arith.constant 1 : i64
  %k3 = arith.constant 3 : i64
  %k5 = arith.constant -5 : i64
  %km = arith.constant -1 : i64
  %k0 = arith.constant 0 : i64

  %a0 = algebra.add %zero, %x : !torus.coord
  %a1 = algebra.sub %x, %zero : !torus.coord
  %a2 = algebra.mul %x, %one : !torus.coord
  "test.same"(%a0, %a1, %a2) : (!torus.coord, !torus.coord, !torus.coord) -> ()
  // CHECK: "test.same"(%x, %x, %x)
  %b0 = algebra.mul %x, %zero : !torus.coord
  %b1 = algebra.sub %x, %x : !torus.coord
  %b2 = algebra.scale %k0, %x : (i64, !torus.coord) -> !torus.coord
  "test.zero"(%b0, %b1, %b2) : (!torus.coord, !torus.coord, !torus.coord) -> ()
  // CHECK: %b1 = torus.constant (0, 0)
  // CHECK: %b2 = torus.constant (0, 0)
  // CHECK: "test.zero"(%zero, %b1, %b2)
  %d0 = algebra.neg %x : !torus.coord
  %d1 = algebra.neg %d0 : !torus.coord
  %d2 = algebra.add %d0, %y : !torus.coord
  %d3 = algebra.sub %y, %d0 : !torus.coord
  %d4 = algebra.neg %y : !torus.coord
  %d5 = algebra.mul %d0, %d4 : !torus.coord
  "test.inverse"(%d1, %d2, %d3, %d5) : (!torus.coord, !torus.coord, !torus.coord, !torus.coord) -> ()
  // CHECK: %d2 = algebra.sub %y, %x
  // CHECK: %d3 = algebra.add %y, %x
  // CHECK: %d5 = algebra.mul %x, %y
  // CHECK: "test.inverse"(%x, %d2, %d3, %d5)
  %e0 = algebra.mul %x, %minus : !torus.coord
  %e1 = algebra.scale %km, %x : (i64, !torus.coord) -> !torus.coord
  %e2 = algebra.sub %zero, %x : !torus.coord
  %e3 = algebra.sub %x, %y : !torus.coord
  %e4 = algebra.neg %e3 : !torus.coord
  "test.minus"(%e0, %e1, %e2, %e4) : (!torus.coord, !torus.coord, !torus.coord, !torus.coord) -> ()
  // CHECK: %e0 = algebra.neg %x
  // CHECK: %e1 = algebra.neg %x
  // CHECK: %e2 = algebra.neg %x
  // CHECK: %e4 = algebra.sub %y, %x
  %f0 = algebra.add %c, %x : !torus.coord
  %f1 = algebra.add %f0, %one : !torus.coord
  %f2 = algebra.mul %x, %z : !torus.coord
  %f3 = algebra.mul %z, %y : !torus.coord
  %f4 = algebra.add %f2, %f3 : !torus.coord
  %f5 = algebra.scale %k3, %x : (i64, !torus.coord) -> !torus.coord
  %f6 = algebra.scale %k5, %f5 : (i64, !torus.coord) -> !torus.coord
  %f7 = algebra.scale %k1, %x : (i64, !torus.coord) -> !torus.coord
  %f8 = algebra.sum %t {axes = []} : tensor<?x!torus.coord>
  "test.other"(%f1, %f4, %f6, %f7, %f8) : (!torus.coord, !torus.coord, !torus.coord, !torus.coord, tensor<?x!torus.coord>) -> ()
  // CHECK-DAG: [[C:%\d+]] = torus.constant (3, 4)
  // CHECK-DAG: %f1 = algebra.add %x, [[C]]
  // CHECK-DAG: [[S:%\d+]] = algebra.add %x, %y
  // CHECK-DAG: %f4 = algebra.mul [[S]], %z
  // CHECK-DAG: %f6 = algebra.scale [[K]], %x
  // CHECK: "test.other"(%f1, %f4, %f6, %x, %t)
  %g0 = torus.project %n : i64 to !torus.coord
  %g1 = torus.lift %g0, %n : (!torus.coord, i64) -> i64
  %g2 = torus.page %x : !torus.coord to i32
  %g3 = torus.resonance %x : !torus.coord to i32
  %g4 = torus.make %g2, %g3 : (i32, i32) -> !torus.coord
  %g5 = torus.pack %x : !torus.coord to i16
  %g6 = torus.unpack %g5 : i16 to !torus.coord
  %g7 = torus.unpack %i : i16 to !torus.coord
  %g8 = torus.pack %g7 : !torus.coord to i16
  "test.torus"(%g1, %g4, %g6, %g8) : (i64, !torus.coord, !torus.coord, i16) -> ()
  // CHECK: "test.torus"(%n, %x, %x, %i)
  func.return
}
