"""What the tests of the nodes share."""

from support.ros.graph import domain, ros

__all__ = ['domain', 'ros']
