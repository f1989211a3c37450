"""What the tests of the border to ROS share."""

from support.ros.graph import domain, ros

__all__ = ['domain', 'ros']
