"""Compiled code: the one place that knows numba, and what is compiled with it."""
