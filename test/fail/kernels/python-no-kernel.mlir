// RUN: hologram-opt %S/Inputs/python-no-kernel.py
// ERROR: python-no-kernel\.py: error: there is no kernel in the file
