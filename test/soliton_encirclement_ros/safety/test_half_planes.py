"""Conditions on the acceleration as half-planes of commands."""

import math

import pytest
from soliton_encirclement_ros.safety.braking import braking_acceleration
from soliton_encirclement_ros.safety.codes import BASE, EXTRA, NX, NY, SOURCE, WHO
from soliton_encirclement_ros.safety.half_planes import add_half_plane
from support.safety.draws import path, scratch, stream


def test_a_command_on_the_line_has_the_rate():
    draw, tau = stream(80), 0.7
    for _ in range(100):
        own, rows = path(draw, tau), scratch()
        (mx, my), rate = draw.standard_normal(2), draw.standard_normal()
        acc_0 = braking_acceleration(own, 4.0, tau)
        assert add_half_plane(rows, 3, own, tau, mx, my, *acc_0, rate, 2, 9.0) == 4
        one = rows[3]
        assert (one[SOURCE], one[WHO]) == (2, 9.0)
        assert math.hypot(one[NX], one[NY]) == pytest.approx(1.0)
        bound, t = one[BASE] + one[EXTRA], draw.standard_normal()
        cx, cy = bound * one[NX] - t * one[NY], bound * one[NY] + t * one[NX]
        ax, ay = (cx - own.vx) / tau, (cy - own.vy) / tau
        assert mx * (ax - acc_0[0]) + my * (ay - acc_0[1]) == pytest.approx(rate)


@pytest.mark.parametrize(
    ('mx', 'rate'), [(0.0, 1.0), (1e-9, 1.0), (math.nan, 1.0), (1.0, math.nan), (1.0, math.inf)]
)
def test_one_without_influence_or_broken_is_left_out(mx, rate):
    own = path(stream(81), 1.0)
    assert add_half_plane(scratch(), 2, own, 1.0, mx, 0.0, 0.0, 0.0, rate, 1, 0.0) == 2
