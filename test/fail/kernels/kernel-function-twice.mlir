// RUN: hologram-opt %S/Inputs/kernel-function-twice.json
// ERROR: kernel-function-twice\.json: error: \$\.functions\[1\]: there are two functions 'f'
