// RUN: hologram-opt %s -p 'convert-atlas-to-core{bounds=hope}'
// EXIT: 2
// ERROR: error: option 'bounds' of convert-atlas-to-core is guard or trust, not 'hope' \[core-bounds\]

func.func @f() {
  func.return
}
