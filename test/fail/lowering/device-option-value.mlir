// RUN: hologram-opt %s -p hologram-to-webgpu{bindings=many}
// EXIT: 2
// ERROR: -p:1:20: error: option 'bindings' of 'hologram-to-webgpu' can't be 'many' \[device-option-value\]
// ERROR: hint: it is a whole number from 4 on
func.func @main() { return }
