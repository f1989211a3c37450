"""A law of somebody's own that fails in flight: the vehicle stops, and one line says why."""

from pathlib import Path

import pytest
from support.cli import REPOSITORY
from support.ros.cockpit import Cockpit
from support.ros.told import ERROR, Told

pytestmark = [pytest.mark.ros, pytest.mark.usefixtures('simulated')]

TEXT = (REPOSITORY / 'test' / 'support' / 'laws' / 'pursuit.py').read_text()
AT = '    target = view.target\n'
NAME, LOGGER = 'uav_1/agent: control', 'uav_1.agent'

FAULTS = [
    ("raise ValueError('not any more')", 'ValueError: not any more (step, line '),
    ('return memory, SpacingMessage(0.0, 0.0), decided(view, (0.0, 0.0 * 1e999, 0.0))',
     'wants the velocity (0.0, nan, 0.0) m/s; it must be finite'),
]  # fmt: skip


@pytest.fixture
def told(ros):
    return Told(ros)


@pytest.mark.parametrize(('line', 'reason'), FAULTS)
def test_the_vehicle_stops_and_one_line_says_why(ros, told, tmp_path: Path, line, reason):
    file = tmp_path / 'mine.py'
    assert AT in TEXT
    file.write_text(TEXT.replace(AT, f'    if view.target.seq > 20:\n        {line}\n{AT}'))
    cockpit = Cockpit(ros, controller=str(file))
    cockpit.until(lambda: any(speeds(one)[0] for one in cockpit.commands), 'flight')
    cockpit.until(lambda: told.shows(NAME, ERROR, 'the law failed'), 'the error')
    cockpit.commands.clear()
    cockpit.until(lambda: len(cockpit.commands) > 3, 'commands')
    assert {speeds(one) for one in cockpit.commands} == {(0.0, 0.0)}
    lines = [text for text in told.lines(LOGGER) if reason in text]
    assert len(lines) == 1 and lines[0].startswith('mine: uav_1 at ')


def speeds(command):
    return command.linear.x, command.linear.y
