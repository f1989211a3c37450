"""Interface to ROS: messages, parameters, quality of service, topic names, processes."""

__all__: list[str] = []
