"""The protocols of autopilots as reports and requests: PX4 and ArduPilot over DDS, and MAVROS.

Messages are any objects with the attributes of the ROS messages. The fields of px4_msgs differ
between releases: what only some have is read with a default.
"""
