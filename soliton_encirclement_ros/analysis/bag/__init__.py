"""Bags as recordings: rosbag2 in sqlite3 and mcap, intact or damaged, without ROS."""
