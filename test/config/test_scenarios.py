"""Every scenario that comes along flies under every law, with commands that can be flown."""

import math
from pathlib import Path

import pytest

from soliton_encirclement_ros.controllers import CONTROLLERS
from soliton_encirclement_ros.core.scenario.scenario import Scenario, load_scenario
from soliton_encirclement_ros.core.schedules import parse_windows
from soliton_encirclement_ros.members.own_agent import Agent
from support.plain_loop import SwarmLoop
from support.soon import ten_times_as_soon

FILES = sorted((Path(__file__).parents[2] / 'config' / 'scenarios').glob('*.yaml'))
SHORT = 3.0
"""Simulated time [s] of a flight; where something is scheduled, so long after it begins, which is
ten times as soon."""


def horizon(scenario: Scenario) -> float:
    """Return how long to fly [s], so that the first thing that is scheduled happens."""
    texts = (
        scenario.radio.partitions, scenario.radio.byzantine, scenario.failure.failure_schedule
    )  # fmt: skip
    begins = [window.begin for text in texts for window in parse_windows(text, 'test')]
    return min(scenario.run.sim_duration, min(begins, default=0.0) + SHORT)


@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_the_name_is_the_files_and_the_first_line_says_what_happens(file):
    lines = file.read_text(encoding='utf-8').splitlines()
    assert load_scenario(file).name == file.stem
    assert lines[0].startswith('# ') and len(lines[0]) <= 99
    assert lines[0].endswith('.')


@pytest.mark.one_in(8)
@pytest.mark.parametrize('controller', CONTROLLERS)
@pytest.mark.parametrize('file', FILES, ids=lambda file: file.stem)
def test_every_command_is_finite_and_within_the_limits(file, controller):
    read = load_scenario(file)
    soon = read.with_changes(ten_times_as_soon(read), 'test')
    changes = {'run': {'sim_duration': horizon(soon)}, 'control': {'controller': controller}}
    scenario = soon.with_changes(changes, 'test')
    loop, limits = SwarmLoop(scenario), scenario.limits_of('uav_1')
    pass_on, commands = loop.world.command, []

    def note(name, velocity, *rest):
        commands.append((name, velocity))
        pass_on(name, velocity, *rest)

    loop.world.command = note
    assert loop.fly()
    assert len(commands) == scenario.ticks * len(loop.world.members)
    for name, (vx, vy, vz) in commands:
        assert math.isfinite(vx) and math.isfinite(vy) and math.isfinite(vz)
        if isinstance(loop.crew[name], Agent):
            assert vx * vx + vy * vy <= limits.max_speed_xy**2 * (1.0 + 1e-12)
            assert abs(vz) <= limits.max_speed_z
    for column in loop.observer.series.values():
        assert all(map(math.isfinite, column))
