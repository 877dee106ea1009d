// RUN: hologram-opt %S/Inputs/document-kind.json
// ERROR: document-kind\.json: error: \$\.kernel\.body\[0\]: there is no kind "retrun" here
