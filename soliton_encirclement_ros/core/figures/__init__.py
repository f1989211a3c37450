"""Figures of a run beside the metrics of the ring: effort, errors, encounters, gaps."""
