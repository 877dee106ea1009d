// RUN: hologram-opt %S/Inputs/python-decorator-option.py
// ERROR: python-decorator-option\.py:5:18: error: 'block' of a kernel is a number or several, not float 2.5
