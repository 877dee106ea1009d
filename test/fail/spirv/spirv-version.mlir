// RUN: hologram-opt %s
// EXIT: 1
// ERROR: 'v2' is no version like v1.5
"test.op"() {needs = #spirv.vce<v2, [Shader], []>} : () -> ()
