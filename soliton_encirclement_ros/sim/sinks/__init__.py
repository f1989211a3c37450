"""Telemetry files written during a flight: one format per file; the interface is ``sink.py``."""

from soliton_encirclement_ros.sim.sinks.background_sinks import BackgroundSinks
from soliton_encirclement_ros.sim.sinks.fault_tolerant_sink import FaultTolerantSink
from soliton_encirclement_ros.sim.sinks.formats import FORMATS, make_sinks
from soliton_encirclement_ros.sim.sinks.sink import Sink

__all__ = ['FORMATS', 'BackgroundSinks', 'FaultTolerantSink', 'Sink', 'make_sinks']
