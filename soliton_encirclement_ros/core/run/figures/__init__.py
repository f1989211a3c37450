"""What a run is measured by beside the metrics of the ring: a family of figures per file."""
