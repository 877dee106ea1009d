// RUN: hologram-opt %S/Inputs/document-kernels.json
// ERROR: document-kernels\.json: error: \$\.kernels: expected a list, found 3
