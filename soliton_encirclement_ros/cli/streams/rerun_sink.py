"""Moments as Rerun takes them: live to a viewer, or as an rrd file, with the viewer's layout."""

import math
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

import rerun as rr
import rerun.blueprint as rrb

from soliton_encirclement_ros.cli.streams.moment import BODY_SIZE, GREY, SceneBody, SceneMoment

TIMELINE = 'flight'

LINE_RADIUS = 0.08
"""Half the width of a ring or trail [m]."""

PATIENCE = 5.0
"""How long what was sent may take to arrive at the end [s]."""

LIVE, FILE = 4, 500
"""Moments that are sent together: each sending costs as much as some hundred numbers."""

PLOTS = {
    'Spacing and radius': ('E_r', 'rho', 'G_max', 'E_gap', 'E_wgap'),
    'Radial speed [m/s]': ('E_vr',),
    'Agents alive, smallest separation [m]': ('alive', 'min_separation'),
}


Columns = Callable[[Sequence[Any]], rr.ComponentColumnList]
"""Makes the columns of an entity from a value for each time."""


class RerunSink:
    """Logs moments to recordings, one for each swarm that begins."""

    def __init__(
        self, connect: Callable[[rr.RecordingStream], None], together: int = LIVE
    ) -> None:
        """Log nothing yet, but be ready for it: that takes a second.

        Args:
            connect: Gives a recording its place: a viewer, or a file.
            together: How many moments are sent together.
        """
        self._connect, self._together = connect, together
        self._stream = self._open_stream()
        self._shown: dict[str, tuple[int, int, int]] = {}
        self._rows: dict[tuple[str, Columns], list[tuple[float, Any]]] = {}
        self._time, self._waiting = -math.inf, 0

    def begin(self) -> None:
        """Prepare for a restarted swarm."""
        if self._time > -math.inf:
            self.close()
            self._stream, self._shown, self._time = self._open_stream(), {}, -math.inf

    def send(self, moment: SceneMoment) -> None:
        """Take a moment, but none twice."""
        if moment.time <= self._time and not moment.events:
            return
        self._time = moment.time
        self._draw(self._stream, moment)
        if moment.metrics is not None:
            at = moment.metrics['time']
            for name, value in moment.known_metrics.items():
                self._add(f'metrics/{name}', _scalars, at, value)
        for event in moment.events:
            self._stream.set_time(TIMELINE, duration=event.time)
            level = rr.TextLogLevel.WARN if event.is_bad else rr.TextLogLevel.INFO
            self._stream.log('events', rr.TextLog(f'{event.name}: {event.text}', level=level))
        self._waiting += 1
        if self._waiting >= self._together:
            self._send_rows()

    def close(self) -> None:
        """Wait until what was taken has arrived."""
        self._send_rows()
        with suppress(RuntimeError, ValueError):  # the viewer is closed
            self._stream.flush(timeout_sec=PATIENCE)
        self._stream.disconnect()

    def _open_stream(self) -> rr.RecordingStream:
        stream = rr.RecordingStream('swarm')
        self._connect(stream)
        stream.send_blueprint(blueprint())
        stream.log('world', rr.ViewCoordinates.RIGHT_HAND_Z_UP, static=True)
        stream.log('world/ring', _look(GREY), static=True)
        return stream

    def _draw(self, stream: rr.RecordingStream, moment: SceneMoment) -> None:
        stream.set_time(TIMELINE, duration=moment.time)
        for name in self._shown.keys() - {body.name for body in moment.bodies}:
            stream.log(f'world/{name}', rr.Clear(recursive=True))
            del self._shown[name]
        for body in moment.bodies:
            if self._shown.get(body.name) != body.colour:
                self._shown[body.name] = body.colour
                _show(stream, body)
            self._add(f'world/{body.name}', _places, moment.time, body.place)
            self._add(f'world/{body.name}/trail', _strips, moment.time, body.trail)
        if points := moment.ring_points:
            self._add('world/ring', _strips, moment.time, points)

    def _add(self, entity: str, columns: Columns, at: float, value: Any) -> None:
        self._rows.setdefault((entity, columns), []).append((at, value))

    def _send_rows(self) -> None:
        for (entity, columns), rows in self._rows.items():
            times, values = zip(*rows, strict=True)
            self._stream.send_columns(
                entity, [rr.TimeColumn(TIMELINE, duration=times)], columns(values)
            )
        self._rows, self._waiting = {}, 0


def _show(stream: rr.RecordingStream, body: SceneBody) -> None:
    """Log what does not change while a body moves."""
    entity, radius = f'world/{body.name}', 0.5 * BODY_SIZE
    stream.log(
        entity, rr.Points3D.from_fields(colors=body.colour, radii=radius, labels=body.name)
    )
    stream.log(f'{entity}/trail', _look(body.colour))


def _look(colour: tuple[int, int, int]) -> rr.LineStrips3D:
    return rr.LineStrips3D.from_fields(colors=colour, radii=LINE_RADIUS)


def _places(values: Sequence[Any]) -> rr.ComponentColumnList:
    return rr.Points3D.columns(positions=values)


def _strips(values: Sequence[Any]) -> rr.ComponentColumnList:
    return rr.LineStrips3D.columns(strips=values)


def _scalars(values: Sequence[Any]) -> rr.ComponentColumnList:
    return rr.Scalars.columns(scalars=values)


def blueprint() -> rrb.Blueprint:
    """Return the layout: the swarm, its metrics as in the layout of Foxglove, and events."""
    plots = [
        rrb.TimeSeriesView(name=title, contents=[f'metrics/{name}' for name in names])
        for title, names in PLOTS.items()
    ]
    scene = rrb.Spatial3DView(name='Swarm', origin='world')
    events = rrb.TextLogView(name='Events', origin='events')
    left = rrb.Vertical(scene, events, row_shares=[3, 1])
    return rrb.Blueprint(rrb.Horizontal(left, rrb.Vertical(*plots), column_shares=[55, 45]))
