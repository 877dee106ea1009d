// RUN: hologram-opt %S/Inputs/document-union.json
// ERROR: document-union\.json: error: \$\.kernel\.body\[0\]\.value\.value: expected true or false or a whole number or a number, found null
