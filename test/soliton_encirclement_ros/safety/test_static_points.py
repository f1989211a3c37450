"""The own braking path against points."""

import math

import pytest
from soliton_encirclement_ros.safety.braking import braking_path, travelled
from soliton_encirclement_ros.safety.static_points import nearest_way, slope_after
from support.safety.draws import LAGS, path, stream


@pytest.mark.parametrize('tau', LAGS)
def test_the_slope_at_a_way_is_that_at_its_time(tau):
    draw = stream(82)
    for _ in range(200):
        own = path(draw, tau)
        if own.speed == 0.0:
            continue
        way, slope, _ = travelled(own, draw.uniform(0.0, 4.0), 4.0, tau)
        assert slope_after(own, way, 4.0, tau) == pytest.approx(slope, abs=1e-6)


def test_the_nearest_way_is_on_the_path():
    own = braking_path(0.0, 0.0, 3.0, 0.0, 4.0, 1.0)
    assert nearest_way(own, 1.5, 4.0) == 1.5
    assert nearest_way(own, -1.5, 4.0) == 0.0
    assert nearest_way(own, 50.0, 4.0) == own.length == 3.0
    rest = braking_path(0.0, 0.0, 0.0, 0.0, 4.0, 1.0)
    assert nearest_way(rest, 5.0, 5.0) == 0.0
    assert not math.isnan(slope_after(rest, 0.0, 4.0, 1.0))
