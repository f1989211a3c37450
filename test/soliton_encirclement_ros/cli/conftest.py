"""What the tests of the command line share."""

from support.ros import domain, ros

__all__ = ['domain', 'ros']
