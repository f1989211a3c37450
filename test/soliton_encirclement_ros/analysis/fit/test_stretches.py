"""Stretches: where it is known what a vehicle was told, their updates, their predictions."""

import itertools

import numpy as np
import pytest
from hypothesis import given, strategies as st

from soliton_encirclement_ros.analysis.fit.fit_data import (
    Stretch, gather, most_excited, part_of, stretches, with_flown_commands
)
from soliton_encirclement_ros.analysis.fit.fit_records import Curve, FitSettings
from soliton_encirclement_ros.analysis.fit.fitting import by_agent, curves, errors
from soliton_encirclement_ros.analysis.fit.identifiability import deviation, motion, noise_of
from soliton_encirclement_ros.analysis.fit.rollout import (
    JoinedStretches, follow, grid, roll_out, timeline
)
from soliton_encirclement_ros.analysis.recording import BridgeChange, Commands, Member, Track
from soliton_encirclement_ros.core.errors import RunError
from soliton_encirclement_ros.sim.compilation.compiled import compiled
from support.recorded.planted import QUAD, constant, flight, noisy, steps
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters
from velocity_mobility_ros.vehicles.simulated_body import Body


@pytest.fixture(scope='module')
def flown():
    return flight(steps(np.random.default_rng(1), duration=10.0))


def change(time, state, name='uav_1'):
    return BridgeChange(time, name, state, 'why')


def test_only_tracked_commands_are_kept(flown):
    bridges = [
        change(0.5, 'HOLD'), change(2.0, 'TRACK'), change(3.0, 'TRACK', 'uav_2'),
        change(4.0, 'BRAKE'), change(4.5, 'HOLD'), change(6.0, 'TRACK'), change(9.0, 'LANDING'),
    ]  # fmt: skip
    found = with_flown_commands(flown, bridges).commands
    time = flown.commands.time
    kept = ((time >= 2.0) & (time < 4.0)) | ((time >= 6.0) & (time < 9.0))
    assert found.time.tolist() == time[kept].tolist()
    assert np.array_equal(found.velocity, flown.commands.velocity[kept])


def test_without_a_bridge_of_its_own_all_are_kept(flown):
    for bridges in ([], [change(1.0, 'HOLD', 'uav_2')]):
        assert with_flown_commands(flown, bridges) is flown


def test_a_member_without_commands_stays_so(flown):
    bare = flown._replace(commands=None)
    assert with_flown_commands(bare, [change(1.0, 'TRACK')]) is bare


SETTINGS = FitSettings()
LONG = FitSettings(longest_stretch=1000.0)


@pytest.fixture(scope='module')
def member():
    return flight(steps(np.random.default_rng(1), duration=30.0))


def without(member, kind, begin, end):
    """Return a member without what came between two times."""
    part = getattr(member, kind)
    kept = (part.time < begin) | (part.time >= end)
    return member._replace(**{kind: type(part)(*(column[kept] for column in part))})


def spans(found):
    return [(round(float(one.time[0]), 2), round(float(one.time[-1]), 2)) for one in found]


def test_it_begins_when_the_longest_delay_is_known_and_ends_with_the_commands(member):
    (found,) = stretches(member, LONG)
    assert spans([found]) == [(0.5, 30.0)]
    assert found.agent == 'uav_1' and found.command_time[0] == 0.0


def test_long_stretches_are_cut_into_equal_pieces(member):
    found = stretches(member, SETTINGS)
    assert len(found) == 2
    assert found[0].length == pytest.approx(found[1].length, abs=0.05)
    assert found[1].command_time[0] <= found[1].time[0] - SETTINGS.longest_delay


def test_a_silence_of_the_commands_is_left_out(member):
    found = stretches(without(member, 'commands', 10.0, 14.0), LONG)
    assert spans(found) == [(0.5, 10.34), (14.5, 30.0)]


def test_rare_commands_are_no_silence(member):
    sparse = member.commands.time % 2.0 < 0.01
    commands = Commands(*(column[sparse] for column in member.commands))
    (found,) = stretches(member._replace(commands=commands), LONG)
    assert (found.time[0], found.time[-1]) == pytest.approx((0.5, 29.9), abs=0.03)


