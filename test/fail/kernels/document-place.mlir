// RUN: hologram-opt %S/Inputs/document-place.json
// ERROR: document-place\.json: error: \$\.kernel\.body\[0\]\.at: a place is \[line, column\] or \[line, column, width\], from 1 on
