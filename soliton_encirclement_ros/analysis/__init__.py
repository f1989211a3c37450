"""From runs to pictures. No ROS."""

__all__: list[str] = []
