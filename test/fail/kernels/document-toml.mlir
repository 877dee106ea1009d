// RUN: hologram-opt %S/Inputs/document-toml.toml
// ERROR: document-toml\.toml:2:8: error: this is no TOML: Expected '\]' at the end of a table declaration
