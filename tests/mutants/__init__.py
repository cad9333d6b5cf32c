"""Mutants of the rules: the core with one small change each; tests that pass all the same have a hole.

`make mutants` runs a seeded sample of them and writes docs/mutants.md.
"""
