"""Statistics of a flight beside the metrics of the ring: effort, errors, near misses, gaps."""
