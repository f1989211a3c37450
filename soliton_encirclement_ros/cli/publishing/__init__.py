"""``swarm simulate --publish``: a flight of the engine in real time, on ROS topics."""
