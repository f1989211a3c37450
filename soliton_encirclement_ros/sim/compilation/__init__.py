"""Compiled code: the one place that imports numba, and what is compiled with it."""
