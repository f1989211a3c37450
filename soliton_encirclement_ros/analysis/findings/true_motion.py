"""Members as they really moved, where a simulation has recorded that."""

from typing import TypeVar

import numpy as np

from soliton_encirclement_ros.analysis.recording import Member, StateSeries, Telemetry
from soliton_encirclement_ros.analysis.resampling import interpolated

Said = TypeVar('Said', StateSeries, Telemetry)


def truly(member: Member) -> Member:
    """Return a member whose track, states and telemetry have its true position and velocity.

    What was said while the truth is not recorded stays as it is; so does a member without truth.
    """
    if member.truth is None or not len(member.truth.time):
        return member
    states, telemetry = (_truly(part, member) for part in (member.states, member.telemetry))
    return member._replace(track=member.truth, states=states, telemetry=telemetry)


def _truly(said: Said | None, member: Member) -> Said | None:
    if said is None:
        return None
    true = member.truth
    places, velocities = (
        interpolated(true.time, column, said.time) for column in (true.position, true.velocity)
    )
    known = np.isfinite(places) & np.isfinite(velocities)
    return said._replace(
        position=np.where(known, places, said.position),
        velocity=np.where(known, velocities, said.velocity),
    )
