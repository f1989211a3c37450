"""Tracks of a flight on the globe: KML of Google Earth and QGIS, GPX of anything with a map.

Places in map are those of an azimuthal projection round the origin on the sphere, as PX4 has it.
"""

import datetime
from collections.abc import Iterator, Mapping
from pathlib import Path
from xml.sax.saxutils import escape

import numpy as np

from soliton_encirclement_ros.analysis.bag.storage.raw_messages import FIRST_REAL
from soliton_encirclement_ros.analysis.bag.tracks import EARTH_RADIUS
from soliton_encirclement_ros.analysis.recording import SIMULATED, Floats, Member, Recording
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.core.files import replacing, writing

PERIOD = 0.2
"""Least time between two points of a track [s]."""


def on_globe(origin: tuple[float, float, float], places: Floats) -> Floats:
    """Return latitude, longitude [deg] and altitude [m] of places, (K, 3).

    Args:
        origin: The same of place 0.
        places: East, north, up [m], (K, 3).
    """
    east, north, up = places.T
    lat, lon = np.radians(origin[:2])
    angle = np.hypot(east, north) / EARTH_RADIUS
    scale = np.where(angle > 1e-12, np.sin(angle) / np.maximum(angle, 1e-12), 1.0) / EARTH_RADIUS
    sine = np.cos(angle) * np.sin(lat) + north * scale * np.cos(lat)
    turned = np.arctan2(
        east * scale, np.cos(lat) * np.cos(angle) - north * scale * np.sin(lat)
    )
    return np.column_stack([
        np.degrees(np.arcsin(sine)), np.degrees(lon + turned), origin[2] + up,
    ])  # fmt: skip


class GlobeTrack:
    """The track of a body on the globe.

    Attributes:
        name: Of the body.
        dates: Of its points in UTC, ISO 8601; empty if its clock tells none.
        points: Latitude, longitude [deg], altitude [m], (K, 3).
    """

    def __init__(self, recording: Recording, member: Member) -> None:
        """Thin out and convert a track that has samples.

        Args:
            recording: With an origin.
            member: The body.
        """
        motion = member.motion
        known = np.flatnonzero(np.isfinite(motion.position).all(axis=1))
        _, first = np.unique(np.floor(motion.time[known] / PERIOD), return_index=True)
        rows = known[first]
        self.name = member.name
        self.points = on_globe(recording.origin, motion.position[rows])
        self.dates: list[str] = []
        if recording.clock != SIMULATED and recording.start_ns >= FIRST_REAL:
            times = recording.start_ns / 1e9 + motion.time[rows]
            self.dates = [
                datetime.datetime.fromtimestamp(time, datetime.timezone.utc)
                .isoformat(timespec='milliseconds').replace('+00:00', 'Z')
                for time in times.tolist()
            ]  # fmt: skip


def _kml(tracks: list[GlobeTrack]) -> Iterator[str]:
    yield '<kml xmlns="http://www.opengis.net/kml/2.2" xmlns:gx="http://www.google.com/kml/ext/2.2">'
    yield '<Document>'
    for track in tracks:
        places = [f'{lon:.8f} {lat:.8f} {alt:.2f}' for lat, lon, alt in track.points.tolist()]
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
        for (lat, lon, alt), date in zip(track.points.tolist(), dates, strict=True):
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
    members: Mapping[str, Member] = recording.members
    tracks = [GlobeTrack(recording, member) for member in members.values() if member.motion]
    lines = '\n'.join(EXPORTS[form](tracks))
    with writing(path, advice='; name another folder with --out'), replacing(path) as part:
        part.write_text(f'<?xml version="1.0" encoding="UTF-8"?>\n{lines}\n', encoding='utf-8')
    return path
