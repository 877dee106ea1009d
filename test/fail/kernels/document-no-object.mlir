// RUN: hologram-opt %S/Inputs/document-no-object.json
// ERROR: document-no-object\.json: error: \$: expected an object, found 3
