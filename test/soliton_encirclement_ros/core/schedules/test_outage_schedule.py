"""Scheduled outages: who is down when."""

import math

import pytest
from soliton_encirclement_ros.core.errors import ScenarioError
from soliton_encirclement_ros.core.schedules.outage_schedule import check_schedule, outages

TEXT = '40..48: 3; 0..30: 7 8; 60..: 3'
AGENTS = [f'uav_{k}' for k in range(1, 9)]


@pytest.mark.parametrize(
    ('agent_id', 'spans'),
    [(3, [(40.0, 48.0), (60.0, math.inf)]), (7, [(0.0, 30.0)]), (8, [(0.0, 30.0)]), (1, [])],
)
def test_every_agent_finds_its_own(agent_id: int, spans: list[tuple[float, float]]) -> None:
    assert [window[:2] for window in outages(TEXT, agent_id)] == spans


def test_all_agents_there_are_may_be_named() -> None:
    check_schedule(TEXT, AGENTS)
    check_schedule('', AGENTS)


@pytest.mark.parametrize('word', ['9', '0', 'target', 'adversary', 'uav_3', 'x', '|'])
def test_others_are_refused(word: str) -> None:
    with pytest.raises(ScenarioError, match=r'^failure\.failure_schedule: .*names no member'):
        check_schedule(f'1..2: 1 {word}', AGENTS)


def test_what_is_no_schedule_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"^failure\.failure_schedule: '3' must be BEGIN"):
        outages('3', 1)
