// RUN: hologram-opt %S/Inputs/python-element.py
// ERROR: python-element\.py:5:5: error: an element type is made of its name and its types, as literals
