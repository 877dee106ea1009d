// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p schedule-atlas | filecheck %s --check-prefix=LOOPS

// A transform in stages; powers of the root are constants of the module.

func.func @transform(%x: memref<?x12x2xf32>, %y: memref<?x12x2xf32>) {
  atlas.fft ins(%x : memref<?x12x2xf32>) outs(%y : memref<?x12x2xf32>) {inverse = 1 : i64}
  func.return
}

// CHECK: atlas.fft ins(%x : memref<?x12x2xf32>) outs(%y : memref<?x12x2xf32>) {inverse = 1 : i64}

// LOOPS: memref.global "private" constant @fft_f32_12_1_real : memref<12xf32> = dense<[1.000000e+00,
// LOOPS: scf.parallel
// LOOPS: memref.get_global @fft_f32_12_1_real
