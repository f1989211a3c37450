"""Pictures of runs, comparisons, fits and sweeps."""
