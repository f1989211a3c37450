"""What the tests of orders share."""

from support.ros.graph import domain, ros

__all__ = ['domain', 'ros']
