"""A run in progress and finished: world, observer, summary, run folder, comparison."""
