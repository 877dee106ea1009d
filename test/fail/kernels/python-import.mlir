// RUN: hologram-opt %S/Inputs/python-import.py
// ERROR: python-import\.py:2:1: error: there is no function or number 'chunk' in that file
