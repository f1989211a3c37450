"""Warnings about gains of the law: which gain, by how much, and what would be allowed."""

import re

import pytest

from soliton_encirclement_ros.core.parameters.control_parameters import (
    PREDICTIVE, SOLITON, ControlParameters
)
from soliton_encirclement_ros.core.parameters.swarm_parameters import CommandLimits
from soliton_encirclement_ros.core.scenario.plugin_sections import record_of
from soliton_encirclement_ros.core.stability.agent_loop import AgentLoop, mode_factors
from soliton_encirclement_ros.core.stability.gain_bound import bound_use, spacing_timing
from soliton_encirclement_ros.core.stability.law_stability import agent_warnings, law_warnings


def gains_of(**values: float) -> ControlParameters:
    """Return the gains of ``soliton``, some of them changed."""
    return ControlParameters(controller=SOLITON, **values)


def loop_of(gains: ControlParameters, **changes: object) -> AgentLoop:
    """Return an agent with a lag of 1 s that the law knows, and some gains."""
    return AgentLoop(gains.k_s, gains.k_v, 0.05, 5, 1.0, 1.0)._replace(**changes)


def lines(gains: ControlParameters, **changes: object) -> list[str]:
    """Return the warnings about one kind of vehicle."""
    return law_warnings(gains, {'': loop_of(gains, **changes)})


def allowed_in(line: str) -> float:
    """Return the largest gain [1/s] that a line allows."""
    return float(re.search(r' settle up to (\S+) 1/s', line)[1])


def test_the_defaults_are_fine() -> None:
    """They use half of the bound."""
    assert lines(gains_of()) == []


@pytest.mark.parametrize(('name', 'gain'), [('k_s', 30.0), ('k_r', 13.0)])
def test_a_large_gain_is_named_with_the_largest_allowed(name: str, gain: float) -> None:
    """What the line allows is within the bound."""
    gains = gains_of(**{name: gain})
    (line,) = lines(gains)
    assert line == (
        f'control.{name} = {gain:g} 1/s may oscillate: with k_v = 4 1/s and a control period of '
        '0.05 s it is sure to settle up to 12 1/s (docs/research/law.md)'
    )
    allowed = allowed_in(line)
    assert lines(gains_of(**{name: allowed})) == []


def test_latencies_are_told() -> None:
    """Commands and measurements are late by the sum of both."""
    gains = gains_of(k_v=2.0)
    (spacing,) = lines(gains, command_latency=10, odom_latency=13)
    assert 'a control period of 0.05 s and 0.23 s of latency it is sure' in spacing
    allowed = allowed_in(spacing)
    timing = spacing_timing(loop_of(gains, command_latency=10, odom_latency=13))
    assert 0.99 < bound_use(allowed, 2.0, timing) <= 1.0


def test_where_k_v_alone_is_too_large_it_is_the_remedy() -> None:
    """No k_s would do."""
    spacing, radial = lines(gains_of(), command_latency=20)
    assert ': k_v = 4 1/s is too high for any k_s with a control period of 0.05 s and ' in spacing
    assert ' k_r with ' in radial and '; it must be below 3.33 1/s' in radial


@pytest.mark.parametrize(('updates', 'verdict'), [
    (10, '; by the linear model it settles all the same (docs/research/law.md)'),
    (30, '; by the linear model errors grow 1.0'),
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
    assert line.endswith('(docs/research/law.md)')


def predictive(**values: float) -> ControlParameters:
    """Return a control section of ``predictive``, some gains changed."""
    return record_of('control', PREDICTIVE)(controller=PREDICTIVE, **values)


def test_the_gains_of_the_predictive_law_have_their_own_names() -> None:
    """The line names them, and the time of the prediction."""
    control = predictive(k_s=30.0, k_v=2.0)
    (line,) = agent_warnings(control, CommandLimits(response_delay=0.1), 0.05)
    assert line.startswith('control.k_s = 30 1/s may oscillate: with k_v = 2 1/s, ')
    assert ' s of latency' in line and '0.1 s of prediction' in line
    allowed = allowed_in(line)
    kept = predictive(k_s=allowed, k_v=2.0)
    assert agent_warnings(kept, CommandLimits(response_delay=0.1), 0.05) == []