def test_a_gap_in_the_odometry_ends_a_stretch_and_a_short_one_does_not(member):
    assert spans(stretches(without(member, 'track', 10.0, 12.0), LONG)) == [
        (0.5, 9.98), (12.0, 30.0)
    ]  # fmt: skip
    assert len(stretches(without(member, 'track', 10.0, 10.5), LONG)) == 1


def test_undefined_and_doubled_samples_are_left_out(member):
    track = member.track
    velocity = track.velocity.copy()
    velocity[::3] = np.nan
    track = track._replace(velocity=velocity)
    doubled = Track(*(np.repeat(column, 2, axis=0) for column in track))
    (found,) = stretches(member._replace(track=doubled), LONG)
    assert np.isfinite(found.velocity).all() and (np.diff(found.time) > 0.0).all()
    assert len(found.time) == pytest.approx(2.0 / 3.0 * 1476, abs=2)


def test_undefined_commands_count_as_lost(member):
    told = member.commands.velocity.copy()
    told[(member.commands.time > 10.0) & (member.commands.time < 14.0)] = np.inf
    commands = member.commands._replace(velocity=told)
    found = stretches(member._replace(commands=commands), LONG)
    assert spans(found) == [(0.5, 10.4), (14.5, 30.0)]


@pytest.mark.parametrize(
    'member',
    [
        Member('uav_1'),
        flight(np.zeros((30, 3)))._replace(commands=None),
        flight(np.zeros((30, 3)))._replace(track=None),
        flight(np.zeros((25, 3))),
    ],
    ids=['nothing', 'no commands', 'no track', 'too short'],
)
def test_where_there_is_too_little_there_is_none(member):
    assert stretches(member, SETTINGS) == []


def test_before_and_after_a_moment_there_is_every_sample_once(member):
    (whole,) = stretches(member, LONG)
    parts = part_of(whole, whole.time <= 20.0), part_of(whole, whole.time > 20.0)
    assert (np.concatenate([part.time for part in parts]) == whole.time).all()
    assert part_of(whole, whole.time <= 1.0) is None


def test_the_last_samples_of_all_are_held_out():
    members = [flight(steps(np.random.default_rng(k)), name=f'uav_{k}') for k in (1, 2)]
    data = gather(members, SETTINGS)
    fitted, held = (sum(len(one.time) for one in part) for part in (data.fitted, data.held_out))
    assert held / (fitted + held) == pytest.approx(SETTINGS.hold_out, abs=0.01)
    assert max(one.time[-1] for one in data.fitted) <= data.until
    assert min(one.time[0] for one in data.held_out) > data.until
    assert {one.agent for one in data.fitted} == {one.agent for one in data.held_out}


def test_of_too_much_the_liveliest_is_taken_in_order():
    told = np.concatenate([constant(1.0, 0.0, 0.0), steps(np.random.default_rng(1))] * 2)
    data = gather([flight(told)], FitSettings(most_updates=3000, hold_out=0.05))
    spans = [(one.time[0], one.time[-1]) for one in data.fitted]
    assert spans == sorted(spans)
    assert sum(one.length for one in data.fitted) <= 30.0
    assert all(60.0 < end < 121.0 or begin > 179.0 for begin, end in spans)


def test_one_stretch_is_always_taken():
    data = gather([flight(steps(np.random.default_rng(1)))], SETTINGS)
    assert len(most_excited(data.fitted, SETTINGS, 1)) == 1


def test_too_little_is_refused_with_what_to_do():
    with pytest.raises(RunError, match='uav_1: cmd_vel and odom were never both recorded'):
        gather([flight(constant(0.0, 0.0, 0.0, duration=1.0))], SETTINGS)
    with pytest.raises(RunError, match=r'the usable flight is 1\.\d s long: too short .* 20 s or'):
        gather([flight(constant(0.0, 0.0, 0.0, duration=2.1))], SETTINGS)


UPDATE = 0.01


