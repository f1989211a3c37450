"""Runs of a scenario, over ROS and without: their verbs and their processes."""
