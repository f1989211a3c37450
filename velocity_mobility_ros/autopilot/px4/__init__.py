"""PX4 over uXRCE-DDS: its messages read and written, without ROS.

Messages are any objects with the attributes of those of px4_msgs, whose fields differ between
releases: what only some have is read with a default.
"""
