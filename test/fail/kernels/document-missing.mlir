// RUN: hologram-opt %S/Inputs/document-missing.json
// ERROR: document-missing\.json: error: \$\.kernel\.body\[0\]: the member 'value' is missing
