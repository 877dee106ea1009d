// RUN: hologram-opt %s
// EXIT: 1
// ERROR: did you mean 'Workgroup'
"test.op"() {scope = #spirv.scope<WorkGroup>} : () -> ()
