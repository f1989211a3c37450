"""Telemetry files written during a flight: one format per file; the interface is ``Sink``."""

from soliton_encirclement_ros.sim.sinks.telemetry_sinks import (
    FORMATS, BackgroundSinks, FaultTolerantSink, Sink, make_sinks
)

__all__ = ['FORMATS', 'BackgroundSinks', 'FaultTolerantSink', 'Sink', 'make_sinks']
