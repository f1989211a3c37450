"""The border to ROS: messages, parameters, quality of service, topic names, executor."""

__all__: list[str] = []
