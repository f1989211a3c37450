"""Splits a recording into data for the fit and data held out for validation."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from soliton_encirclement_ros.analysis.fit.fit_records import FitSettings
from soliton_encirclement_ros.analysis.fit.stretches import Stretch, after, stretches, until
from soliton_encirclement_ros.analysis.recording import Member
from soliton_encirclement_ros.analysis.resampling import latest
from soliton_encirclement_ros.core.errors import RunError


class Data(NamedTuple):
    """Stretches before and after the split time ``until`` [s]."""

    fitted: tuple[Stretch, ...]
    held: tuple[Stretch, ...]
    until: float


def gather(members: Sequence[Member], settings: FitSettings) -> Data:
    """Return the usable data of vehicles of one type.

    Raises:
        RunError: There is too little data.
    """
    found = [stretch for member in members for stretch in stretches(member, settings)]
    if not found:
        names = ', '.join(member.name for member in members)
        raise RunError(
            f'{names}: cmd_vel and odom were never both recorded for 1 s without a gap; '
            'name other topics with --map'
        )
    moment = _split(found, settings.hold_out)
    fitted = [piece for one in found if (piece := until(one, moment))]
    held = [piece for one in found if (piece := after(one, moment))]
    if not fitted or not held:
        length = max(one.time[-1] for one in found) - min(one.time[0] for one in found)
        raise RunError(
            f'the usable flight is {length:.1f} s long: too short to fit one part and '
            'predict the rest; record a manoeuvre of 20 s or more'
        )
    return Data(most_excited(fitted, settings, settings.most_updates),
                most_excited(held, settings, settings.most_updates), moment)  # fmt: skip


def most_excited(
    parts: Sequence[Stretch], settings: FitSettings, most: int
) -> tuple[Stretch, ...]:
    """Return the stretches with the largest commanded changes of velocity, in order of time.

    Args:
        parts: At least one.
        settings: Update period.
        most: Upper limit of their updates in total; at least one stretch is returned.
    """
    demands = [_demand(part) for part in parts]
    room, chosen = most, []
    for i in sorted(range(len(parts)), key=lambda i: -demands[i]):
        updates = max(len(parts[i].time), parts[i].length / settings.update_rate)
        if not chosen or updates <= room:
            chosen.append(i)
            room -= updates
    return tuple(parts[i] for i in sorted(chosen))


def _split(parts: Sequence[Stretch], share: float) -> float:
    """Return the time [s] after which the given share of the samples lies."""
    times = np.sort(np.concatenate([part.time for part in parts]))
    return float(times[min(len(times) - 1, int((1.0 - share) * len(times)))])


def _demand(part: Stretch) -> float:
    """Return the mean square of commanded minus measured velocity [m^2/s^2]."""
    at = latest(part.command_time, part.time)
    return float(((part.command[np.maximum(at, 0)] - part.velocity) ** 2).sum(axis=1).mean())
