"""The emergency stop over ROS: its messages, its topic, and what a member does about it."""
