// RUN: hologram-opt %S/Inputs/document-nesting.json
// ERROR: document-nesting\.json: error: \$\.kernel\.body\[0\]\.value\.operand\.operand\.operand\.operand\.opera\.\.\.nd\.operand\.operand\.operand\.operand\.operand\.operand: a document nests 1000 objects deep at most
