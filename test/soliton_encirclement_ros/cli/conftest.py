"""What the tests of the command line share."""

from support.flights import flight
from support.ros.graph import domain, ros

__all__ = ['domain', 'flight', 'ros']
