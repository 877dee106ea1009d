// RUN: hologram-opt %S/Inputs/python-import-file.py
// ERROR: python-import-file\.py:4:1: error: there is no file '.*Inputs/nowhere\.py'
