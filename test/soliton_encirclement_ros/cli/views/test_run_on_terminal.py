"""``swarm run`` on a terminal: what it shows while it flies, and what it leaves there."""

import pytest

from support.cli import SWARM, environment
from support.ros_domain import domain_of_its_own
from support.terminal import Terminal

pytestmark = pytest.mark.ros

SCREEN, BACK = b'\x1b[?1049h', b'\x1b[?1049l'

FLIGHT = (
    'run', 'demo', '--agents', '4', '--duration', '12', '--no-bag',
    '--set', 'failure.failure_schedule=2..5: 3',
    '--set', 'failure.failure_mean_failures_per_min=0', '--set', 'run.real_time_factor=2.0',
)  # fmt: skip


def shows(*words):
    return lambda lines: all(word in '\n'.join(lines) for word in words)


def test_the_swarm_is_seen_at_any_size_and_the_result_stays(tmp_path):
    with (
        domain_of_its_own() as domain,
        Terminal((*SWARM, *FLIGHT), environment(domain), tmp_path) as terminal,
    ):
        lines = terminal.wait_for(shows(' s  uav_3 down', 'x3', 'real time'), 'the failure')
        assert lines[0].startswith('demo')
        assert 'alive   3 of 4' in '\n'.join(lines)
        terminal.resize(50, 12)
        lines = terminal.wait_for(lambda lines: not ''.join(lines[1:]).strip(), 'one line')
        assert 'alive: ' in lines[0]
        terminal.resize(100, 30)
        lines = terminal.wait_for(shows('uav_3 up again', 'E_gap'), 'the return')
        assert sum('E_gap' in line for line in lines) == sum('demo' in line for line in lines) == 1
        code = terminal.end()
    assert code == 0
    assert terminal.written.count(SCREEN) == terminal.written.count(BACK) == 1
    after = terminal.written.rpartition(BACK)[2].decode()
    assert 'ENCIRCLED' in after and 'run folder: ' in after


def test_ctrl_c_gives_the_terminal_back(tmp_path):
    with (
        domain_of_its_own() as domain,
        Terminal((*SWARM, *FLIGHT), environment(domain), tmp_path) as terminal,
    ):
        terminal.wait_for(shows('real time'), 'the flight')
        terminal.press('\x03')
        assert terminal.end() == 130
    after = terminal.written.rpartition(BACK)[2]
    assert b'interrupted' in after and SCREEN not in after
    assert terminal.written.rfind(b'\x1b[?25h') > terminal.written.rfind(b'\x1b[?25l')
