"""Parts of a recording built from rows: sorted by time, seconds since the start."""

from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.bag.decoding import (
    state_columns,
    telemetry_reader,
    vehicle_messages,
)
from soliton_encirclement_ros.analysis.bag.decoding.message_rows import Numbers
from soliton_encirclement_ros.analysis.bag.decoding.state_columns import by_name
from soliton_encirclement_ros.analysis.bag.storage.raw_messages import Integers
from soliton_encirclement_ros.analysis.recording import (
    Commands,
    Floats,
    StateSeries,
    Telemetry,
    Track,
)


class TrackSegment(NamedTuple):
    """Numbers over time.

    Attributes:
        times: In the recording's clock [ns], (M,).
        values: (M, C).
        names: Names of the last columns, where they are not always the same.
    """

    times: Integers
    values: Numbers
    names: tuple[str, ...] = ()

    def sorted(self) -> 'TrackSegment':
        """Return it sorted by time; equal times keep their order of arrival."""
        if not (np.diff(self.times) < 0).any():
            return self
        order = np.argsort(self.times, kind='stable')
        return self._replace(times=self.times[order], values=self.values[order])


def track(part: TrackSegment, start_ns: int) -> Track:
    """Return the track of a body."""
    position, velocity, yaw = _split(part.values, vehicle_messages.BODY, 3, 3, 1)
    return Track(seconds(part.times, start_ns), position, velocity, yaw[:, 0])


def commands(part: TrackSegment, start_ns: int) -> Commands:
    """Return the commands to a vehicle."""
    velocity, yaw_rate = _split(part.values, vehicle_messages.COMMAND, 3, 1)
    return Commands(seconds(part.times, start_ns), velocity, yaw_rate[:, 0])


def states(part: TrackSegment, start_ns: int) -> StateSeries:
    """Return a member's states, with their values by name, in any order of the messages."""
    seq, position, velocity = _split(part.values, state_columns.BODY, 1, 3, 3)
    values = by_name(part.names, part.values[:, len(state_columns.BODY) :])
    ordered = {name: values[name] for name in sorted(values)}
    return StateSeries(seconds(part.times, start_ns), seq[:, 0], position, velocity, ordered)


def telemetry(part: TrackSegment, start_ns: int) -> Telemetry:
    """Return an agent's telemetry."""
    columns = telemetry_reader.COLUMNS
    position, velocity, failed, ring = _split(part.values, columns, 3, 3, 1, 2)
    values = by_name(part.names, part.values[:, len(columns) :])
    time = seconds(part.times, start_ns)
    down = failed[:, 0] != 0.0
    return Telemetry(time, position, velocity, down, ring[:, 0], ring[:, 1], values)


def metrics(part: TrackSegment, start_ns: int) -> dict[str, Floats]:
    """Return the metrics of a monitor."""
    return {'time': seconds(part.times, start_ns), **by_name(part.names, part.values)}


def seconds(times: Integers, start_ns: int) -> Floats:
    """Return times [ns] as seconds since the start."""
    return (times - start_ns) / 1e9


def _split(values: Numbers, names: tuple[str, ...], *widths: int) -> list[Numbers]:
    """Return the first columns as separate arrays."""
    if len(names) != int(np.sum(widths)):
        raise ValueError(f'{names} do not come in pieces of {widths}')
    ends = np.cumsum(widths)
    return [
        np.ascontiguousarray(values[:, end - width : end])
        for end, width in zip(ends, widths, strict=True)
    ]
