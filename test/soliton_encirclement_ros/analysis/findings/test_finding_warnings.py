"""What a reader is told about guesses and gaps; computed metrics against published ones."""

import numpy as np
import pytest

from soliton_encirclement_ros.analysis.findings import default_settings
from soliton_encirclement_ros.analysis.findings.finding import finding_warnings
from soliton_encirclement_ros.analysis.findings.finding_records import Agreement
from soliton_encirclement_ros.analysis.findings.message_replay import agreement
from soliton_encirclement_ros.analysis.findings.participants import participants_of
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import body, recording_of, recording_with, without

FLOWN = Scenario('short').with_changes({'run': {'sim_duration': 1.0, 'num_agents': 2}}, 'test')


@pytest.fixture(scope='module')
def recording():
    return recording_of(FLOWN)


def told(recording, live=None, **settings):
    found = default_settings(recording)._replace(**settings)
    return [*finding_warnings(participants_of(recording, found.target), found, live)]


def test_a_whole_recording_leaves_no_doubt(recording):
    assert told(recording, Agreement(10, {'E_r': 1e-13})) == []


@pytest.mark.parametrize(
    ('lacking', 'of', 'line'),
    [
        (['telemetry'], [], 'no telemetry of any agent: failures, time down and'),
        (['commands'], ['uav_2'], 'no commands of uav_2: tracking error, saturation and effort'),
        (['states'], ['target'], 'no target states: the odometry of target is used instead'),
        (['states'], ['uav_1'], 'no state was received from: uav_1'),
        (['states'], ['uav_1', 'uav_2'], 'no agent states: odometry is used instead'),
        (['states', 'track'], ['target'], 'no target: no member called target has a place in'),
        (['scenario'], [], 'radius unknown: estimated as '),
        (['scenario'], [], 'no scenario: speed limits and'),
    ],
)
def test_what_is_missing_is_said_with_its_cost(recording, lacking, of, line):
    lines = told(without(recording, *lacking, of=of))
    assert [one for one in lines if one.startswith(line)], lines


def test_agents_at_the_target_are_said_to_tell_no_radius():
    time = np.arange(0.0, 5.0, 0.1)
    lines = told(recording_with(*(body(name, time, (1.0, 2.0, 0.0)) for name in ('a', 'target'))))
    assert (
        'radius unknown: the agents are at the target (median distance 0.000 m in the second '
        'half), so it cannot be estimated and E_r is unknown; set it with --radius'
    ) in lines
    assert not [line for line in lines if 'same time' in line]


def test_other_metrics_than_those_in_flight_are_said(recording):
    (line,) = told(recording, Agreement(10, {'E_r': 1e-3, 'rho': 0.25}))
    assert line.startswith('metrics differ from those published in flight, most rho by 0.25')


def test_many_names_are_cut_short():
    flown = Scenario('many').with_changes({'run': {'sim_duration': 0.2, 'num_agents': 12}}, 'test')
    silent = [f'uav_{k}' for k in range(1, 12)]
    lines = told(without(recording_of(flown), 'states', of=silent))
    first = ', '.join(silent[:8])
    assert f'no state was received from: {first} and 3 more' in lines


BRIEF = Scenario('short').with_changes({'run': {'sim_duration': 0.5, 'num_agents': 3}}, 'test')


def series(times, value=0.0):
    times = np.asarray(times, float)
    return {'time': times, **{name: np.full(len(times), value) for name in METRIC_NAMES}}


@pytest.fixture(scope='module')
def settings():
    return default_settings(recording_of(BRIEF))


def test_only_common_times_are_compared(settings):
    found = agreement(series([0.1, 0.2, 0.3], 1.0), settings, series([0.2, 0.25, 0.3, 9.0], 3.0))
    assert found.samples == 2 and set(found.largest.values()) == {2.0}


def test_a_nanosecond_is_no_difference(settings):
    assert agreement(series([0.1]), settings, series([0.1 + 1e-9])).samples == 1


def test_samples_without_an_agent_have_nothing_to_compare(settings):
    """Neither the recorder's nor the monitor's."""
    ours, live = series([0.1, 0.2, 0.3], 1.0), series([0.1, 0.2, 0.3], 3.0)
    for name in METRIC_NAMES:
        ours[name][0] = live[name][1] = np.nan
    found = agreement(ours, settings, live)
    assert found.samples == 1 and set(found.largest.values()) == {2.0}
    assert agreement(ours, settings, series([0.1, 0.2, 0.3], np.nan)) is None


@pytest.mark.parametrize('live', [None, series([]), series([7.0])])
def test_nothing_in_common_is_none(settings, live):
    assert agreement(series([0.1]), settings, live) is None
    assert agreement(series([]), settings, series([0.1])) is None


def test_another_target_cannot_be_compared_and_another_radius_not_by_e_r(settings):
    both = series([0.1])
    assert agreement(both, settings._replace(target='uav_1'), both) is None
    other = agreement(both, settings._replace(radius_from='given'), both)
    assert [*other.largest] == [name for name in METRIC_NAMES if name != 'E_r']
