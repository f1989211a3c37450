"""A run under way and finished: world, observer, summary, run folder, comparison."""
