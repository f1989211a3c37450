"""Messages of the estimator, with the fields of all releases that are not 0."""

import math
import random
from types import SimpleNamespace
from typing import Any

from support.px4_emulator.estimate.counters import Counters
from support.px4_emulator.estimate.estimator import Estimate, Reference
from support.px4_emulator.flight.body import Truth

NED = 1
"""POSE_FRAME_NED and VELOCITY_FRAME_NED."""

POSITION_NOISE, VELOCITY_NOISE = 0.01, 0.02
"""Standard deviations [m, m/s]."""


def noisy(vector: Any, sigma: float, draws: random.Random) -> list[float]:
    """Return a vector with noise; none without a sigma."""
    if sigma == 0.0:
        return list(vector)
    return [value + sigma * draws.gauss(0.0, 1.0) for value in vector]


def turned(attitude: tuple[float, float, float, float], heading_error: float) -> list[float]:
    """Return an attitude (w, x, y, z) turned about down."""
    w, x, y, z = attitude
    c, s = math.cos(0.5 * heading_error), math.sin(0.5 * heading_error)
    return [c * w - s * z, c * x - s * y, c * y + s * x, c * z + s * w]


def vehicle_odometry(
    stamp: int, estimate: Estimate, truth: Truth, error: float, count: int, sigma: float,
    draws: random.Random,
) -> SimpleNamespace:  # fmt: skip
    """Pose and velocity."""
    is_valid = estimate.is_valid
    unknown = [math.nan] * 3
    return SimpleNamespace(
        timestamp=stamp, timestamp_sample=stamp, pose_frame=NED, velocity_frame=NED,
        position=noisy(estimate.position, POSITION_NOISE * sigma, draws) if is_valid else unknown,
        velocity=noisy(estimate.velocity, VELOCITY_NOISE * sigma, draws) if is_valid else unknown,
        q=turned(truth.attitude, error), angular_velocity=list(truth.rates),
        position_variance=[estimate.eph**2, estimate.eph**2, 0.1],
        velocity_variance=[estimate.evh**2, estimate.evh**2, 0.02],
        orientation_variance=[1e-4, 1e-4, 1e-3],
        reset_counter=count, quality=0,
    )  # fmt: skip


def vehicle_local_position(
    stamp: int, estimate: Estimate, reference: Reference, counters: Counters, sigma: float,
    draws: random.Random,
) -> SimpleNamespace:  # fmt: skip
    """Position, validity, resets and origin."""
    x, y, z = noisy(estimate.position, POSITION_NOISE * sigma, draws)
    vx, vy, vz = noisy(estimate.velocity, VELOCITY_NOISE * sigma, draws)
    counts, xy, good = counters.counts, estimate.xy_valid, estimate.is_valid
    return SimpleNamespace(
        timestamp=stamp, timestamp_sample=stamp,
        xy_valid=xy, z_valid=good, v_xy_valid=xy, v_z_valid=good,
        x=x, y=y, z=z, delta_xy=list(counters.xy), xy_reset_counter=counts['xy'],
        delta_z=counters.z, z_reset_counter=counts['z'],
        vx=vx, vy=vy, vz=vz, z_deriv=vz, delta_vxy=list(counters.vxy),
        vxy_reset_counter=counts['vxy'], delta_vz=counters.vz, vz_reset_counter=counts['vz'],
        heading=estimate.heading, heading_var=1e-3, unaided_heading=math.nan,
        delta_heading=counters.heading, heading_reset_counter=counts['heading'],
        heading_good_for_control=good,
        xy_global=good, z_global=good, ref_timestamp=reference.stamp,
        ref_lat=reference.latitude if good else math.nan,
        ref_lon=reference.longitude if good else math.nan,
        ref_alt=reference.altitude if good else math.nan,
        eph=estimate.eph, epv=0.3, evh=estimate.evh, evv=0.1,
        dead_reckoning=estimate.dead_reckoning,
        vxy_max=math.inf, vz_max=math.inf, hagl_min=math.inf, hagl_max=math.inf,
        hagl_max_z=math.inf, hagl_max_xy=math.inf,
    )  # fmt: skip
