"""The air around a quadrotor: seeds from the start, heights above the ground."""

import math

from velocity_mobility_ros.core.random_numbers import LARGEST_SEED
from velocity_mobility_ros.vehicles.quadrotor.air import air_at_start, next_air
from velocity_mobility_ros.vehicles.wind import WindParameters, next_wind, wind_means

MEANS = wind_means(WindParameters(wind_east=4.0, gust_intensity=1.5))


def test_a_start_is_a_seed() -> None:
    """The same place the same seed, the sign of zero aside; another place another."""
    places = [
        (0.0, 0.0, 0.0),
        (1.0, 0.0, 0.0),
        (0.0, 1.0, 0.0),
        (0.0, 0.0, 1e-9),
        (-1.0, 2.0, 3.0),
    ]
    seeds = [air_at_start(place).seed for place in places]
    assert len(set(seeds)) == len(places)
    assert all(0 <= seed < LARGEST_SEED for seed in seeds)
    assert air_at_start((-0.0, 0.0, -0.0)) == air_at_start((0.0, 0.0, 0.0))


def test_height_counts_from_the_ground_and_speed_from_the_air() -> None:
    """As the gusts want them."""
    air = next_wind(MEANS, air_at_start((0.0, 0.0, 0.0)), 30.0, 5.0, 1.0)
    gust = air.gust
    for ground, height in ((math.nan, 120.0), (100.0, 20.0)):
        found = next_air(MEANS, air, (0.0, 0.0, 120.0), (4.0, 3.0, 0.0), ground, 0.01)
        speed = math.sqrt(gust[0] ** 2 + (3.0 - gust[1]) ** 2 + gust[2] ** 2)
        assert found.count == next_wind(MEANS, air, height, speed, 0.01).count
        assert math.dist(found.gust, next_wind(MEANS, air, height, speed, 0.01).gust) < 1e-9
