// RUN: hologram-opt %S/Inputs/python-decorator-place.py
// ERROR: python-decorator-place\.py:5:18: error: 'kernel' takes lanes, block and where by their names
