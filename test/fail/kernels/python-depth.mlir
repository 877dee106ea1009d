// RUN: hologram-opt %S/Inputs/python-depth.py
// ERROR: python-depth\.py: error: the file nests too deep for Python
