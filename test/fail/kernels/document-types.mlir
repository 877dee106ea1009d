// RUN: hologram-opt %S/Inputs/document-types.json
// ERROR: document-types\.json: error: \$\.types: expected an object, found
