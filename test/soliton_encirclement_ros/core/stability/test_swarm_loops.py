"""The loops of a swarm: what they take from vehicles, radio and gains, and a scenario's check."""

from pathlib import Path
from typing import Any

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import SOLITON, ControlParameters
from soliton_encirclement_ros.core.scenario.scenario import Scenario
from soliton_encirclement_ros.core.stability.agent_loop import (
    AgentLoop, OwnPrediction, lag_over_period, mode_factors
)
from soliton_encirclement_ros.core.stability.gain_bound import assumed_lag, unpredicted
from soliton_encirclement_ros.core.stability.law_stability import agent_loops, swarm_factors
from velocity_mobility_ros.core.velocity_model import MobilityParameters
from velocity_mobility_ros.vehicles.quadrotor.quadrotor_parameters import QuadrotorParameters
from velocity_mobility_ros.vehicles.second_order import SecondOrderParameters

LATE = 'may oscillate'


def gains_of(**values: Any) -> ControlParameters:
    """Return the gains of ``soliton``, some of them changed."""
    return ControlParameters(controller=SOLITON, **values)


def one_loop(vehicle: MobilityParameters, delay: float = 0.0, **gains: Any) -> AgentLoop:
    """Return the loop of an agent at a period of 0.05 s."""
    return agent_loops(gains_of(**gains), {'uav_1': vehicle}, 0.05, 5, delay)['']


def gain_warnings(scenario: Scenario) -> list[str]:
    """Return the warnings about gains."""
    return [line for line in scenario.warnings if LATE in line]


def test_the_default_loop_is_perfect() -> None:
    """No latency, the lag that the law knows, messages one tick old, no filter."""
    assert one_loop(MobilityParameters()) == AgentLoop(1.5, 4.0, 0.05, 5, 1.0, 1.0)


def test_latencies_are_those_of_the_vehicle_in_updates() -> None:
    """A measurement gets older until the next one, by half their period."""
    vehicle = MobilityParameters(command_latency=0.12, odom_latency=0.03, odom_period=0.2)
    loop = one_loop(vehicle)
    assert (loop.command_latency, loop.odom_latency) == (12, 13)


@pytest.mark.parametrize(('delay', 'ticks'), [(0.0, 1), (0.05, 1), (0.051, 2), (0.55, 11)])
def test_the_delay_of_the_radio_is_in_ticks(delay: float, ticks: int) -> None:
    """A message is at least one tick old."""
    assert one_loop(MobilityParameters(), delay).delay == ticks


def test_inversion_and_filter_are_those_of_the_law() -> None:
    """A command for a whole period makes up for more than the lag."""
    loop = one_loop(MobilityParameters(tau_xy=0.1), lag_inversion='sampled', acc_filter_share=0.5)
    assert loop.assumed_lag == pytest.approx(0.05 / (1.0 - 2.718281828459045**-0.5))
    assert loop.follows == pytest.approx(1.0 - 2.718281828459045**-1.0)


def test_a_lag_of_the_acceleration_counts_as_latency() -> None:
    """0.6 of it, beside a lag of both together."""
    loop = one_loop(SecondOrderParameters(tau_xy=0.5, acceleration_tau_xy=0.2))
    assert (loop.tau, loop.command_latency) == (0.7, 12)


def test_what_the_law_knows_of_latencies_is_predicted() -> None:
    """The age of a measurement and the delay of the vehicle; a lag that it assumes wrong."""
    vehicle = MobilityParameters(
        tau_xy=0.5, command_latency=0.12, odom_latency=0.03, odom_period=0.2
    )
    gains = gains_of(own_prediction=True)
    right = agent_loops(gains, {'uav_1': vehicle}, 0.05, 5, 0.0)['']
    assert right.prediction == OwnPrediction(0.25, assumed_lag(True, 0.5, 0.05), 0.05)
    assert unpredicted(right, lag_over_period(0.05, 5, 0.5)[0]) == pytest.approx(0.0, abs=0.01)
    wrong = agent_loops(gains, {'uav_1': vehicle}, 0.05, 5, 0.0, 2.0)['']
    assert (wrong.tau, wrong.assumed_lag) == (0.5, 1.0)
    assert wrong.prediction == OwnPrediction(0.25, assumed_lag(True, 1.0, 0.05), 0.05)


