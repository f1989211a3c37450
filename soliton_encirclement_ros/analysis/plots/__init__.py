"""Plots of runs, comparisons, fits and sweeps."""
