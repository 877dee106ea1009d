// RUN: hologram-opt %S/Inputs/kernel-parameter-twice.json
// ERROR: kernel-parameter-twice\.json: error: \$\.kernel\.params\[1\]: parameter 'x' is there twice
