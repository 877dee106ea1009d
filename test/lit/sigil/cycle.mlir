// RUN: hologram-opt %s | hologram-opt | filecheck %s
// RUN: hologram-opt %s -p canonicalize | filecheck %s --check-prefix CANON
// RUN: hologram-opt %s -p convert-sigil-to-atlas | filecheck %s --check-prefix ATLAS

// The 768-cycle, where H twice is X; steps of gates add up, and constants fold.

func.func @gates(%p: i32) -> (i32, i1) {
  %a = sigil.cycle.gate H %p : i32
  %b = sigil.cycle.gate H %a : i32
  %ok = sigil.cycle.holds 5 %b, %p : i32
  func.return %b, %ok : i32, i1
}

// CHECK:        %a = sigil.cycle.gate H %p : i32
// CHECK:        %ok = sigil.cycle.holds 5 %b, %p : i32

// CANON:        func.func @gates
// CANON-NEXT:     %b = sigil.cycle.gate X %p : i32
// CANON-NEXT:     %ok = sigil.cycle.holds 5 %b, %p : i32

// ATLAS:        atlas.assert %{{.*}}, "sigil.cycle.gate: position out of the range of 0 to 767" values(%p : i32)
// ATLAS-NEXT:   %[[STEP:.*]] = arith.constant 192 : i32
// ATLAS-NEXT:   %{{.*}} = arith.addi %p, %[[STEP]] : i32

func.func @constants() -> (i32, i1, vector<2xi16>) {
  %p = arith.constant 700 : i32
  %q = sigil.cycle.partner 5 %p : i32
  %ok = sigil.cycle.holds 5 %p, %q : i32
  %v = arith.constant dense<[767, 0]> : vector<2xi16>
  %w = sigil.cycle.gate T %v : vector<2xi16>
  func.return %q, %ok, %w : i32, i1, vector<2xi16>
}

// CANON:        func.func @constants
// CANON-DAG:      arith.constant 73 : i32
// CANON-DAG:      arith.constant true
// CANON-DAG:      arith.constant dense<[95, 96]> : vector<2xi16>

func.func @controlled(%p: i32, %q: i32) -> (i32, i32) {
  %a = sigil.cycle.gate I %p : i32
  %b = sigil.cycle.gate I %q : i32
  %c = sigil.cycle.controlled X %a, %b : i32
  %d = sigil.cycle.controlled I %a, %c : i32
  func.return %c, %d : i32, i32
}

// CHECK:        %c = sigil.cycle.controlled X %a, %b : i32
// CANON:        func.func @controlled
// CANON:          %c = sigil.cycle.controlled X %a, %b : i32
// CANON-NEXT:     func.return %c, %c : i32, i32
// ATLAS:        func.func @controlled
// ATLAS:          arith.cmpi uge
// ATLAS:          arith.select
