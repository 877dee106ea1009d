"""The corpus of wrong inputs as users make them, with the message that each must get.

A file `CLASS.cases` holds the cases of one class, in the form that `cases.py` describes. Write what is wrong and leave
out the expectation; `PYTHONPATH=test .venv/bin/python -P -m wrong_inputs show CLASS` runs such cases and shows what
they get, and `record CLASS` writes that into the file as their expectation. Read it before: what is recorded is a
promise.
"""