def test_the_own_delay_of_a_quadrotor_is_known() -> None:
    """Its law predicts over it, and it is there: no error is counted."""
    quadrotor = QuadrotorParameters(command_latency=0.1)
    loop = agent_loops(gains_of(own_prediction=True), {'uav_1': quadrotor}, 0.05, 5, 0.0)['']
    known = 0.1 + quadrotor.response_delay
    assert loop.prediction is not None and loop.prediction.time == pytest.approx(known)
    assert loop.command_latency * loop.update == pytest.approx(known, abs=0.5 * loop.update)


def test_agents_are_sorted_by_kind_of_vehicle() -> None:
    """Equal ones share a line, which names five of them."""
    usual, slow = MobilityParameters(), MobilityParameters(tau_xy=2.0)
    vehicles = {'uav_1': usual, 'uav_2': slow, 'uav_3': usual}
    loops = agent_loops(gains_of(), vehicles, 0.05, 5, 0.0)
    lags = {names: loop.tau for names, loop in loops.items()}
    assert lags == {'uav_1, uav_3': 1.0, 'uav_2': 2.0}
    many = {f'uav_{k}': slow for k in range(1, 9)} | {'uav_9': usual}
    names = [*agent_loops(gains_of(), many, 0.05, 5, 0.0)]
    assert names == ['uav_1, uav_2, uav_3, uav_4, uav_5 and 3 more', 'uav_9']


def test_factors_are_those_of_the_protected_arc() -> None:
    """An even ring without; a single agent and a very large ring have none."""
    assert swarm_factors(7, 2, 360.0) == mode_factors(7, 2)
    slowest = min(1.0 - complex(m).real for m in swarm_factors(10, 4, 90.0)[1:])
    assert slowest == pytest.approx(0.1113, abs=1e-3)
    assert swarm_factors(1, 4, 360.0) == swarm_factors(101, 4, 360.0) == []


@pytest.mark.parametrize(('changes', 'words'), [
    ({'mobility': {'command_latency': 0.2}}, '0.2 s of latency'),
    ({'radio': {'communication_delay': 0.5}}, 's and messages that are 10 periods old it is'),
    ({'control': {'acc_filter_share': 0.5}}, '0.25 s of latency'),
])  # fmt: skip
def test_a_scenario_tells_what_breaks_the_bound(changes: dict, words: str) -> None:
    """Latency, delay, gains and filter, each alone."""
    soliton = {**changes, 'control': {'controller': SOLITON, **changes.get('control', {})}}
    first, *_ = gain_warnings(Scenario().with_changes(soliton, 'changed'))
    assert words in first


def late_with(law: str, **changes: Any) -> list[str]:
    """Return the warnings about a law whose commands are 0.15 s late."""
    late = {'mobility': {'command_latency': 0.15, 'tau_xy': 0.5}, 'control': {'controller': law}}
    return gain_warnings(Scenario().with_changes({**late, **changes}, 'late'))


def test_the_predictive_law_bears_what_it_knows() -> None:
    """Late commands do not matter to it, a lag that it takes for three times as long does."""
    assert late_with('soliton') != []
    assert late_with('predictive') == []
    assert late_with('predictive', vehicles={'assumed_lag_factor': 3.0}) != []


def test_the_vehicle_file_of_a_member_is_checked(tmp_path: Path) -> None:
    """One late vehicle among good ones is named."""
    file = tmp_path / 'late.yaml'
    file.write_text('mobility: {command_latency: 0.4}\n')
    chosen = {'vehicles': {'agent_vehicles': f'{file}: 3'}, 'run': {'num_agents': 5},
              'control': {'controller': SOLITON}}  # fmt: skip
    found = gain_warnings(Scenario().with_changes(chosen, 'mixed'))
    assert found and all('may oscillate (uav_3)' in line for line in found)


@pytest.mark.parametrize('tau', [1e-12, 0.001])
def test_a_lag_far_below_an_update_is_no_error(tau: float) -> None:
    """Such a vehicle follows at once."""
    assert gain_warnings(Scenario().with_changes({'mobility': {'tau_xy': tau}}, 'quick')) == []
