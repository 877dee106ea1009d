// RUN: hologram-compile %s -o x.holo --types 'f32 f64'
// EXIT: 2
// ERROR: --types takes names with one comma between two, not 'f32 f64' \[list-names\]
// ERROR: hint: write --types f32,f64
func.func @main(%x: memref<?xf32>) { return }
