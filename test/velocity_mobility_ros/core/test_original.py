"""The reference sequences: the original's rules give all of them, ours wherever C.3 is silent."""

import itertools
import math

import pytest

from support.original_limiters import TimedMotion, channels_step, motion_step
from velocity_mobility_ros.core import twist_smoothing
from velocity_mobility_ros.core.rate_limit import FixedRate, RateLimiter, fixed_rate
from velocity_mobility_ros.core.step_time import to_ns
from velocity_mobility_ros.core.twist_smoothing import Motion, MotionLimits


@pytest.fixture(scope='module')
def sequences(reference):
    found = reference('limits.json')
    assert len(found['rate_limit']) >= 10
    assert len(found['motion_limit']) >= 9
    return found


def is_alike(one):
    """Say whether a sequence has none of the cases in which we differ on purpose."""
    calls = one['steps']
    times = [call['t'] for call in calls]
    return (
        all('error' not in call for call in calls)
        and all(math.isfinite(value) for call in calls for value in numbers(call['in']))
        and all(one < other for one, other in itertools.pairwise(times))
        and len({len(call['in']) for call in calls}) == 1
    )


def numbers(values):
    return [float(value) for value in values]


def same(found, wanted):
    assert len(found) == len(wanted)
    for one, other in zip(found, numbers(wanted), strict=True):
        assert one == pytest.approx(other, rel=1e-12, abs=0.0, nan_ok=True)


def channels_of(one):
    limit = None if one['rate_per_second'] is None else fixed_rate
    rates = FixedRate(one['rate_per_second'])
    return lambda last, values, t: channels_step(limit, rates, last, values, t)


def motions_of(one):
    limits = MotionLimits(one['linear_acceleration_limit'], one['angular_acceleration_limit'])
    return lambda last, motion, t: motion_step(limits, last, motion, t)


def flat(last):
    if isinstance(last, TimedMotion):
        return [*last.motion.velocity[:2], last.motion.yaw_rate]
    return list(last.values)


def planar(values):
    x, y, yaw_rate = numbers(values)
    return Motion((x, y, 0.0), yaw_rate)


@pytest.mark.parametrize(('kind', 'of', 'read'), [
    ('rate_limit', channels_of, numbers), ('motion_limit', motions_of, planar),
])  # fmt: skip
def test_the_original_rules_give_the_reference(sequences, kind, of, read):
    checked = 0
    for one in sequences[kind]:
        update, last = of(one), None
        for call in one['steps']:
            checked += 1
            if 'error' in call:
                with pytest.raises((TypeError, ZeroDivisionError)) as caught:
                    update(last, read(call['in']), call['t'])
                assert caught.type.__name__ == call['error']
                continue
            last = update(last, read(call['in']), call['t'])
            same(flat(last), call['out'])
    assert checked >= 43


def test_our_channels_differ_only_where_they_should(sequences):
    checked = 0
    for one in sequences['rate_limit']:
        if not is_alike(one):
            continue
        first, *rest = one['steps']
        ours = RateLimiter(fixed_rate, FixedRate(one['rate_per_second']), first['out'],
                           to_ns(first['t']), max_dt=math.inf)  # fmt: skip
        for call in rest:
            same(ours.update(call['in'], to_ns(call['t'])), call['out'])
            checked += 1
    assert checked >= 20


def test_our_motions_differ_only_where_they_should(sequences):
    checked = 0
    for one in sequences['motion_limit']:
        if not is_alike(one):
            continue
        limits = MotionLimits(one['linear_acceleration_limit'], one['angular_acceleration_limit'])
        first, *rest = one['steps']
        state = twist_smoothing.at_start(planar(first['out']), to_ns(first['t']))
        for call in rest:
            state = twist_smoothing.motion_step(
                limits, math.inf, state, planar(call['in']), to_ns(call['t'])
            )
            same(flat(TimedMotion(state.motion, 0.0)), call['out'])
            checked += 1
    assert checked >= 40
