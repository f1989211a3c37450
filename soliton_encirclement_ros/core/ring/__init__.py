"""Geometry of the ring: angles, gaps, neighbours, spacing, metrics, weights of arcs."""
