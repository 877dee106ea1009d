// RUN: hologram-opt %S/Inputs/python-operation.py
// ERROR: python-operation\.py:4:21: error: 'operation' takes circuit, constraints, outputs, not 'constraint'
