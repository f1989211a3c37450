"""What a flight leaves on disk while it goes on: one format per file, ``sink.py`` the contract."""

from soliton_encirclement_ros.sim.sinks.fault_tolerant_sink import FaultTolerantSink
from soliton_encirclement_ros.sim.sinks.formats import FORMATS, make_sinks
from soliton_encirclement_ros.sim.sinks.sink import Sink

__all__ = ['FORMATS', 'FaultTolerantSink', 'Sink', 'make_sinks']
