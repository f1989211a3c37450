"""What a reader is told about guesses and gaps."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import Agreement, default_settings
from soliton_encirclement_ros.analysis.findings.finding_warnings import finding_warnings
from soliton_encirclement_ros.analysis.findings.participants import participants_of
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
        (['states', 'track'], ['target'], 'no target: its states and odometry are missing, so'),
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
