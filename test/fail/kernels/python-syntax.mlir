// RUN: hologram-opt %S/Inputs/python-syntax.py
// ERROR: python-syntax\.py:1:7: error: this is no Python: invalid syntax
