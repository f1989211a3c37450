"""Warnings about gains of the law: which gain, by how much, and what would be allowed."""

import re

import pytest
from soliton_encirclement_ros.core.parameters.control_parameters import (
    PREDICTIVE,
    SOLITON,
    ControlParameters,
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.control_section import control_record
from soliton_encirclement_ros.core.stability.agent_loop import AgentLoop
from soliton_encirclement_ros.core.stability.gain_bound import bound_use, spacing_timing
from soliton_encirclement_ros.core.stability.law_stability import (
    agent_warnings,
    law_warnings,
)
from soliton_encirclement_ros.core.stability.loop_gains import LoopGains, loop_gains
from soliton_encirclement_ros.core.stability.ring_factors import mode_factors


def gains_of(**values: float) -> LoopGains:
    """Return the gains of ``soliton``, some of them changed."""
    gains = loop_gains(ControlParameters(controller=SOLITON, **values))
    assert gains is not None
    return gains


def loop_of(gains: LoopGains, **changes: object) -> AgentLoop:
    """Return an agent with a lag of 1 s that the law knows, and some gains."""
    return AgentLoop(gains.spacing, gains.velocity, 0.05, 5, 1.0, 1.0)._replace(**changes)


def lines(gains: LoopGains, **changes: object) -> list[str]:
    """Return the warnings about one kind of vehicle."""
    return law_warnings(gains, {'': loop_of(gains, **changes)})


def test_the_defaults_are_fine() -> None:
    """They use half of the bound."""
    assert lines(gains_of()) == []


@pytest.mark.parametrize(('name', 'gain'), [('k_s', 30.0), ('k_r', 13.0)])
def test_a_large_gain_is_named_with_the_largest_allowed(name: str, gain: float) -> None:
    """What the line allows is within the bound."""
    gains = gains_of(**{name: gain})
    (line,) = lines(gains)
    assert line.startswith(f'control.{name} = {gain:g} 1/s with k_v = 4 1/s may oscillate: ')
    assert f'(1 {name} + 2 k_v) 0.05 s = ' in line and 'should be at most 1' in line
    allowed = float(re.search(rf'; {name} may be at most (\S+) 1/s', line)[1])
    assert allowed == 12.0
    assert lines(gains_of(**{name: allowed})) == []


def test_latencies_are_told() -> None:
    """Commands and measurements are late by the sum of both."""
    gains = gains_of(k_v=2.0)
    (spacing,) = lines(gains, command_latency=10, odom_latency=13)
    assert '+ (1.5 k_s + k_v) 0.23 s of latency = 1.252 should' in spacing
    allowed = float(re.search(r'k_s may be at most (\S+) 1/s', spacing)[1])
    timing = spacing_timing(loop_of(gains, command_latency=10, odom_latency=13))
    assert 0.99 < bound_use(allowed, 2.0, timing) <= 1.0


def test_where_k_v_alone_is_too_large_it_is_the_remedy() -> None:
    """No k_s would do."""
    spacing, radial = lines(gains_of(), command_latency=20)
    assert 'no k_s is small enough, k_v must be below 3.33 1/s' in spacing
    assert 'no k_r is small enough, k_v must be below 3.33 1/s' in radial


@pytest.mark.parametrize(('updates', 'verdict'), [
    (10, '; the linear model settles all the same'),
    (30, '; in the linear model disturbances grow 1.0'),
])  # fmt: skip
def test_the_linear_model_says_whether_it_settles(updates: int, verdict: str) -> None:
    """The bound is sufficient only; where the ring is known, its modes tell more."""
    gains = gains_of()
    late = loop_of(gains, command_latency=updates)
    line, *_ = law_warnings(gains, {'': late}, mode_factors(10, 4))
    assert verdict in line


@pytest.mark.parametrize('changes', [{'delay': 100_000}, {'odom_latency': 10_000_000}])
def test_a_very_long_delay_is_warned_of_at_once(changes: dict) -> None:
    """The linear model, whose size grows with the delay, is left out."""
    line, *_ = law_warnings(gains_of(), {'': loop_of(gains_of(), **changes)}, mode_factors(10, 4))
    assert line.endswith('(docs/law.md)')


def predictive(**values: float) -> ControlParameters:
    """Return a control section of ``predictive``, some gains changed."""
    return control_record(PREDICTIVE)(controller=PREDICTIVE, **values)


def test_the_gains_of_the_predictive_law_have_their_own_names() -> None:
    """The line names them, and the time of the prediction."""
    control = predictive(k_spacing=30.0, k_velocity=2.0)
    (line,) = agent_warnings(control, CommandLimits(response_delay=0.1), 0.05)
    assert line.startswith('control.k_spacing = 30 1/s with k_velocity = 2 1/s may oscillate: ')
    assert '(1 k_spacing + 2 k_velocity) 0.05 s + ' in line
    assert ' + k_spacing 0.1 s of prediction' in line
    allowed = float(re.search(r'; k_spacing may be at most (\S+) 1/s', line)[1])
    kept = predictive(k_spacing=allowed, k_velocity=2.0)
    assert agent_warnings(kept, CommandLimits(response_delay=0.1), 0.05) == []