def stretch(time, command_time, told):
    return Stretch('uav_1', time, np.zeros((len(time), 3)), command_time, told)


@given(st.lists(st.floats(1e-4, 0.3), min_size=2, max_size=40))
def test_samples_are_updates_and_updates_have_about_one_length(gaps):
    time = 5.0 + np.cumsum([0.0, *gaps])
    times = grid(time, UPDATE)
    assert np.isin(time, times).all()
    steps = np.diff(times)
    assert (steps > 0.0).all() and (steps < 1.51 * UPDATE).all()
    for begin, end in itertools.pairwise(time):
        inside = steps[(times[:-1] >= begin) & (times[:-1] < end)]
        assert inside.min() > min(0.66 * UPDATE, 0.99 * (end - begin))


@pytest.mark.parametrize('delay', [-0.1, 0.013])
def test_time_is_filled_and_each_sample_has_the_update_that_ends_at_it(delay):
    chance = np.random.default_rng(3)
    parts = [
        stretch(
            begin + np.cumsum(chance.uniform(0.005, 0.05, 60)),
            begin - 1.0 + 0.05 * np.arange(100),
            chance.standard_normal((100, 3)),
        )
        for begin in (1.0, 30.0)
    ]
    line = timeline(parts, [grid(part.time, UPDATE) for part in parts], delay)
    for s, part in enumerate(parts):
        own = slice(line.begin[s], line.begin[s + 1])
        ends = part.time[0] + np.cumsum(line.dt[own])
        assert ends[-1] == pytest.approx(part.time[-1])
        own_samples = line.sampled[59 * s : 59 * (s + 1)] - line.begin[s]
        assert ends[own_samples] == pytest.approx(part.time[1:])
        middle = ends - 0.5 * line.dt[own]
        lasting = line.dt[own] > 1e-9
        latest = np.searchsorted(part.command_time + delay, middle, 'right') - 1
        assert (line.wanted[own][lasting] == part.command[latest][lasting]).all()


def planted(delay, quad=QUAD):
    return np.array([quad.tau_xy, quad.max_acc_xy, quad.max_speed_xy, quad.tau_z, quad.max_acc_z,
                     quad.max_speed_z, delay, np.nan, np.nan])  # fmt: skip


def course_of(*members):
    return JoinedStretches(
        [one for m in members for one in stretches(m, SETTINGS)], QUAD.update_rate
    )


@pytest.mark.parametrize(('delay', 'rate'), [(0.0, 50.0), (0.12, 20.0), (0.2, 100.0)])
def test_without_noise_the_planted_values_predict_every_sample(delay, rate):
    told = steps(np.random.default_rng(1), duration=12.0)
    joined = course_of(flight(told, rate=rate, delay=delay))
    missed = np.abs(joined.predicted(planted(delay)) - joined.measured)
    assert missed.max() < 0.05
    assert np.percentile(missed, 95) < 1e-3


def test_start_velocities_are_found_in_noise_and_among_wild_samples():
    chance = np.random.default_rng(2)
    clean = flight(steps(chance, duration=15.0))
    member = noisy(clean, chance)
    velocity = member.track.velocity.copy()
    velocity[::15] += 30.0
    joined = course_of(member._replace(track=member.track._replace(velocity=velocity)))
    begin = joined.parts[0].time[0]
    true = clean.track.velocity[np.searchsorted(clean.track.time, begin)]
    joined.improve_starts(planted(0.0), np.full(3, 0.05))
    assert joined.starts[0] == pytest.approx(true, abs=0.06)


VALUES = np.array([0.8, 3.0, 8.0, 0.5, 4.0, 4.0, 0.0, np.nan, np.nan])


def test_what_was_asked_for_is_more_than_what_the_limits_let_through():
    told = np.zeros((400, 3))
    told[100:240] = 9.0, 0.0, -6.0
    seen = motion(course_of(flight(told)), VALUES)
    assert seen.command_speed == pytest.approx([9.0, 6.0])
    assert seen.command_change == pytest.approx([9.0, 6.0])
    assert seen.speed == pytest.approx([8.0, 4.0], abs=1e-6)
    assert seen.acceleration == pytest.approx([3.0, 4.0], abs=1e-6)
    assert seen.demanded == pytest.approx([9.0 / 0.8, 6.0 / 0.5], rel=1e-3)


