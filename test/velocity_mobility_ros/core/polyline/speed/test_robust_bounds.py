"""The robust bounds: never contradictory, and within all limits for ever."""

from hypothesis import given
from hypothesis import strategies as st
from velocity_mobility_ros.core.polyline.records import SpeedLimits, SpeedTask
from velocity_mobility_ros.core.polyline.speed.robust_bounds import (
    robust_bounds,
    robust_jerk_limited,
)

LIMIT = st.floats(0.5, 12.0)
LIMITS = st.builds(SpeedLimits, LIMIT, LIMIT, LIMIT, LIMIT, LIMIT)
STEP = st.sampled_from((0.01, 0.02, 1.0 / 30.0, 0.05, 0.1))


@given(LIMITS, STEP, st.floats(0.0, 1.0), st.data())
def test_speed_jerk_and_acceleration_hold_whatever_is_chosen(limits, dt, share, data):
    target = limits.max_speed * share
    task, speed, acceleration = SpeedTask(target, limits, dt, original=False), 0.0, 0.0
    for _ in range(120):
        low, high, code = robust_bounds(task, speed, acceleration)
        assert code == 0 and low <= high
        chosen = data.draw(st.sampled_from((low, high, 0.5 * (low + high))))
        assert chosen <= acceleration + limits.acceleration_rate * dt + 1e-9
        assert chosen >= acceleration - limits.deceleration_rate * dt - 1e-9
        assert -limits.max_deceleration - 1e-9 <= chosen <= limits.max_acceleration + 1e-9
        speed, acceleration = speed + chosen * dt, chosen
        assert -1e-9 <= speed <= target + 1e-9


@given(st.floats(0.0, 20.0), st.floats(0.1, 20.0), STEP)
def test_its_number_of_steps_is_exact(v, j, dt):
    """Relaxed by ``j dt`` per step it is zero just as the speed is."""
    speed, acceleration, steps = v, robust_jerk_limited(v, 0.0, j, dt), 0
    while acceleration < -1e-9 and steps < 100_000:
        speed, acceleration, steps = speed + acceleration * dt, acceleration + j * dt, steps + 1
    assert abs(speed) < 1e-6 + 1e-9 * steps
