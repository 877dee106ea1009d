// RUN: hologram-opt %S/Inputs/python-decorator-value.py
// ERROR: python-decorator-value\.py:6:18: error: 'block' is a literal in files that are not run
