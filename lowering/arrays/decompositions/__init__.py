"""Decompositions: how an array-level instruction on memrefs becomes loops over other array-level instructions.

A decomposition is a function of a `Parts`, which emits at the place of the operation that is decomposed.
"""
