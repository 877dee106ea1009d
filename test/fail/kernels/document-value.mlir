// RUN: hologram-opt %S/Inputs/document-value.json
// ERROR: document-value\.json: error: this is no JSON: an object has two members 'name'
