"""Figures of separation: near misses, what the filter did, and bounds that were exceeded."""
