"""The fit as a whole: planted vehicles are recovered, and what nobody can tell is not told."""

from dataclasses import replace

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.fit import FitSettings, fit, follow, roll_out
from soliton_encirclement_ros.analysis.fit.fit_records import NAMES, fitted_indices
from soliton_encirclement_ros.analysis.fit.fitting import STEPS
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.recorded.planted import (
    NOISE, PLANTED, QUAD, constant, encirclement, flight, noisy, steps
)
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters

LARGEST = 0.03
"""Largest error of a recovered value."""


def fitted(*members, **settings):
    later = compiled(follow)
    return fit(members, FitSettings(**settings), compiled(roll_out), follow=later)


def noisy_steps(seed=1, mobility=QUAD, rate=50.0, delay=0.0, name='uav_1', **shape):
    chance = np.random.default_rng(seed)
    return noisy(flight(steps(chance, **shape), mobility, rate, delay, name), chance)


def check(found, names, mobility, delay=0.0):
    """Check that values are near the planted ones and the delay within one update."""
    for name in names:
        one = found.estimates[name]
        assert one.known, f'{name}: {one.reason}'
        assert one.value == pytest.approx(getattr(mobility, name), rel=LARGEST)
    assert found.estimates['delay'].value == pytest.approx(delay, abs=mobility.update_rate)


@pytest.mark.one_in(3)
@pytest.mark.parametrize('rate', [20.0, 50.0, 100.0])
@pytest.mark.parametrize(('mobility', 'delay'), [(QUAD, 0.12), (MobilityParameters(), 0.0)])
def test_a_manoeuvre_with_steps_recovers_everything(mobility, delay, rate):
    found = fitted(noisy_steps(3, mobility, rate, delay))
    check(found, PLANTED, mobility, delay)
    assert found.validation.xy == pytest.approx(NOISE, rel=0.1)
    assert found.validation.z == pytest.approx(NOISE, rel=0.1)
    assert found.problems == ()


@pytest.mark.nightly
def test_an_encirclement_recovers_what_it_uses():
    """Lockstep, agents fail and return; nobody climbs and nobody exceeds the speed limit."""
    chance = np.random.default_rng(5)
    found = fitted(*(noisy(one, chance) for one in encirclement(agents=4)))
    check(found, ('tau_xy', 'max_acc_xy'), QUAD)
    reasons = {name: one.reason for name, one in found.estimates.items() if not one.known}
    assert set(reasons) == {'max_speed_xy', 'tau_z', 'max_acc_z', 'max_speed_z'}
    assert reasons['tau_z'] == 'the command never changed'
    assert found.agents == ('uav_1', 'uav_2', 'uav_3', 'uav_4')
    assert found.validation.xy == pytest.approx(NOISE, rel=0.1)


@pytest.mark.parametrize(
    'told', [constant(0.0, 0.0, 0.0), constant(2.0, 1.0, -1.0)], ids=['hovering', 'cruising']
)
def test_from_a_constant_command_nothing_is_told(told):
    chance = np.random.default_rng(6)
    found = fitted(noisy(flight(told, start=tuple(told[0])), chance))
    assert not any(one.known for one in found.estimates.values())
    assert found.estimates['tau_xy'].reason == 'the command never changed'
    said = f'no command asked for more than {np.hypot(*told[0, :2]):.3g} m/s'
    assert found.estimates['max_speed_xy'].reason == said


def test_a_vehicle_without_lag_is_known_as_one():
    body = replace(QUAD, tau_xy=None, tau_z=None)
    found = fitted(noisy_steps(8, body))
    check(found, ('max_acc_xy', 'max_acc_z', 'max_speed_xy', 'max_speed_z'), body)
    for name in ('tau_xy', 'tau_z'):
        assert found.estimates[name].known and found.estimates[name].value is None


def test_gaps_odd_times_and_wild_samples_do_no_harm():
    member, chance = noisy_steps(9, delay=0.1), np.random.default_rng(9)
    time = member.track.time + chance.uniform(-0.004, 0.004, len(member.track.time))
    velocity = member.track.velocity.copy()
    velocity[chance.random(len(velocity)) < 0.01] = 50.0
    kept = (chance.random(len(time)) < 0.6) & ~((time > 20.0) & (time < 23.0))
    track = member.track._replace(time=time, velocity=velocity)
    told = (member.commands.time < 30.0) | (member.commands.time > 33.0)
    found = fitted(member._replace(
        track=type(track)(*(column[kept] for column in track)),
        commands=type(member.commands)(*(column[told] for column in member.commands)),
    ))  # fmt: skip
    check(found, PLANTED, QUAD, 0.1)
    assert found.validation.usual_xy == pytest.approx(NOISE, rel=0.2)


@pytest.mark.nightly
def test_the_same_data_give_the_same_fit_compiled_or_not():
    """Five seconds, of which only some values can be known: plain Python takes its time."""
    member = noisy_steps(10, duration=5.0, rate=20.0)
    first, again = fitted(member), fitted(member)
    plain = fit([member])
    assert first.estimates == again.estimates == plain.estimates
    assert first.validation == plain.validation


def test_progress_rises_to_its_end():
    seen = []
    fit([noisy_steps(11, duration=20.0)], None, compiled(roll_out), lambda *now: seen.append(now))
    done = [count for count, _ in seen]
    assert done == sorted(done) and seen[0] == (0, STEPS) and seen[-1] == (STEPS, STEPS)


def test_what_is_predicted_was_not_fitted():
    found = fitted(noisy_steps(12))
    assert min(one.time[0] for one in found.curves) > found.until
    assert found.used == pytest.approx(0.7 * 59.5, abs=0.5)
    assert list(found.estimates) == [NAMES[i] for i in fitted_indices(found.vehicle)]


def test_too_short_a_flight_is_refused():
    with pytest.raises(RunError, match='too short to fit one part and predict the rest'):
        fitted(noisy_steps(13, duration=2.2))


def test_a_vehicle_of_second_order_is_recovered():
    planted = SecondOrderParameters(
        tau_xy=0.5, acceleration_tau_xy=0.2, tau_z=0.35, acceleration_tau_z=0.1, max_acc_xy=5.0,
        max_acc_z=4.0, max_speed_xy=8.0, max_speed_z=4.0,
    )  # fmt: skip
    found = fitted(noisy_steps(3, planted, 50.0), vehicle='second_order')
    assert found.vehicle == 'second_order' and found.problems == ()
    assert list(found.estimates) == [NAMES[i] for i in fitted_indices('second_order')]
    for name, one in found.estimates.items():
        value = getattr(planted, name)
        assert one.known and one.value == pytest.approx(value, abs=0.03 * max(value, 1.0)), name
        assert one.low < value < one.high


def test_the_velocity_model_is_of_second_order_without_a_lag_of_the_acceleration():
    found = fitted(noisy_steps(4), vehicle='second_order').estimates
    for name in ('acceleration_tau_xy', 'acceleration_tau_z'):
        assert found[name].known and found[name].value is None
        assert found[name].reason == 'no lag: commands are followed as by the velocity model'
    for name in PLANTED:
        assert found[name].value == pytest.approx(getattr(QUAD, name), rel=0.05)
