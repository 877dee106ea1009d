// RUN: hologram-opt %S/Inputs/document-depth.json
// ERROR: document-depth\.json: error: the document nests too deep
