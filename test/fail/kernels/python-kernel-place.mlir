// RUN: hologram-opt %S/Inputs/python-kernel-place.py
// ERROR: python-kernel-place\.py:7:5: error: 'kernel' is no kernel that is known without a run of the file
