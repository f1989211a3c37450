"""Start, run and shutdown of a node process."""
