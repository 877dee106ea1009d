// RUN: not hologram-opt %s -p cannonicalize 2>&1 | filecheck %s
// RUN: not hologram-opt %s --cannonicalize 2>&1 | filecheck %s --check-prefix=OPTION
// RUN: not hologram-opt %S/error.mlir 2>&1 | filecheck %s --check-prefix=FILE

// CHECK: -p:1:1: error: there is no pass or pipeline 'cannonicalize' [pass-unknown]
// CHECK-NEXT: cannonicalize
// CHECK-NEXT: ^^^^^^^^^^^^^
// CHECK-NEXT: hint: did you mean 'canonicalize'?

// OPTION: error: there is no option '--cannonicalize'

// FILE: error: there is no file {{.*}}
// FILE-NEXT: hint: did you mean {{.*}}errors.mlir'?
