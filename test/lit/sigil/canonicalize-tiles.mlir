// RUN: hologram-opt %s -p canonicalize-sigil-tiles | filecheck %s

// The copy is read where it came from, and then is dead; a swap is undone; every tile keeps its values.

sigil.circuit @main {
  sigil.copy "c00->c01"
  sigil.swap "c05<->c06"
  sigil.merge "c01[c02,c03]"
  sigil.swap "c06<->c05"
  sigil.copy "c04->c01"
}

// CHECK:      sigil.circuit @main {
// CHECK-NEXT:   sigil.merge "c00[c02,c03]"
// CHECK-NEXT:   sigil.copy "c04->c01"
// CHECK-NEXT: }
