"""How math operations are computed; `rows` has the table, which loads all of them."""
