"""Computed metrics against published ones."""

import numpy as np
import pytest
from soliton_encirclement_ros.analysis.findings import default_settings
from soliton_encirclement_ros.analysis.findings.agreement import agreement
from soliton_encirclement_ros.core.ring.metrics import METRIC_NAMES
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from support.recorded.recordings import recording_of

FLOWN = Scenario('short').with_changes({'run': {'sim_duration': 0.5, 'num_agents': 3}}, 'test')


def series(times, value=0.0):
    times = np.asarray(times, float)
    return {'time': times, **{name: np.full(len(times), value) for name in METRIC_NAMES}}


@pytest.fixture(scope='module')
def settings():
    return default_settings(recording_of(FLOWN))


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
