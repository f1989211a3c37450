"""What a run is measured by beside the metrics of the ring: effort, errors, encounters, gaps."""
