"""The contract of a vehicle, over the whole family."""

import math

import pytest
from velocity_mobility_ros.core.model import MobilityParameters
from velocity_mobility_ros.vehicles import VEHICLES

FAMILY = pytest.mark.parametrize('kind', list(VEHICLES.values()), ids=list(VEHICLES))


@FAMILY
def test_time_passes_only_in_step(kind: type) -> None:
    """A command alone moves nothing."""
    vehicle = kind(MobilityParameters(), (0.0, 0.0, 5.0))
    vehicle.command((3.0, 0.0, 0.0), 0.2)
    assert vehicle.position == (0.0, 0.0, 5.0)
    assert vehicle.velocity == (0.0, 0.0, 0.0)


@FAMILY
def test_goes_where_it_is_told(kind: type) -> None:
    """After ten seconds of one command the body moves by it."""
    vehicle = kind(MobilityParameters(), (0.0, 0.0, 5.0))
    vehicle.command((3.0, -2.0, 0.5), 0.0)
    for _ in range(1000):
        vehicle.step()
    assert vehicle.velocity == pytest.approx((3.0, -2.0, 0.5), abs=0.05)


@FAMILY
def test_stays_finite_and_within_speed(kind: type) -> None:
    """Neither a huge nor an undefined command breaks the limits."""
    body = MobilityParameters()
    vehicle = kind(body, (0.0, 0.0, 5.0))
    for wish in ((1e9, -1e9, 1e9), (math.nan, math.inf, -math.inf), (0.0, 0.0, 0.0)):
        vehicle.command(wish, wish[0])
        for _ in range(300):
            vehicle.step()
            vx, vy, vz = vehicle.velocity
            assert math.hypot(vx, vy) <= body.max_speed_xy * 1.001
            assert abs(vz) <= body.max_speed_z * 1.001
    assert all(math.isfinite(x) for x in vehicle.position)
