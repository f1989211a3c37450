"""Simulates the mobility law with recorded commands, and a vehicle that follows it later."""

from velocity_mobility_ros.core.model import Limits, next_velocity
from velocity_mobility_ros.vehicles.second_order import Lagged, Lags, followed

from soliton_encirclement_ros.analysis.recording import Floats


def roll_out(
    begin: Floats, start: Floats, wanted: Floats, dt: Floats, limits: Limits, flown: Floats
) -> None:
    """Simulate every stretch from its start velocity, without further measurements.

    A plain function over arrays, so that callers can compile it.

    Args:
        begin: (S + 1,) integers: index of every stretch's first update, and the end.
        start: (S, 3) velocity before the first update [m/s].
        wanted: (K, 3) commanded velocity during each update [m/s].
        dt: (K,) length of each update [s].
        limits: ``MobilityParameters.limits``.
        flown: (K, 3) output: velocity after each update [m/s].
    """
    for s in range(start.shape[0]):
        v = (start[s, 0], start[s, 1], start[s, 2])
        for k in range(begin[s], begin[s + 1]):
            v = next_velocity(v, (wanted[k, 0], wanted[k, 1], wanted[k, 2]), dt[k], limits)
            flown[k, 0] = v[0]
            flown[k, 1] = v[1]
            flown[k, 2] = v[2]


def follow(
    begin: Floats, start: Floats, reference: Floats, dt: Floats, lags: Lags, flown: Floats
) -> None:
    """Let the velocities of ``second_order`` follow those of the velocity model.

    A plain function over arrays, as ``roll_out``.

    Args:
        begin: (S + 1,) integers: index of every stretch's first update, and the end.
        start: (S, 3) velocity before the first update, also that of the reference [m/s].
        reference: (K, 3) velocity of the velocity model after each update [m/s].
        dt: (K,) length of each update [s].
        lags: Lags of the acceleration [s].
        flown: (K, 3) output: velocity after each update [m/s].
    """
    for s in range(start.shape[0]):
        v = (start[s, 0], start[s, 1], start[s, 2])
        lagged = Lagged(v, v, v)
        for k in range(begin[s], begin[s + 1]):
            r = (reference[k, 0], reference[k, 1], reference[k, 2])
            lagged = followed(lagged, r, dt[k], lags)
            flown[k, 0] = lagged.velocity[0]
            flown[k, 1] = lagged.velocity[1]
            flown[k, 2] = lagged.velocity[2]
