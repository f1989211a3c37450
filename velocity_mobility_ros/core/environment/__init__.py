"""Environment of a node before rclpy is imported: process, network and settings of ROS."""
