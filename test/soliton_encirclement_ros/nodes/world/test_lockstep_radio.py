"""A lockstep run with everything the radio can do, against the plain loop."""

import math
from typing import Any

import pytest
from sensor_msgs.msg import JointState
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.scenario.swarm_plan import PlanOptions
from support.recorded.run_folder import read_table
from support.ros.graph import Heard
from support.ros.swarm import Swarm, fly_without_ros, scenario
from velocity_mobility_ros.ros_io.messages import time_to_ns
from velocity_mobility_ros.ros_io.qos import LOCKSTEP

pytestmark = pytest.mark.ros

ROUGH: dict[str, dict[str, Any]] = {
    'run': {'num_agents': 6, 'seed': 21},
    'failure': {'failure_schedule': '0..0.5: 6; 1.5..2.1: 2 3'},
    'radio': {
        'communication_transmission_range': 34.0,
        'communication_delay': 0.1,
        'communication_jitter': 0.12,
        'communication_failure_rate': 0.2,
        'partitions': '1..1.6: 1 2 target | 3 4',
        'byzantine': '0.5..1: 1 frozen; 1..2: 2 offset 5 -3; 0.4..: 4 random 8; 2..2.5: 5 nan',
    },
}


def rough(**radio: Any) -> Scenario:
    """Return the lively scenario with a rough radio."""
    return scenario(**{**ROUGH, 'radio': {**ROUGH['radio'], **radio}})


def flown(ros: Any, flight: Scenario, folder: Any) -> tuple[Swarm, Heard]:
    """Fly in lockstep over DDS; return the swarm and what reached agent 1."""
    swarm = Swarm(ros, flight, PlanOptions(True, str(folder), record=False))
    heard = ros.listen(JointState, '/uav_1/received_states', LOCKSTEP)
    swarm.fly()
    return swarm, heard


@pytest.fixture
def tables(tmp_path):
    """Return a reader of both tables of a flight in ``tmp_path``."""
    names = ('agent_telemetry.csv', 'target_telemetry.csv')
    return lambda: tuple(read_table(tmp_path / name)[1] for name in names)


def test_a_rough_radio_gives_the_rows_of_the_plain_loop(ros, tmp_path, tables):
    flight = rough()
    swarm, _ = flown(ros, flight, tmp_path)
    pure = fly_without_ros(flight)
    assert tables() == (pure.agents, pure.target)
    refused = [swarm[f'uav_{k}'].health.refused['received_states'] for k in (1, 2, 3, 4, 6)]
    assert max(refused) > 0
    assert swarm['monitor_node'].health.refused.total() == 0
    assert swarm['world'].drive.missed_answers == 0
    assert pure.agents != fly_without_ros(scenario(run=ROUGH['run'])).agents


def test_what_is_heard_carries_its_age(ros, tmp_path):
    _, heard = flown(ros, rough(byzantine=''), tmp_path)
    ages = {
        value
        for message in heard
        for name, value in zip(message.name, message.position, strict=True)
        if name.endswith('/age') and '/silent/' not in name
    }
    assert {round(age / 0.05, 9) for age in ages} == {3.0, 4.0, 5.0}


def test_a_liar_lies_to_the_listeners_and_not_to_the_record(ros, tmp_path):
    flight = scenario(
        run={'sim_duration': 1.5},
        failure={'failure_enable': False},
        radio={'byzantine': '0.5..1: 3 nan'},
    )
    said = ros.listen(JointState, '/swarm/agent_states', LOCKSTEP)
    _, heard = flown(ros, flight, tmp_path)
    lies = [message for message in heard if is_nan(message, 'uav_3/x')]
    assert [time_to_ns(m.header.stamp) for m in lies] == [k * 50_000_000 for k in range(11, 21)]
    assert not any(is_nan(message, 'uav_3/x') for message in said)


def is_nan(message: JointState, name: str) -> bool:
    """Say whether a coordinate of a message is no number."""
    values = dict(zip(message.name, message.position, strict=True))
    return math.isnan(values.get(name, 0.0))
