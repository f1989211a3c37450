"""Analysis of recordings, fits, sweeps and comparisons: tables, plots and pages. No ROS."""

__all__: list[str] = []
