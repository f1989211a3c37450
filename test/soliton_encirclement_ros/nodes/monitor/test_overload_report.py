"""The monitor tells that the swarm does not keep its control period."""

import pytest
from diagnostic_msgs.msg import DiagnosticArray, DiagnosticStatus, KeyValue
from soliton_encirclement_ros.core.states.fleet_names import Fleet
from soliton_encirclement_ros.nodes.monitor.overload_report import OverloadReport
from velocity_mobility_ros.ros_io.conditions import Level

pytestmark = pytest.mark.ros


def status(member: str, missed: str) -> DiagnosticArray:
    """Return the diagnostics of a member."""
    values = [KeyValue(key='ticks', value='9'), KeyValue(key='missed_ticks', value=missed)]
    one = DiagnosticStatus(name=f'{member}/agent: control', hardware_id=member, values=values)
    return DiagnosticArray(status=[one])


@pytest.fixture
def report():
    """Return a report of the fleet alpha."""
    return OverloadReport(Fleet('/alpha'))


def test_members_in_time_are_no_fault(report):
    for k in range(1, 4):
        report.take(status(f'alpha/uav_{k}', '0.05'))
    assert report.conditions() == []


def test_members_that_miss_ticks_are_named_with_the_figure(report):
    report.take(status('alpha/uav_1', '0.420'))
    report.take(status('alpha/uav_2', '0.120'))
    report.take(status('alpha/target', '0.000'))
    (condition,) = report.conditions()
    assert condition.level is Level.WARN
    assert condition.reason.startswith(
        'alpha/uav_1, alpha/uav_2 miss up to 42 % of their control ticks: '
    )
    report.take(status('alpha/uav_1', '0.000'))
    report.take(status('alpha/uav_2', '0.000'))
    assert report.conditions() == []


@pytest.mark.parametrize('missed', ['nan', 'much', '-1', '7'])
def test_other_fleets_and_odd_values_do_not_count(report, missed):
    report.take(status('beta/uav_1', '0.5'))
    report.take(status('alpha/uav_1', missed))
    assert report.conditions() == []
