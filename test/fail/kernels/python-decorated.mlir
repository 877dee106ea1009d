// RUN: hologram-opt %S/Inputs/python-decorated.py
// ERROR: python-decorated\.py:9:2: error: what '@twice' makes of 'grow' is known only where the file is run
