// RUN: hologram-compile %S/Inputs/python-kernel-twice.py --check
// ERROR: python-kernel-twice\.py:6:1: error: another function below is called 'first' too
// ERROR: hint: give the kernel a name of its own
