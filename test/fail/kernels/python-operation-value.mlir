// RUN: hologram-opt %S/Inputs/python-operation-value.py
// ERROR: python-operation-value\.py:6:21: error: 'circuit' is a literal in files that are not run
