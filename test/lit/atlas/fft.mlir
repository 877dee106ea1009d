// RUN: hologram-opt %s | hologram-opt - | filecheck %s
// RUN: hologram-opt %s -p schedule-atlas | filecheck %s --check-prefix=LOOPS

// A transform in stages; powers of the root are constants of the module.

func.func @transform(%x: memref<?x12x2xf32>, %y: memref<?x12x2xf32>) {
  atlas.fft ins(%x : memref<?x12x2xf32>) outs(%y : memref<?x12x2xf32>) {inverse = 1 : i64}
  func.return
}

// CHECK: atlas.fft ins(%x : memref<?x12x2xf32>) outs(%y : memref<?x12x2xf32>) {inverse = 1 : i64}

// LOOPS: "memref.global"() <{sym_name = "fft_f32_12_1_real", type = memref<12xf32>
// LOOPS: scf.parallel
// LOOPS: memref.get_global @fft_f32_12_1_real
