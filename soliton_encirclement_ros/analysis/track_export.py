"""Tracks of a flight on the globe: KML of Google Earth and QGIS, GPX of anything with a map.

Places in map are those of an azimuthal projection round the origin on the sphere, as PX4 has it.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL
from soliton_encirclement_ros.analysis.recording import SIMULATED, Member, Recording
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing, writing
from velocity_mobility_ros.autopilot.swarm_frame import unproject

PERIOD = 0.2
"""Least time between two points of a track [s]."""


class GlobeTrack(NamedTuple):
    """The track of a body on the globe.

    Attributes:
        name: Of the body.
        points: Latitude, longitude [deg], altitude [m].
        dates: Of its points in UTC, ISO 8601; empty if its clock tells none.
    """

    name: str
    points: list[tuple[float, float, float]]
    dates: list[str]


def globe_track(recording: Recording, member: Member) -> GlobeTrack:
    """Return the track of a body, thinned out.

    Args:
        recording: With an origin.
        member: The body, with samples.
    """
    motion, (latitude, longitude, altitude) = member.motion, recording.origin
    known = np.flatnonzero(np.isfinite(motion.position).all(axis=1))
    _, first = np.unique(np.floor(motion.time[known] / PERIOD), return_index=True)
    rows, dates = known[first], []
    if recording.clock != SIMULATED and recording.start_ns >= FIRST_REAL:
        times = recording.start_ns + np.rint(1e9 * motion.time[rows]).astype(np.int64)
        dates = [f'{date}Z' for date in times.astype('datetime64[ns]').astype('datetime64[ms]')]
    points = [(*unproject((latitude, longitude), north, east), altitude + up)
              for east, north, up in motion.position[rows].tolist()]  # fmt: skip
    return GlobeTrack(member.name, points, dates)


def _kml(tracks: list[GlobeTrack]) -> Iterator[str]:
    yield '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">'
    yield '<Document>'
    for track in tracks:
        places = [f'{lon:.8f} {lat:.8f} {alt:.2f}' for lat, lon, alt in track.points]
        yield f'<Placemark><name>{escape(track.name)}</name>'
        if track.dates:
            yield '<gx:Track><altitudeMode>absolute</altitudeMode>'
            yield from (f'<when>{date}</when>' for date in track.dates)
            yield from (f'<gx:coord>{place}</gx:coord>' for place in places)
            yield '</gx:Track></Placemark>'
        else:
            yield '<LineString><altitudeMode>absolute</altitudeMode><coordinates>'
            yield from (place.replace(' ', ',') for place in places)
            yield '</coordinates></LineString></Placemark>'
    yield '</Document></kml>'


def _gpx(tracks: list[GlobeTrack]) -> Iterator[str]:
    yield '<gpx version="1.1" creator="swarm" xmlns="http://www.topografix.com/GPX/1/1">'
    for track in tracks:
        dates = [f'<time>{date}</time>' for date in track.dates] or [''] * len(track.points)
        yield f'<trk><name>{escape(track.name)}</name><trkseg>'
        for (lat, lon, alt), date in zip(track.points, dates, strict=True):
            yield f'<trkpt lat="{lat:.8f}" lon="{lon:.8f}"><ele>{alt:.2f}</ele>{date}</trkpt>'
        yield '</trkseg></trk>'
    yield '</gpx>'


EXPORTS = {'kml': _kml, 'gpx': _gpx}
"""Formats, which are the endings of the files."""


def check_origin(recording: Recording, form: str) -> None:
    """Refuse a format of tracks if no origin on the globe is known.

    Raises:
        RunError: None is.
    """
    if recording.origin is None:
        raise RunError(f'{recording.path}: no {form}: no origin on the globe is recorded, as '
                       'VehicleLocalPosition and logs with GPS have it')  # fmt: skip


def write_tracks(path: Path, form: str, recording: Recording) -> Path:
    """Write the tracks of all bodies into a file, and return it.

    Args:
        path: The file.
        form: One of ``EXPORTS``.
        recording: The flight.

    Raises:
        RunError: No origin on the globe is known, or the file cannot be written.
    """
    check_origin(recording, form)
    tracks = [globe_track(recording, member) for member in recording.members.values()
              if member.motion]  # fmt: skip
    lines = '\n'.join(EXPORTS[form](tracks))
    with writing(path, advice='; name another folder with --out'), replacing(path) as part:
        part.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{lines}\n', encoding='utf-8')
    return path
