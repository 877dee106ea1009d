// RUN: hologram-opt %S/Inputs/python-decorator.py
// ERROR: python-decorator\.py:4:18: error: 'kernel' takes lanes, block and where, not 'grid'
