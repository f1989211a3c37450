"""What the tests of the nodes share."""

from support.ros import domain, ros

__all__ = ['domain', 'ros']
