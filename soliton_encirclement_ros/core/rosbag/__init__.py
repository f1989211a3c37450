"""Writing rosbag2 bags without ROS."""
