"""Commands that look into the graph of ROS, for machines without ``ros2``."""
