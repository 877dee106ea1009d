// RUN: hologram-opt %s
// ERROR: hologram-kernel-arguments\.mlir:3:1: error: the body's arguments differ from the type of 'hologram\.kernel'
"hologram.kernel"() <{sym_name = "k", function_type = (f32) -> (), block = array<i64: 64, 1, 1>}> ({
}, {
^bb0(%x: f64):
}) : () -> ()
