// RUN: hologram-opt %S/Inputs/document-yaml.yaml
// ERROR: document-yaml\.yaml:2:14: error: this is no YAML: expected ',' or '\]', but got '<stream end>'