@pytest.fixture(scope='module')
def found():
    chance = np.random.default_rng(1)
    members = [
        noisy(flight(steps(chance, duration=20.0), name=f'uav_{k}'), chance, size=0.05 * k)
        for k in (1, 2)
    ]
    return curves(course_of(*members), VALUES)


def test_what_is_left_of_each_agent_is_its_noise(found):
    for k, (name, one) in enumerate(by_agent(found).items(), 1):
        assert name == f'uav_{k}'
        for value in (one.xy, one.z, one.usual_xy, one.usual_z):
            assert value == pytest.approx(0.05 * k, rel=0.15)


def test_errors_are_told_apart_by_axis():
    still = np.zeros((9, 3))
    curve = Curve('uav_1', still[:, 0], still, np.add(still, (3.0, 4.0, 12.0)), still)
    assert errors((curve,))[:2] == pytest.approx((np.sqrt(12.5), 12.0))


@pytest.mark.parametrize('mobility', [QUAD, MobilityParameters(tau_xy=None, tau_z=None)])
@pytest.mark.parametrize('fly', [roll_out, compiled(roll_out)], ids=['plain', 'compiled'])
def test_every_stretch_flies_as_the_vehicle_does(mobility, fly):
    told = [steps(np.random.default_rng(seed), duration=6.0) for seed in (1, 2)]
    updates = [np.repeat(one, 5, axis=0) for one in told]
    begin = np.array([0, len(updates[0]), len(updates[0]) + len(updates[1])])
    wanted = np.concatenate(updates)
    flown = np.empty_like(wanted)
    dt = np.full(len(wanted), mobility.update_rate)
    fly(begin, np.zeros((2, 3)), wanted, dt, mobility.limits, flown)
    expected = [flight(one, mobility, rate=100.0).track.velocity[1:] for one in told]
    assert (flown == np.concatenate(expected)).all()


def test_a_stretch_begins_with_its_own_velocity():
    flown = np.empty((2, 3))
    start = np.array([[1.0, 2.0, 3.0], [-1.0, 0.0, 0.5]])
    roll_out(np.array([0, 1, 2]), start, start.copy(), np.full(2, 0.01), QUAD.limits, flown)
    assert (flown == start).all()


@pytest.mark.parametrize('later', [follow, compiled(follow)], ids=['plain', 'compiled'])
def test_second_order_follows_the_velocity_model_as_the_vehicle_does(later):
    able = SecondOrderParameters(tau_xy=0.5, acceleration_tau_xy=0.2, acceleration_tau_z=None)
    wanted = np.repeat(steps(np.random.default_rng(3), duration=6.0), 5, axis=0)
    begin, start = np.array([0, len(wanted)]), np.zeros((1, 3))
    dt = np.full(len(wanted), able.update_rate)
    reference, flown = np.empty_like(wanted), np.empty_like(wanted)
    roll_out(begin, start, wanted, dt, able.limits, reference)
    later(begin, start, reference, dt, able.acceleration_lags, flown)
    body, expected = Body(able, (0.0, 0.0, 0.0)), []
    for wish in wanted:
        body.command(tuple(wish), 0.0)
        body.step()
        expected.append(body.motion.velocity)
    assert (flown == np.array(expected)).all()


def test_noise_is_measured_during_a_manoeuvre():
    chance = np.random.default_rng(1)
    joined = course_of(noisy(flight(steps(chance)), chance))
    assert noise_of(joined) == pytest.approx(0.05, rel=0.1)


def test_the_deviation_is_that_of_the_noise_and_wild_values_have_no_say():
    missed = 0.2 * np.random.default_rng(1).standard_normal((4000, 3))
    missed[:, 2] *= 3.0
    missed[::20] = 1e6
    assert deviation(missed) == pytest.approx([0.2, 0.2, 0.6], rel=0.12)
    assert (deviation(np.zeros((5, 3))) == 1e-3).all()
