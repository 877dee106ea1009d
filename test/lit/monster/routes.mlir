// RUN: hologram-opt %s -p canonicalize | filecheck %s
// RUN: hologram-opt %s -p convert-monster-to-algebra,canonicalize | filecheck %s --check-prefix=LOW

// Routes are sums and products, by the routing law; what was lifted comes back.

// CHECK-LABEL: func.func @f(%a: !torus.coord, %b: !torus.coord, %e: !monster.element)
// LOW-LABEL: func.func @f(%a: !torus.coord, %b: !torus.coord, %e: !torus.coord)
func.func @f(%a: !torus.coord, %b: !torus.coord, %e: !monster.element) -> (!torus.coord, !monster.element) {
  %x = monster.lift %a : !torus.coord to !monster.element
  %y = monster.project %x : !monster.element to !torus.coord
  // CHECK-NEXT: %r = algebra.add %a, %b : !torus.coord
  // LOW-NEXT: %r = algebra.add %a, %b : !torus.coord
  %r = monster.route_add %y, %b : !torus.coord
  // CHECK-NEXT: %s = algebra.mul %r, %b : !torus.coord
  // LOW-NEXT: %s = algebra.mul %r, %b : !torus.coord
  %s = monster.route_mul %r, %b : !torus.coord
  %p = monster.project %e : !monster.element to !torus.coord
  // CHECK-NEXT: func.return %s, %e : !torus.coord, !monster.element
  // LOW-NEXT: func.return %s, %e : !torus.coord, !torus.coord
  %l = monster.lift %p : !torus.coord to !monster.element
  func.return %s, %l : !torus.coord, !monster.element
}

// CHECK-LABEL: func.func @fold
func.func @fold() -> (!torus.coord, i32) {
  %a = torus.constant (7, 7) : !torus.coord
  %b = torus.constant (11, 11) : !torus.coord
  // CHECK-DAG: torus.constant (29, 77) : !torus.coord
  %r = monster.route_mul %a, %b : !torus.coord
  // CHECK-DAG: arith.constant 196883 : i32
  %d = monster.constant degree 1 : i32
  func.return %r, %d : !torus.coord, i32
}
