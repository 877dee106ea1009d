"""Expansions of math operations; `rows` has the table, which loads all of them."""
