"""The air around a quadrotor: heights above the ground, speeds through it."""

import math

from velocity_mobility_ros.vehicles.quadrotor.air import next_air
from velocity_mobility_ros.vehicles.wind import WindParameters, calm, next_wind, wind_means

MEANS = wind_means(WindParameters(wind_east=4.0, gust_intensity=1.5))


def test_height_counts_from_the_ground_and_speed_from_the_air() -> None:
    """As the gusts want them."""
    air = next_wind(MEANS, calm(3), 30.0, 5.0, 1.0)
    gust = air.gust
    for ground, height in ((math.nan, 120.0), (100.0, 20.0)):
        found = next_air(MEANS, air, (0.0, 0.0, 120.0), (4.0, 3.0, 0.0), ground, 0.01)
        speed = math.sqrt(gust[0] ** 2 + (3.0 - gust[1]) ** 2 + gust[2] ** 2)
        assert found.count == next_wind(MEANS, air, height, speed, 0.01).count
        assert math.dist(found.gust, next_wind(MEANS, air, height, speed, 0.01).gust) < 1e-9
