// RUN: hologram-opt %S/Inputs/kernel-untyped.json
// ERROR: kernel-untyped\.json: error: \$\.kernel\.params\[0\]: parameter 'x' has no type
