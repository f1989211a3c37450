"""A part of a recording: between two times, or the flight without take-off and landing."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import find
from soliton_encirclement_ros.analysis.flight_window import (
    FlightWindow, between, flights, longest_flight
)
from soliton_encirclement_ros.analysis.recording import PARTS, BridgeChange, StopChange
from soliton_encirclement_ros.analysis.resampling import silences
from soliton_encirclement_ros.core.errors import RunError
from support.recorded.recordings import body, recording_of, recording_with
from support.ros.swarm import scenario


@pytest.fixture(scope='module')
def whole():
    """Return four agents for ten seconds, as if the true motion of one were recorded."""
    flown = recording_of(scenario(run={'sim_duration': 10.0}))
    one = flown.members['uav_1']
    members = {**flown.members, 'uav_1': one._replace(truth=one.track)}
    return flown._replace(members=members)


def test_every_column_has_the_samples_in_between_and_no_other(whole):
    part = between(whole, 2.0, 5.0)
    assert list(part.members) == list(whole.members)
    for name, member in part.members.items():
        for kind in PARTS:
            before, after = getattr(whole.members[name], kind), getattr(member, kind)
            if before is None:
                assert after is None
                continue
            rows = (before.time >= 2.0) & (before.time <= 5.0)
            assert 0 < rows.sum() < len(rows)
            for column, cut in zip(before, after, strict=True):
                pairs = zip(column.values(), cut.values(), strict=True) if isinstance(
                    column, dict) else [(column, cut)]  # fmt: skip
                for one, other in pairs:
                    assert np.array_equal(one[rows], other, equal_nan=True)
    assert part.metrics['time'][[0, -1]].tolist() == [2.0, 5.0]
    assert (part.duration, part.topics) == (5.0, whole.topics)
    assert part.problems == ('only 2 to 5 s of 10 s were analysed',)


def test_a_pause_outside_is_no_problem_of_the_part():
    time = np.concatenate([np.arange(0.0, 20.0, 0.1), np.arange(60.0, 80.0, 0.1)])
    whole = recording_with(body('one', time, (0.0,) * 3))
    whole = whole._replace(problems=(*silences(whole.members.values()), 'else'))
    assert len(whole.problems) == 2
    part = between(whole, 65.0, 75.0)
    assert (part.begin, part.duration) == (65.0, 75.0)
    assert part.problems == ('else', 'only 65 to 75 s of 79.9 s were analysed')
    assert between(whole, 10.0, 75.0).problems[-2].startswith('nothing was recorded for 40.1 s')


def test_figures_are_those_of_the_part(whole):
    all_of_it, part = find(whole), find(between(whole, 4.0, 8.0))
    times = np.array(part.series['time'])
    assert (times[0], times[-1]) == (4.0, 8.0)
    later = np.array(all_of_it.series['time'])
    rows = (later >= 4.0) & (later <= 8.0)
    assert np.allclose(part.series['E_gap'], np.array(all_of_it.series['E_gap'])[rows])


def test_nothing_in_between_is_refused(whole):
    with pytest.raises(RunError, match=r'^no data between 50 and 60 s; the rec'):
        between(whole, 50.0, 60.0)


THREE = ('uav_1', 'uav_2', 'uav_3')


def changes(*rows):
    """Return changes of bridges, from rows of time [s], state and names."""
    return [BridgeChange(time, name, state, 'why')
            for time, state, *names in rows for name in names]  # fmt: skip


def stops(*rows):
    """Return orders of the emergency stop, from rows of time [s], whether to stop, and scope."""
    return [StopChange(time, scope, stop, 'swarm fly') for time, stop, scope in rows]


def recorded(bridges, orders=(), duration=100.0, names=THREE):
    """Return a recording of vehicles that stand still for some time [s]."""
    time = np.arange(0.0, duration + 0.5, 0.5)
    members = [body(name, time, (3.0 * k, 0.0, 10.0)) for k, name in enumerate(names)]
    return recording_with(
        *members, body('target', time, (0.0, 0.0, 0.0)), bridges=tuple(bridges),
        stops=tuple(orders),
    )  # fmt: skip


def test_it_lasts_from_the_release_to_the_order_that_ends_it():
    bridges = changes(
        (1.0, 'READY', *THREE), (10.0, 'TAKE_OFF', *THREE), (20.0, 'HOLD', *THREE),
        (30.0, 'TRACK', 'uav_1'), (31.0, 'TRACK', 'uav_2', 'uav_3'),
        (80.0, 'LANDING', 'uav_1'), (81.0, 'LANDING', 'uav_2'), (82.0, 'LANDING', 'uav_3'),
    )  # fmt: skip
    orders = stops((9.0, True, ''), (32.5, False, ''))
    assert flights(recorded(bridges, orders)) == [FlightWindow(32.5, 81.0, [*THREE])]
    part = longest_flight(recorded(bridges, orders))
    assert part.judged == (
        '32.5 s to 81.0 s, while uav_1, uav_2, uav_3 tracked; the rest is take-off and landing '
        '(--between for another part)'
    )
    assert part.problems == () and find(part).recording is part
    assert part.members['target'].track.time[[0, -1]].tolist() == [32.5, 81.0]


@pytest.mark.parametrize(
    ('scopes', 'end'), [([''], 70.0), (['uav_1'], 100.0), (['uav_1', 'uav_2'], 70.0)]
)
def test_a_stop_of_all_ends_it_too_and_that_of_one_does_not(scopes, end):
    orders = stops((29.0, False, ''), *((70.0, True, scope) for scope in scopes))
    found = flights(recorded(changes((30.0, 'TRACK', 'uav_1', 'uav_2')), orders))
    assert found == [FlightWindow(30.0, end, ['uav_1', 'uav_2'])]


@pytest.mark.parametrize(('state', 'back'), [('LINK_LOST', 70.0), ('FAULT', None)])
def test_who_drops_out_or_comes_back_does_not_end_it(state, back):
    rows = [(30.0, 'TRACK', *THREE), (50.0, state, 'uav_2'), (90.0, 'HOLD', *THREE)]
    rows += [(back, 'TRACK', 'uav_2')] if back else []
    found = flights(recorded(sorted(changes(*rows))))
    assert found == [FlightWindow(30.0, 90.0, [*THREE])]


def test_all_that_brake_for_a_moment_fly_on():
    bridges = changes(
        (30.0, 'TRACK', *THREE), (40.0, 'BRAKE', *THREE), (44.0, 'TRACK', *THREE),
        (90.0, 'HOLD', *THREE),
    )  # fmt: skip
    assert flights(recorded(bridges)) == [FlightWindow(30.0, 90.0, [*THREE])]


def test_of_several_the_longest_is_judged_and_the_others_are_named():
    bridges = changes(
        (2.0, 'TRACK', 'uav_1'), (12.25, 'HOLD', 'uav_1'),
        (30.0, 'TRACK', *THREE), (60.0, 'HOLD', *THREE), (70.0, 'TRACK', *THREE[:2]),
    )  # fmt: skip
    assert flights(recorded(bridges)) == [
        FlightWindow(2.0, 12.25, ['uav_1']), FlightWindow(30.0, 60.0, [*THREE]),
        FlightWindow(70.0, 100.0, [*THREE[:2]]),
    ]  # fmt: skip
    assert longest_flight(recorded(bridges)).judged == (
        '30.0 s to 60.0 s, while uav_1, uav_2, uav_3 tracked; shorter flights: --between '
        '2.0..12.2, 70.0..100.0'
    )


def test_names_come_in_order_of_their_numbers():
    names = ('uav_10', 'uav_2')
    (found,) = flights(recorded(changes((1.0, 'TRACK', *names)), names=names))
    assert found.names == ['uav_2', 'uav_10']


def test_without_bridges_or_flights_it_stays_whole():
    plain = recorded([], stops((1.0, True, ''), (9.0, False, '')))
    assert longest_flight(plain) is plain
    ground = recorded(changes((1.0, 'READY', *THREE), (10.0, 'TAKE_OFF', *THREE)))
    assert longest_flight(ground) == ground._replace(
        judged='all of it: no vehicle tracked its agent'
    )
