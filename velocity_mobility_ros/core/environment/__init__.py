"""What surrounds a node before rclpy is imported: its process, network and settings of ROS."""
