// RUN: hologram-opt %S/Inputs/python-nesting.py
// ERROR: python-nesting\.py:7:\d+: error: kernels nest 992 levels deep at most
